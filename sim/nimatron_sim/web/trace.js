// node trace.js MICROPYTHON: play a script on the web tier's Pico and print the trace, one JSON object per line. web.py starts it.
// MICROPYTHON is the address of micropython.mjs. Standard input is {rom, given}: an image from romfs.py in base 64, and the argument of web_main.tape.

import { readFileSync, writeSync } from "node:fs";
import { load } from "./pico.js";

const STEP_MS = 500; // MicroPython collects garbage between two steps

try {
  const { rom, given } = JSON.parse(readFileSync(0, "utf8"));
  const { loadMicroPython } = await import(process.argv[2]);
  const program = await load(loadMicroPython, Buffer.from(rom, "base64"), "nimatron_sim.web.web_main");
  const tape = program.tape(given);
  for (let lines; (lines = tape.play(STEP_MS)) !== null; ) {
    for (let rest = Buffer.from(lines); rest.length; ) rest = rest.subarray(writeSync(1, rest));
  }
} catch (error) {
  writeSync(2, `${error.message.trim()}\n`); // for an error in Python, this is the traceback
  process.exitCode = 1;
}
