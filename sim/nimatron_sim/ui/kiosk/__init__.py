"""The kiosk: the machine on a web page, for one person or for a crowd."""
