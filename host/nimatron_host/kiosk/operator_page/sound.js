// The sound of the visitors' pages: the volume of a new page, and the quiet hours of all.

import { word } from "../words.js";

const $ = (id) => document.getElementById(id);
let known, asked; // the state from the server, and the number of changes before the requested one

/** Follow the form. tell(message) sends a message, and is false without a connection. */
export function follow(tell) {
  const say = (key, bad) => {
    answer().classList.toggle("bad", bad);
    answer().textContent = word(key);
  };
  $("volume").addEventListener("input", draw);
  $("sound").addEventListener("submit", (event) => {
    event.preventDefault();
    const from = $("begins").value, to = $("ends").value;
    if (from ? from === to || !to : to) return say("desk.quiet.wrong", true);
    asked = known?.changes;
    answer().textContent = "";
    if (!tell({ sounds: `${$("volume").value}${from ? ` ${from}-${to}` : ""}` })) say("desk.offline", true);
  });
  $("never").addEventListener("click", () => {
    $("begins").value = $("ends").value = "";
    $("sound").requestSubmit();
  });
}

/** Show the present values, except where the operator is typing. */
export function show(sound) {
  $("sound").hidden = !sound;
  if (!sound) return;
  const done = asked !== undefined && sound.changes > asked;
  known = sound;
  if (done) {
    asked = undefined;
    answer().classList.remove("bad");
    answer().textContent = word(sound.saved ? "desk.saved" : "desk.unsaved");
  } else if ($("sound").contains(document.activeElement)) return;
  $("volume").value = sound.volume;
  [$("begins").value, $("ends").value] = sound.quiet ? sound.quiet.split("-") : ["", ""];
  draw();
}

const answer = () => $("sound").querySelector(".answer");

const draw = () => { $("loudness").textContent = $("volume").value; };
