// MicroPython in WebAssembly with our files as its ROM: for node and for the workers of the page.

const HEAP = 1 << 20; // bytes at first. It grows
const PYSTACK = 8192; // bytes for the frames of Python's functions

/** Load MicroPython, mount `romfs`, an image as rom.py makes it, and return the Python module `program`. url: of micropython.wasm, unless it is next to its script. */
export async function load(loadMicroPython, romfs, program, url) {
  const python = await loadMicroPython({ heapsize: HEAP, pystack: PYSTACK, stdout: console.error, stderr: console.error, romfs, url });
  python.runPython(`import os, sys\nos.chdir("/rom")\nsys.path[:] = ["", "nimatron_sim/web/stand_ins", ".frozen"]\nimport ${program}\nprogram = sys.modules["${program}"]`);
  return python.globals.get("program");
}

/** The contents of a gzip file, for servers that do not pack. response: from fetch. */
export async function unpacked(response) {
  return new Uint8Array(await new Response(response.body.pipeThrough(new DecompressionStream("gzip"))).arrayBuffer());
}
