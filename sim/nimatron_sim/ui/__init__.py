"""The panel on a screen: in the terminal and on a web page."""
