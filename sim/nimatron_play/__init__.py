"""What a visitor sees and may do, in every user interface.

All of it runs on CPython and on MicroPython, in the browser of a page without a server: no
threads and no sockets. It stands on the simulator, which knows nobody who plays: nimatron_sim
never imports nimatron_play.
"""
