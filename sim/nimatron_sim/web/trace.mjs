// node trace.mjs MICROPYTHON: plays a script on the web tier's Pico and prints the trace, one JSON object per line. web.py starts it.
// MICROPYTHON is the address of micropython.mjs; standard input is {files, given}, see bundle.py and web_main.tape.

import { readFileSync, writeSync } from "node:fs";
import { load } from "./pico.mjs";

const STEP_MS = 500; // MicroPython collects garbage between two steps

const { files, given } = JSON.parse(readFileSync(0, "utf8"));
const { loadMicroPython } = await import(process.argv[2]);
const program = await load(loadMicroPython, files, "nimatron_sim.web.web_main", (line) => writeSync(2, `${line}\n`));
const tape = program.tape(given);
for (let lines; (lines = tape.play(STEP_MS)) !== null; ) {
  for (let rest = Buffer.from(lines); rest.length; ) rest = rest.subarray(writeSync(1, rest));
}
