"""An image is refused, with a reason, unless it is whole and for the Pico."""

import struct

import pytest

from nimatron_sim import image


def uf2(*payloads, family=0xE48BFF56, first=0x0A324655, last=0x0AB16F30, total=None):
    blocks = b""
    for number, payload in enumerate(payloads):
        where = 0x10000000 + 256 * number
        count = len(payloads) if total is None else total
        head = (first, 0x9E5D5157, 0x2000, where, len(payload), number, count, family)
        blocks += struct.pack("<8I476sI", *head, payload, last)
    return blocks


def test_a_whole_image_is_what_goes_into_flash():
    assert image.unpack(uf2(b"a" * 256, b"b" * 256)) == b"a" * 256 + b"b" * 256


def test_blocks_may_come_in_any_order():
    blocks = uf2(b"a" * 256, b"b" * 256)
    assert image.unpack(blocks[512:] + blocks[:512]) == image.unpack(blocks)


@pytest.mark.parametrize(
    ("file", "why"),
    [
        (b"", "0 bytes"),
        (uf2(b"a")[:-1], "511 bytes"),
        (uf2(b"a", first=1), "magic"),
        (uf2(b"a", last=1), "magic"),
        (uf2(b"a", family=0xE48BFF59), "0xE48BFF59"),
        (uf2(b"a", b"b")[512:], "1 of 2 blocks"),
        (uf2(b"a", b"b")[:512] * 2, "block 1 is missing"),
        (b"<!DOCTYPE html>".ljust(512), "magic"),
    ],
)
def test_anything_else_is_refused(file, why, tmp_path):
    path = tmp_path / "image.uf2"
    path.write_bytes(file)
    with pytest.raises(image.NoImage, match=why) as refused:
        image.load(path)
    assert "rp2040py micropython --fetch-fw-only" in str(refused.value)


def test_the_variable_that_names_no_file_is_named(monkeypatch, tmp_path):
    monkeypatch.setenv("NIMATRON_IMAGE", str(tmp_path / "none.uf2"))
    with pytest.raises(image.NoImage, match="NIMATRON_IMAGE names .*none.uf2"):
        image.find()


def test_without_an_image_the_way_to_one_is_told(monkeypatch, tmp_path):
    monkeypatch.delenv("NIMATRON_IMAGE", raising=False)
    monkeypatch.setattr(image, "CACHE", tmp_path)
    with pytest.raises(image.NoImage, match="--fetch-fw-only"):
        image.find()
