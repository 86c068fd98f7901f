// node on_node.mjs: runs a program on MicroPython in WebAssembly, and calls what it is told to. The first line of standard input is
// {runtime, load, rom, program}: rom is an image as romfs.py makes it, in base 64; each further line is [name, ...arguments] of a method of what the program's start() has returned.

import { createInterface } from "node:readline";

const told = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
const { runtime, load: loader, rom, program } = JSON.parse((await told.next()).value);
const { load } = await import(loader);
const { loadMicroPython } = await import(runtime);
const python = await load(loadMicroPython, Buffer.from(rom, "base64"), program);
let object;
for await (const line of told) {
  const [name, ...args] = JSON.parse(line);
  const answer = name === "start" ? void (object = python.start(...args)) : object[name](...args);
  console.log(JSON.stringify(answer ?? null));
}
