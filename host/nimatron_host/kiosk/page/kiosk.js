// The page: it mirrors the machine and passes on people's actions. It has no rules of games.

import { teach } from "./lesson.js";
import { live } from "./life.js";
import { connect } from "./connection.js";
import { offerGames } from "./games.js";
import { build } from "./machine.js";
import { rewind } from "./rewind.js";
import { takeHome } from "./token.js";
import { follow } from "./touch.js";
import { around, speakPreferred } from "./visit.js";
import { why } from "./why.js";

build();
around();
offerGames();
follow();
rewind();
why();
teach();
takeHome();
live();
for (const built of document.querySelectorAll("main, nav")) built.hidden = false;
connect();
await speakPreferred();
