"""`nimatron kiosk` and `nimatron matches`: the machine on a web page, for one person or a crowd.
nimatron_play provides the view and the actions of a visitor."""
