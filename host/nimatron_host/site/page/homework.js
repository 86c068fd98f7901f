// The editor of homework links. It only writes the link: homework_link.py checks it when it is opened.

import { PICTURES } from "./board.js";
import { LANGUAGES } from "./languages.js";
import { maybe, speak, word } from "./words.js";

const SCENES = 7;
const COPIED_MS = 2000;
const HERE = new URL(".", location.href);

const $ = (id) => document.getElementById(id);

/** The link to what the form asks for. */
function address() {
  const url = new URL(HERE), lesson = $("begin").value;
  const asked = lesson ? { lesson } : { game: $("game").value, rows: $("rows").value.trim(), level: $("level").value };
  for (const [key, value] of Object.entries({ ...asked, task: $("task").value.trim() })) if (value) url.searchParams.set(key, value);
  return url.href.replaceAll("%2C", ",").replaceAll("%2F", "/").replaceAll("%3A", ":");
}

function show() {
  $("position").hidden = Boolean($("begin").value);
  $("link").textContent = $("try").href = address();
}

async function copy() {
  try {
    await navigator.clipboard.writeText(address());
  } catch {
    return void prompt(word("homework.copy"), address()); // nothing else may copy it
  }
  $("copy").textContent = word("site.copied");
  setTimeout(() => ($("copy").textContent = word("homework.copy")), COPIED_MS);
}

async function choose(code) {
  if (!(await speak(code))) return;
  $("language").value = code;
  $("task").placeholder = word("homework.task.such");
  for (const option of $("game").options) option.textContent = maybe(`game.${option.value}`) ?? option.value;
  for (const option of $("begin").options) if (option.value) option.textContent = word("homework.scene", { step: option.value });
}

$("game").append(...Object.keys(PICTURES).map((name) => new Option(name, name)));
for (let step = 1; step <= SCENES; step++) $("begin").append(new Option(step, step));
$("language").append(...Object.entries(LANGUAGES).map(([code, name]) => new Option(name, code)));
$("language").addEventListener("change", () => choose($("language").value));
$("copy").addEventListener("click", copy);
document.addEventListener("input", show);
show();
await choose([navigator.language.slice(0, 2), "en"].find((code) => code in LANGUAGES));
