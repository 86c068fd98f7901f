"""Files for printers and workshops, made by `nimatron wiring --kit FOLDER`.

These files are not committed. The `kit` extra installs the libraries that write them.

- contents.py: the list of all files
- paper.py: a PDF document, with its font, pages and drawings
- book.py: the build book, with one step on each page
- panel_files.py: the front panel at full size, to print and glue on, for a laser or a drill, and
  the label for visitors
- kicad_files.py: files that KiCad makes

The folder board/ of the kit is a copy of wiring/kicad/, with these files.
"""
