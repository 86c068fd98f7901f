"""Nimatron: misère Nim on a Raspberry Pi Pico, after the relay machine of 1940."""

VERSION = "0.2.0"
