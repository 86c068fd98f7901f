"""An image is refused, with a reason, unless it is complete and for a chip that can run it."""

import struct
import sys

import pytest

import images
from nimatron_host import cli
from nimatron_sim import backends, extras
from nimatron_sim.emulated import bootable_image
from nimatron_sim.errors import TierUnavailable
from pico_testbench.models import BOARDS

RP2350 = 0xE48BFF59
# The beginning of MicroPython's images for the RP2350, for erratum E10.
ABSOLUTE = struct.pack(
    "<8I476sI",
    *(0x0A324655, 0x9E5D5157, 0xA000, 0x10FFFF00, 256, 0, 2, 0xE48BFF57),
    b"\xef" * 256,
    0x0AB16F30,
)


def micropython(board, family=None):
    """Return a small image for a board, or with this sys.implementation._machine."""
    machine = BOARDS[board].machine if board in BOARDS else board
    text = b"\0MicroPython v1.26.1 on 2025-09-11\0; " + machine.encode() + b"\0"
    family = family or (BOARDS[board].family if board in BOARDS else 0xE48BFF56)
    return uf2(text, family=family)


def uf2(*payloads, family=0xE48BFF56, first=0x0A324655, last=0x0AB16F30, total=None):
    blocks = b""
    for number, payload in enumerate(payloads):
        where = 0x10000000 + 256 * number
        count = len(payloads) if total is None else total
        head = (first, 0x9E5D5157, 0x2000, where, len(payload), number, count, family)
        blocks += struct.pack("<8I476sI", *head, payload, last)
    return blocks


def test_blocks_may_come_in_any_order():
    blocks = uf2(b"a" * 256, b"b" * 256)
    assert bootable_image.unpack(blocks[512:] + blocks[:512]).flash == b"a" * 256 + b"b" * 256


@pytest.mark.parametrize(
    ("file", "why"),
    [
        (b"", "0 bytes"),
        (uf2(b"a")[:-1], "511 bytes"),
        (uf2(b"a", first=1), "magic"),
        (uf2(b"a", last=1), "magic"),
        (uf2(b"a", family=0xADA52840), "0xADA52840, neither RP2040 nor RP2350"),
        (uf2(b"a", total=2) + uf2(b"b", family=RP2350, total=2), "block 1 is for the RP2350"),
        (uf2(b"a") + ABSOLUTE, "1 blocks|2 of 1 blocks"),
        (ABSOLUTE, "0xE48BFF57"),
        (uf2(b"a", b"b")[512:], "1 of 2 blocks"),
        (uf2(b"a", b"b")[:512] * 2, "block 1 is missing"),
        (b"<!DOCTYPE html>".ljust(512), "magic"),
    ],
)
def test_anything_else_is_refused(file, why, tmp_path):
    path = tmp_path / "image.uf2"
    path.write_bytes(file)
    with pytest.raises(TierUnavailable, match=why) as refused:
        bootable_image.load(path)
    assert "Get one with: nimatron image" in str(refused.value)


@pytest.mark.parametrize("first", [b"", ABSOLUTE])
def test_an_image_for_the_rp2350_keeps_its_first_block(first):
    there = bootable_image.unpack(first + uf2(b"a" * 256, family=RP2350))
    assert (there.flash, there.family, there.first) == (b"a" * 256, RP2350, first)
    assert bootable_image.pack(there) == first + uf2(b"a" * 256, family=RP2350)


@pytest.mark.parametrize("board", BOARDS)
def test_an_image_says_for_which_board_it_is(nimatron, tmp_path, board):
    file = tmp_path / "image.uf2"
    file.write_bytes(micropython(board))
    title = BOARDS[board].title
    status, out, error = nimatron("image", "--image", str(file))
    assert (status, error) == (0, "")
    assert out == f"{file} is a complete MicroPython 1.26.1 image for the {title}\n"


def test_an_image_for_another_board_is_called_by_its_name(nimatron, tmp_path):
    file = tmp_path / "image.uf2"
    file.write_bytes(micropython("Seeed Studio XIAO RP2040 with RP2040"))
    out = nimatron("image", "--image", str(file))[1]
    assert "image for the Seeed Studio XIAO RP2040 with RP2040\n" in out


