// The operator's page without a server: its "WebSocket" leads to the machine on the visitor's page, which is open in another tab.

const channel = new BroadcastChannel(`nimatron operator ${new URL("..", location.href).pathname}`);
const PATIENCE_MS = 3000; // then there is no visitor's page, or not yet

/** Show that no machine is open, and where to start one. */
const closed = document.querySelector("header").appendChild(Object.assign(document.createElement("p"), { id: "closed", hidden: true }));
closed.setAttribute("role", "alert");
closed.appendChild(document.createElement("span")).dataset.say = "site.closed";
closed.append(" ");
Object.assign(closed.appendChild(document.createElement("a")), { href: "../", target: "_blank" }).dataset.say = "site.closed.open";

sessionStorage.setItem("operator", "this browser"); // there is no other operator

globalThis.WebSocket = class Line extends EventTarget {
  static CONNECTING = 0;
  static OPEN = 1;
  readyState = Line.CONNECTING;

  constructor() {
    super();
    channel.onmessage = ({ data: { news } }) => news && this.hear(news);
    channel.postMessage({ line: "" });
    setTimeout(() => this.readyState === Line.OPEN || this.close(), PATIENCE_MS);
  }

  hear(news) {
    if (this.readyState !== Line.OPEN) {
      if (!("trusted" in JSON.parse(news))) return; // not the beginning
      this.readyState = Line.OPEN;
      closed.hidden = true;
      this.dispatchEvent(new Event("open"));
    }
    this.dispatchEvent(new MessageEvent("message", { data: news }));
  }

  send(text) {
    const [verb] = Object.keys(JSON.parse(text));
    if (verb !== "token" && verb !== "beat") channel.postMessage({ line: text });
  }

  close() {
    channel.onmessage = null;
    closed.hidden = false;
    this.readyState = Line.CONNECTING;
    this.dispatchEvent(new Event("close"));
  }
};
