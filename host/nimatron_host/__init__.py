"""A PC with a Pico on a cable, or with none: the `nimatron` command and its tools."""
