"""The fixture `pico` in the tests of others, each in its own pytest."""

import os
import sys
import textwrap

import pytest

from pico_testbench import image

pytest_plugins = ("pytester",)


@pytest.fixture
def pico_image(image_of_the_pico, monkeypatch):
    """Names the image to the other pytest, which has its own home."""
    monkeypatch.setenv(image.VARIABLE, str(image_of_the_pico))


@pytest.fixture
def others(pytester, monkeypatch):
    """others(test, *options): the output of pytest for this test file. `src` blinks."""
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(sys.path))
    (pytester.path / "src").mkdir()
    (pytester.path / "src/main.py").write_text("print('up')\n")

    def others(test, *options):
        pytester.makepyfile(test)
        return pytester.runpytest_subprocess("-p", "pico_testbench.plugin", *options)

    return others


TEST = """
    import pytest

    @pytest.mark.pico(firmware="src")
    def test_it(pico):
        pico.run(ms=500)
        assert pico.console[0] == "up"
"""


def test_missing_image_skips_in_one_line(others, monkeypatch):
    monkeypatch.delenv(image.VARIABLE, raising=False)
    done = others(TEST, "-rs")
    done.assert_outcomes(skipped=1)
    done.stdout.fnmatch_lines(["SKIPPED*no MicroPython image for the Raspberry Pi Pico. Get one*"])


def test_an_image_can_be_named(others):
    """A wrong name is a failure, or else a run that tests nothing is green."""
    done = others(TEST, "--pico-image", "nowhere.uf2")
    done.assert_outcomes(errors=1)
    done.stdout.fnmatch_lines(["*nowhere.uf2 is no*"])


def test_a_pico_without_a_mark_says_what_to_write(others):
    done = others("def test_it(pico): pass")
    done.stdout.fnmatch_lines(["*which Pico? Mark the test: @pytest.mark.pico(firmware='src')*"])


def test_a_failed_test_shows_the_trace(others, pico_image):
    done = others(TEST.replace('"up"', '"down"'))
    done.assert_outcomes(failed=1)
    done.stdout.fnmatch_lines(["*The Pico's trace*", "*console*up*"])


def test_the_firmware_is_looked_for_in_the_folders_above(others, pytester, pico_image):
    folder = pytester.path / "tests" / "unit"
    folder.mkdir(parents=True)
    (pytester.path / "pytest.ini").write_text("[pytest]\n")
    (folder / "test_up.py").write_text(textwrap.dedent(TEST))
    others("", "tests/unit/test_up.py").assert_outcomes(passed=1)


def test_it_costs_nothing_until_a_test_asks_for_a_pico(others):
    done = others(
        """
        import sys

        def test_nothing_is_loaded():
            assert not {"rp2040py", "littlefs", "pico_testbench.board"} & set(sys.modules)
        """
    )
    done.assert_outcomes(passed=1)
