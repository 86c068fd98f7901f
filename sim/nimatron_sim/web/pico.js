// MicroPython in WebAssembly with our files as its ROM, for node and for the page's workers.

const HEAP = 1 << 20; // the first size in bytes. The heap can grow
const PYSTACK = 8192; // bytes for the frames of Python functions

/** Load MicroPython, mount `romfs` (an image from romfs.py), and return the Python module `program`. url: the address of micropython.wasm, if it is not next to its script. */
export async function load(loadMicroPython, romfs, program, url) {
  const python = await loadMicroPython({ heapsize: HEAP, pystack: PYSTACK, stdout: console.error, stderr: console.error, romfs, url });
  python.runPython(`import os, sys\nos.chdir("/rom")\nsys.path[:] = ["", "nimatron_sim/web/stand_ins", ".frozen"]\nimport ${program}\nprogram = sys.modules["${program}"]`);
  return python.globals.get("program");
}

/** Return the contents of a gzip file, from a server that does not set Content-Encoding. response: the result of fetch. */
export async function unpacked(response) {
  return new Uint8Array(await new Response(response.body.pipeThrough(new DecompressionStream("gzip"))).arrayBuffer());
}