@pytest.mark.parametrize("words", [["trace", "-", "--on", "emulator"], ["emulate"]])
def test_an_image_that_the_emulated_pico_cannot_run(emulated, nimatron, tmp_path, words):
    file = tmp_path / "image.uf2"
    file.write_bytes(micropython("pico2"))
    status, out, error = nimatron(*words, "--image", str(file), stdin="wait 5")
    assert (status, out, error.count("\n")) == (1, "", 1)
    assert f"{file} is for the Raspberry Pi Pico 2. The emulated Pico has an RP2040" in error


def test_the_emulated_pico_is_the_one_of_its_image(emulated, tmp_path):
    file = tmp_path / "image.uf2"
    file.write_bytes(micropython("pico-w"))
    pico = backends.pico(backends.EMULATOR, lambda record: None, image_file=file)
    assert pico.board is BOARDS["pico-w"]
    assert len(pico.flash) == BOARDS["pico-w"].file_system[1]


def test_the_variable_that_names_no_file_is_named(monkeypatch, tmp_path):
    monkeypatch.setenv("NIMATRON_IMAGE", str(tmp_path / "none.uf2"))
    with pytest.raises(TierUnavailable, match="NIMATRON_IMAGE names .*none.uf2"):
        bootable_image.find()


def test_cache_list_names_omitted_images(monkeypatch, tmp_path):
    monkeypatch.setattr(bootable_image, "CACHE", tmp_path)
    texts = {
        "a": b"3.4.0; MicroPython v1.29.0-preview.731.g1c3c201149.dirty on 2026-08-20",
        "b": b"3.4.0; MicroPython v1.29.0 on 2026-10-01",
        "c": b"3.4.0; MicroPython v1.9.4 on 2018-05-11",
        "d": b"3.4.0; MicroPython v1.28 on 2026-04-06",
        "e": b"CircuitPython",
    }
    for name, text in texts.items():
        (tmp_path / f"{name}.uf2").write_bytes(uf2(text))
    (tmp_path / "f.uf2").write_bytes(b"half of it")
    (tmp_path / "g.uf2").write_bytes(micropython("pico2"))
    (tmp_path / "h.uf2").write_bytes(micropython("pico-w"))
    left_out = []
    assert images.cached(radio=True) == [((1, 26, 1), tmp_path / "h.uf2")]
    assert images.cached(left_out.append) == [
        ((1, 9, 4), tmp_path / "c.uf2"),
        ((1, 28, 0), tmp_path / "d.uf2"),
        ((1, 29, 0), tmp_path / "a.uf2"),
        ((1, 29, 0), tmp_path / "b.uf2"),
    ]
    assert [bootable_image.version(tmp_path / name) for name in ("a.uf2", "b.uf2")] == [
        "1.29.0-preview",
        "1.29.0",
    ]
    no_version, broken, other_chip = left_out
    assert "g.uf2 is for the Raspberry Pi Pico 2" in other_chip
    assert "e.uf2 is not MicroPython" in no_version
    assert "f.uf2 is not a whole image" in broken


# ---------------------------------------------------------------------- nimatron image


@pytest.fixture
def cache(monkeypatch, tmp_path):
    monkeypatch.delenv("NIMATRON_IMAGE", raising=False)
    monkeypatch.setattr(bootable_image, "CACHE", tmp_path)
    return tmp_path


@pytest.fixture
def fetcher(monkeypatch, cache):
    """Return fetcher(content, fault), which makes rp2040py put `content` into the cache, or raise
    `fault`."""
    theirs = pytest.importorskip("rp2040py.utils.firmware_retrieve")

    def fetcher(content, fault=None):
        def retrieve(spec, version):
            assert (spec, version) == (theirs.MICROPYTHON, "1.26.1")
            if content is not None:
                (cache / bootable_image.NAME).write_bytes(content)
            if fault:
                raise fault

        monkeypatch.setattr(theirs, "retrieve", retrieve)

    return fetcher


def test_an_image_is_fetched_and_then_found(capsys, fetcher, cache):
    fetcher(micropython("pico"))
    assert cli.main(["image"]) == 0
    said = capsys.readouterr().out
    assert str(cache / bootable_image.NAME) in said and "for the Raspberry Pi Pico\n" in said
    fetcher(b"it is not fetched again")
    assert cli.main(["image"]) == 0


def test_half_an_image_is_fetched_again(fetcher, cache):
    new = uf2(b"a", b"; Raspberry Pi Pico with RP2040")
    whole = bootable_image.unpack(new)
    (cache / bootable_image.NAME).write_bytes(new[:512])
    fetcher(new)
    assert cli.main(["image"]) == 0
    assert bootable_image.load().flash == whole.flash


