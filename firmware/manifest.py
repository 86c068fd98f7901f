"""The contents of a MicroPython image with the firmware, in addition to the board's own modules:
https://docs.micropython.org/en/latest/reference/manifest.html"""

include("$(PORT_DIR)/boards/manifest.py")
package("nimatron")
module("nimatron_boot.py")
module("nimatron_failed.py")
module("main.py", base_path="frozen")
module("firmware/main.py", base_path="..")
