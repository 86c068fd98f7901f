"""The `nimatron` command and its tools, for a computer with or without a Pico on a cable."""
