// MicroPython in WebAssembly with the firmware and the simulated chip on its file system: for node and for the page's worker.

const HEAP = 1 << 20; // bytes at first; it grows

/** Load MicroPython, write {name: text} to its file system, and return the Python module `program`. */
export async function load(loadMicroPython, files, program, print, options = {}) {
  const python = await loadMicroPython({ heapsize: HEAP, pystack: 8192, linebuffer: true, stdout: print, stderr: print, ...options });
  for (const [name, text] of Object.entries(files)) {
    python.FS.mkdirTree(`/${name}`.replace(/\/[^/]*$/, "") || "/");
    python.FS.writeFile(`/${name}`, text);
  }
  python.runPython(`import sys\nsys.path[:] = ["", ".frozen"]\nimport ${program} as program`);
  return python.globals.get("program");
}
