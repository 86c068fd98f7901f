"""The time limit of an answer, in virtual time: no test here depends on the machine's speed."""

import itertools

import pytest

from nimatron_host.theory import time_limit

LOOKS = 500  # at the clock in each second


@pytest.fixture(autouse=True)
def virtual_clock(monkeypatch):
    looks = itertools.count()
    monkeypatch.setattr(time_limit, "clock", lambda: next(looks) / LOOKS)
