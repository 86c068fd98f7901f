"""`nimatron kiosk` and `nimatron matches`: the machine on a web page, for one person or for a
crowd. nimatron_play has what a visitor sees and may do."""
