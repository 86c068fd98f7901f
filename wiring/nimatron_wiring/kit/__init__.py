"""What is not text: files for printers and workshops, made by `nimatron wiring --kit FOLDER`.
None of them is committed. The libraries that write them are those of the extra `kit`.

files.py    the list of everything
paper.py    a PDF document: its pages, its font, drawings on it
book.py     the build book: one step on a page
artwork.py  the front panel at full size, to print and glue on, and the label for visitors
cutting.py  the front panel for a laser or a drill

The files for a board house are made by pcb/gerbers.py.
"""
