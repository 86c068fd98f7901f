// The sound of the visitors' pages: how loud a fresh one is, and when all are silent.

import { word } from "../words.js";

const $ = (id) => document.getElementById(id);
let known, asked; // what the server has told, and how many changes before the one that was asked for

/** Follow the form; tell(message) sends one, and says whether there is a line. */
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

/** Show what is set now, but leave alone what somebody is changing. */
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
