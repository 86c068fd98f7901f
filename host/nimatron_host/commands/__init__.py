"""The commands, a file for each: its first line is the help, add(parser) has the options, and
run(args) does what it is for. What only one command needs is imported when it runs."""
