"""The commands, a file for each. Its first line is the help, add(parser) has the options, and
run(args) runs the command. Slow imports are in run()."""
