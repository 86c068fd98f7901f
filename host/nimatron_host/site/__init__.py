"""`nimatron site`: the page that needs no server, as a folder of static files."""
