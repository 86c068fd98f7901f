"""The commands, one file each. The first line of a file is the help of its command, add(parser)
adds the options, and run(args) runs the command. Slow imports are inside run()."""
