"""The manifest of a MicroPython image with the firmware, which adds it to the board's modules:
https://docs.micropython.org/en/latest/reference/manifest.html"""

include("$(PORT_DIR)/boards/manifest.py")
package("nimatron")
module("nimatron_boot.py")
module("nimatron_failed.py")
module("main.py", base_path="frozen")
module("firmware/main.py", base_path="..")
