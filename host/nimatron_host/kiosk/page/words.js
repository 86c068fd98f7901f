// Plain words: the counterpart of nimatron_play/words on the page.

let table = {};
let asked = 0; // how often a language was requested

/** Switch to this language. folders: more tables than the usual one. Returns its code, or undefined if its table could not be loaded. If another language was requested since, that one counts, and this returns null. */
export async function speak(code, ...folders) {
  const turn = ++asked;
  const answers = await Promise.all(["words", ...folders].map((folder) => fetch(new URL(`${folder}/${code}.json`, import.meta.url))));
  const loaded = answers.every((answer) => answer.ok) ? await Promise.all(answers.map((answer) => answer.json())) : undefined;
  if (turn !== asked) return null;
  if (!loaded) return undefined;
  table = Object.assign({}, ...loaded);
  document.documentElement.lang = code;
  for (const element of document.querySelectorAll("[data-say]")) element.textContent = word(element.dataset.say);
  for (const element of document.querySelectorAll("[data-label]")) element.setAttribute("aria-label", word(element.dataset.label, element.dataset));
  return code;
}

/** The text of one key. A key that is in no table is used as the text itself. */
export function word(key, gaps = {}) {
  let text = table[key] ?? key;
  if (gaps.count === 1) text = table[`${key}.one`] ?? text;
  for (const [name, value] of Object.entries(gaps)) text = text.replaceAll(`{${name}}`, () => table[value] ?? value);
  return text;
}

/** Messages, [key, gaps] each, one after another. */
export const say = (messages = []) => messages.map(([key, gaps]) => word(key, gaps)).filter(Boolean).join(" ");

/** The messages, in the page's own words if it has any: people touch lamps here. */
export const sayHere = (messages = []) => say(messages.map(([key, gaps]) => [`page.${key}` in table ? `page.${key}` : key, gaps]));

/** A text that may be absent. */
export const maybe = (key) => table[key];
