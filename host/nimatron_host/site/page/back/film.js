// The films of the relays, which MicroPython makes in a worker: the page without a server.

const worker = new Worker(new URL("film_worker.js", import.meta.url), { type: "module" });

/** Return the film for a question, as in nimatron_relays/film.py. */
export const film = (question) =>
  new Promise((done, failed) => {
    worker.onmessage = ({ data }) => done(JSON.parse(data));
    worker.onerror = (event) => failed(new Error(event.message));
    worker.postMessage(JSON.stringify(question));
  });
