// Plain words: what nimatron_sim/words does, on the page.

let table = {};

/** Speak this language from now on; returns its code, or undefined if the table did not come. */
export async function speak(code) {
  const answer = await fetch(`words/${code}.json`);
  if (!answer.ok) return undefined;
  table = await answer.json();
  document.documentElement.lang = code;
  for (const element of document.querySelectorAll("[data-say]")) element.textContent = word(element.dataset.say);
  for (const element of document.querySelectorAll("[data-label]")) element.setAttribute("aria-label", word(element.dataset.label, element.dataset));
  for (const element of document.querySelectorAll("[data-hint]")) {
    element.placeholder = word(element.dataset.hint);
    element.setAttribute("aria-label", element.placeholder);
  }
  return code;
}

/** The text of one key; what stands in no table is said as it is. */
export function word(key, gaps = {}) {
  let text = table[key] ?? key;
  if (gaps.count === 1) text = table[`${key}.one`] ?? text;
  for (const [name, value] of Object.entries(gaps)) text = text.replaceAll(`{${name}}`, () => table[value] ?? value);
  return text;
}

/** Messages, [key, gaps] each, one after the other. */
export const say = (messages = []) => messages.map(([key, gaps]) => word(key, gaps)).filter(Boolean).join(" ");