@pytest.mark.parametrize(
    ("content", "fault", "why"),
    [
        (b"half", OSError("no route to host"), "no route to host"),
        (uf2(b"a", b"b")[:512], None, "it has 1 of 2 blocks"),
        (None, None, "No such file"),
    ],
)
def test_offline_error_names_the_manual_download(capsys, fetcher, cache, content, fault, why):
    fetcher(content, fault)
    assert cli.main(["image"]) == 1
    error = capsys.readouterr().err
    assert why in error and error.count("\n") == 1
    assert f"Download {bootable_image.NAME} from https://" in error and f"into {cache}" in error
    assert not (cache / bootable_image.NAME).exists()


def test_without_rp2040py_the_extra_is_named(capsys, monkeypatch, cache):
    monkeypatch.setitem(sys.modules, "rp2040py.utils", None)
    assert cli.main(["image"]) == 1
    assert extras.command("emulator") in capsys.readouterr().err


def test_any_file_can_be_checked(capsys, tmp_path):
    file = tmp_path / "image.uf2"
    file.write_bytes(uf2(b"a"))
    assert cli.main(["image", "--image", str(file)]) == 1
    assert f"{file} is not MicroPython" in capsys.readouterr().err
    assert cli.main(["image", "--image", str(tmp_path)]) == 1
    assert "Is a directory" in capsys.readouterr().err


# ---------------------------------------------------------------------- with the firmware


def test_unpack_reverses_pack():
    flash = bytes(range(256)) * 3 + b"end"
    packed = bootable_image.pack(bootable_image.Image(flash))
    assert bootable_image.unpack(packed).flash == flash.ljust(1024, b"\xff")
    assert packed[:512] == uf2(bytes(range(256)), total=4)


@pytest.mark.parametrize("board", BOARDS)
def test_the_one_file_is_made_for_the_board_of_its_image(nimatron, emulated, tmp_path, board):
    from nimatron_sim.emulated import pico_flash

    given, file = tmp_path / "image.uf2", tmp_path / "nimatron.uf2"
    first = ABSOLUTE if BOARDS[board].family == RP2350 else b""
    given.write_bytes(first + micropython(board))
    status, out, error = nimatron("image", "--image", str(given), "--with-firmware", str(file))
    assert (status, error) == (0, "")
    assert f"Nimatron in one, for the {BOARDS[board].title}. It erases" in out
    made = bootable_image.load(file)
    assert (made.family, made.first, made.board) == (BOARDS[board].family, first, BOARDS[board])
    start, size = BOARDS[board].file_system
    assert len(made.flash) == start + size
    assert "main.py" in pico_flash.mount(made.flash[start:]).listdir("/")


def test_the_one_file_is_not_made_for_a_board_that_we_do_not_know(nimatron, emulated, tmp_path):
    given, file = tmp_path / "image.uf2", tmp_path / "nimatron.uf2"
    given.write_bytes(micropython("Seeed Studio XIAO RP2040 with RP2040"))
    status, _, error = nimatron("image", "--image", str(given), "--with-firmware", str(file))
    assert (status, error.count("\n"), file.exists()) == (1, 1, False)
    assert f"{given} is for the Seeed Studio XIAO RP2040 with RP2040" in error
    assert "Install that image first, then run: nimatron deploy" in error


def test_a_file_that_cannot_be_written_is_one_line(capsys, emulated, boot_drive, tmp_path):
    assert cli.main(["image", "--with-firmware", str(tmp_path)]) == 1
    error = capsys.readouterr().err
    assert error.startswith(f"nimatron: cannot write {tmp_path}") and error.count("\n") == 1


@pytest.mark.long("a boot")
def test_an_image_for_the_pico_w_boots_and_plays(emulated, tmp_path):
    """Its LED is on the radio chip, which MicroPython contacts as soon as the LED should
    change."""
    import probe

    found = images.cached(radio=True)
    if not found:
        pytest.skip(f"there is no image for the Pico W in {bootable_image.CACHE}")
    file = tmp_path / "nimatron.uf2"
    cli.main(["image", "--image", str(found[-1][1]), "--with-firmware", str(file)])
    start, _ = BOARDS["pico-w"].file_system
    heard = []
    pico = emulated.EmulatedPico(
        image=file, flash=bootable_image.load(file).flash[start:], record=heard.append
    )
    assert probe.plays(pico)
    pico.run(2000)
    said = [record["console"] for record in heard if "console" in record]
    assert [line for line in said if not line.startswith(("event", "ok"))] == []
