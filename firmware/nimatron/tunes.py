"""The tunes for the buzzer: the frequency in Hz and the duration in ms of each note. 0 Hz is a
pause.

Each tune begins with a different tone, so one note is enough to recognize it.
"""

TUNES = {
    "pick": (880, 25),
    "refusal": (196, 120, 0, 40, 147, 180),
    "give-back": (440, 30, 330, 30),
    "opening": (587, 60, 740, 60, 880, 60),
    "relay": (90, 12),
    "put-out": (220, 60),
    "warning": (660, 80, 0, 80, 660, 80),
    "player-wins": (523, 120, 659, 120, 784, 120, 1047, 240, 784, 120, 1047, 480),
    "machine-wins": (392, 200, 370, 200, 349, 200, 330, 600),
}
