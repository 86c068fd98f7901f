"""`nimatron kiosk` and `nimatron matches`: what surrounds the server of the page."""
