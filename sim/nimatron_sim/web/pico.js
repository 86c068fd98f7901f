// MicroPython in WebAssembly with our files on its file system: for node and for the workers of the page.

const HEAP = 1 << 20; // bytes at first; it grows
const PYSTACK = 8192; // bytes for the frames of Python's functions

/** Load MicroPython, write {name: text} to its file system, and return the Python module `program`. url: of micropython.wasm, unless it is beside its script. */
export async function load(loadMicroPython, files, program, url) {
  const python = await loadMicroPython({ heapsize: HEAP, pystack: PYSTACK, stdout: console.error, stderr: console.error, url });
  const folders = new Set(Object.keys(files).map((name) => `/${name}`.replace(/\/[^/]*$/, "")));
  folders.forEach((folder) => folder && python.FS.mkdirTree(folder));
  for (const [name, text] of Object.entries(files)) python.FS.writeFile(`/${name}`, text);
  python.runPython(`import sys\nsys.path[:] = ["", "nimatron_sim/web/stand_ins", ".frozen"]\nimport ${program}\nprogram = sys.modules["${program}"]`);
  return python.globals.get("program");
}
