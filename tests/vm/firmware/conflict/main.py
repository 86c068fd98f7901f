"""A program that uses one pin twice."""

from machine import PWM, Pin

led = Pin(25, Pin.OUT)
tone = PWM(Pin(25), freq=440)
