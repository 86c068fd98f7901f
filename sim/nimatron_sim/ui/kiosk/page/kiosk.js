// The page: it mirrors the machine and passes on what people do. It knows no game.

import { explain } from "./drawer.js";
import { live } from "./life.js";
import { connect, listen, state } from "./line.js";
import { build } from "./machine.js";
import { follow } from "./touch.js";
import { around, speakPreferred } from "./visit.js";

build();
around();
follow();
listen((news) => {
  if (news.working || news.rule) document.getElementById("working").replaceChildren(...explain(state.working ?? {}, state.rule));
});
live();
connect();
await speakPreferred();
