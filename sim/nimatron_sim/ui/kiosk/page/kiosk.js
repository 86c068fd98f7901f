// The page: it mirrors the machine and passes on what people do. It knows no game.

import { build as buildLesson, show as lesson } from "./lesson.js";
import { live } from "./life.js";
import { connect, listen, send, state } from "./line.js";
import { build } from "./machine.js";
import { follow } from "./touch.js";
import { around, onOpen, speakPreferred } from "./visit.js";
import { build as buildWhy, show as why } from "./why.js";

build();
buildWhy(() => why(state));
buildLesson((step) => send("lesson", step));
onOpen(() => why(state));
around();
follow();
listen(() => {
  why(state);
  lesson(state);
});
live();
connect();
await speakPreferred();
