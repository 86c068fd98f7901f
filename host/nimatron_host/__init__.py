"""The `nimatron` command and its tools, for a PC with or without a Pico on a cable."""
