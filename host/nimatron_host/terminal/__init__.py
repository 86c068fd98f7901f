"""The panel in a terminal, with the cabinet that it draws."""
