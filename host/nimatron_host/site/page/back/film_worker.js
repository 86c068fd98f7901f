// MicroPython with the relays. It answers each question with a film, both as JSON.

const parts = Promise.all([import("../micropython.js"), import("../pico.js"), fetch(new URL("relays.rom", import.meta.url))]);
const program = begin();

async function begin() {
  const [{ loadMicroPython }, { load, unpacked }, packed] = await parts;
  return load(loadMicroPython, await unpacked(packed), "nimatron_relays.film", new URL("../micropython.wasm", import.meta.url).href);
}

// An error reaches the page, a broken promise does not.
onmessage = ({ data }) => program.then((film) => postMessage(film.answer(data))).catch((why) => setTimeout(() => { throw why; }));
