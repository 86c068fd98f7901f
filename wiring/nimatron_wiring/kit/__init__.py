"""Files for printers and workshops, made by `nimatron wiring --kit FOLDER`.

None of them is committed. The extra `kit` installs the libraries that write them.

- files.py: the list of everything
- paper.py: a PDF document, with its pages, its font and drawings on it
- book.py: the build book, with one step on a page
- artwork.py: the front panel at full size, to print and glue on, and the label for visitors
- cutting.py: the front panel for a laser or a drill

The files for a board house are made by pcb/gerbers.py.
"""
