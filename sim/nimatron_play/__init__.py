"""The visitor's view of the machine and the visitor's actions, for every user interface.

All modules run on CPython and, in a browser if the page has no server, on MicroPython, so they use
no threads or sockets. This package imports the simulator, nimatron_sim, which never imports this
package.
"""
