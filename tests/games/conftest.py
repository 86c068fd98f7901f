"""The time limit of an answer, in virtual time: no test here depends on the machine's speed."""

import itertools

import pytest

from nimatron_host.theory import budget

LOOKS = 500  # at the clock in each second


@pytest.fixture(autouse=True)
def virtual_clock(monkeypatch):
    looks = itertools.count()
    monkeypatch.setattr(budget, "clock", lambda: next(looks) / LOOKS)
