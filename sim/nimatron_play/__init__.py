"""The visitor's view of the machine and the visitor's actions, for every user interface.

All modules run on CPython. They also run on MicroPython, in a browser when the page has no server,
so they use no threads and no sockets. This package imports the simulator. The simulator,
nimatron_sim, never imports this package.
"""
