"""From a blob to cells and control sequences."""

import base64
import io
import json
import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image
from rich.console import Console

from iwtui.archive.blobs import BlobStore
from iwtui.tui import graphics, halfcells, marks
from iwtui.tui.pictures import Drawn, PictureError, Pictures, Wanted, fit
from iwtui.tui.terminal import Cell, Mode
from tests.tui_pictures.samples import marked, noise, page

CELL = Cell(10, 20)


@pytest.fixture
def blobs(tmp_path: Path) -> BlobStore:
    return BlobStore(tmp_path / "blobs")


def wanted(blob: str, over: str | None = None, room: tuple[int, int] = (40, 14), mode: Mode = "halfcell") -> Wanted:
    return Wanted(blob, over, *room, mode, CELL)


def sent(drawn: Drawn) -> str:
    """The cells as the terminal gets them."""
    console = Console(color_system="truecolor", force_terminal=True)
    return "\n".join(line.render(console) for line in drawn.lines)


def is_whole(drawn: Drawn) -> bool:
    """Whether all cells are there."""
    widths = {sum(segment.cell_length for segment in line) for line in drawn.lines}
    return len(drawn.lines) == drawn.rows and widths == {drawn.columns}


def test_a_picture_keeps_its_proportions_and_its_colours(blobs: BlobStore) -> None:
    drawn = Pictures(blobs).draw(wanted(blobs.put(page("#204080"))))

    assert drawn.size == (1280, 800)
    assert (drawn.columns, drawn.rows) == (40, 12)
    assert is_whole(drawn)
    assert "48;2;32;64;128" in drawn.lines[1].render(Console(color_system="truecolor", force_terminal=True))
    assert "48;2;255;255;255" in drawn.lines[-1].render(Console(color_system="truecolor", force_terminal=True))


@given(
    st.tuples(st.integers(1, 4000), st.integers(1, 16000)),
    st.tuples(st.integers(1, 300), st.integers(1, 100)),
    st.sampled_from([Cell(1, 2), CELL, Cell(7, 15)]),
)
def test_a_picture_stays_in_its_room_and_is_never_enlarged(size: tuple[int, int], room: tuple[int, int], cell: Cell) -> None:
    columns, rows = fit(size, room, cell)

    assert 1 <= columns <= room[0]
    assert 1 <= rows <= room[1]
    assert columns <= max(1, round(size[0] / cell.width))
    assert rows <= max(1, round(size[1] / cell.height))


@pytest.mark.parametrize("room", [(1, 1), (3, 2), (40, 14), (80, 24), (200, 60)])
def test_the_worst_picture_costs_no_more_than_it_may(blobs: BlobStore, room: tuple[int, int]) -> None:
    boxes = blobs.put(marked(*((x * 40, y * 40, 30, 30) for x in range(16) for y in range(10)), view=(640, 400)))

    drawn = Pictures(blobs).draw(wanted(blobs.put(noise()), boxes, room))

    assert is_whole(drawn)
    assert len(sent(drawn).encode()) <= max(25_000, 14 * room[0] * room[1])


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "no readable picture"),
        (b"<svg onload='x'/>", "no readable picture"),
        (page()[:60], "no readable picture"),
        (noise()[:-4000], "no readable picture"),
    ],
)
def test_what_is_no_picture_is_told(blobs: BlobStore, content: bytes, reason: str) -> None:
    with pytest.raises(PictureError, match=reason):
        Pictures(blobs).draw(wanted(blobs.put(content)))


def test_an_enormous_picture_is_refused_before_it_is_decoded(blobs: BlobStore) -> None:
    content = io.BytesIO()
    Image.new("1", (10_000, 6_000)).save(content, "PNG")

    with pytest.raises(PictureError, match="too large to show: 10000×6000"):
        Pictures(blobs).draw(wanted(blobs.put(content.getvalue())))


def test_a_missing_and_a_damaged_blob_name_their_file(blobs: BlobStore) -> None:
    blob = blobs.put(page())
    blobs.path(blob).write_bytes(b"else")
    pictures = Pictures(blobs)

    with pytest.raises(PictureError, match=f"blob damaged: .*{blob}"):
        pictures.draw(wanted(blob))
    with pytest.raises(PictureError, match="blob missing"):
        pictures.draw(wanted("0" * 64))
    with pytest.raises(PictureError, match="not the address of a blob"):
        pictures.draw(wanted("../../etc/passwd"))
    assert pictures.path("../../etc/passwd") is None


def test_numbers_of_marks_are_text_where_the_marks_are(blobs: BlobStore) -> None:
    over = blobs.put(marked((0, 0, 200, 60), (640, 400, 100, 40), (1270, 790, 500, 500), (5000, 10, 5, 5)))

    lines = [line.text for line in Pictures(blobs).draw(wanted(blobs.put(page()), over)).lines]

    assert lines[0].startswith("1")
    assert lines[6][20] == "2"
    assert lines[-1].endswith("3")
    assert not any("4" in line for line in lines)


@pytest.mark.parametrize("content", [b"", b"[]", b"{", b"\xff\xfe", b'{"marks": [{"n": "x"}], "width": 1, "height": 1}'])
def test_damaged_marks_leave_the_picture(blobs: BlobStore, content: bytes) -> None:
    drawn = Pictures(blobs).draw(wanted(blobs.put(page()), blobs.put(content)))

    assert is_whole(drawn)
    assert drawn.note.startswith("without marks: ")


@pytest.mark.parametrize("mode", ["halfcell", "sixel", "kitty"])
def test_monstrous_marks_are_drawn_or_left_out(blobs: BlobStore, mode: Mode) -> None:
    far = 1e308
    values = [(n, x, x, w, w) for n in (-5, 0, 7, 10**18) for x in (-far, -1.0, 0.0, far) for w in (-far, 0.0, 1.0, far)]
    listed = [dict(zip(("n", "x", "y", "width", "height"), value, strict=True)) for value in values * 20]
    over = blobs.put(json.dumps({"marks": listed, "width": 0, "height": -3}).encode())

    drawn = Pictures(blobs).draw(wanted(blobs.put(page(size=(64, 64))), over, (8, 4), mode))

    assert is_whole(drawn)


BOXES = st.builds(
    lambda n, x, y, w, h: marks.Box(n, x, y, min(59, x + w), min(19, y + h)),
    st.integers(1, 400),
    st.integers(0, 59),
    st.integers(0, 19),
    st.integers(0, 30),
    st.integers(0, 10),
)


@settings(deadline=None)
@given(st.lists(BOXES, max_size=60), st.integers(1, 2))
def test_labels_never_cover_each_other(found: list[marks.Box], height: int) -> None:
    sizes = [(len(str(box.n)), height) for box in found]

    covered = [
        (left + across, top + down)
        for of, left, top in marks.spread(found, sizes, (60, 20))
        for across in range(sizes[of][0])
        for down in range(height)
    ]

    assert len(covered) == len(set(covered))
    assert all(0 <= column < 60 and 0 <= row < 20 for column, row in covered)
    assert bool(covered) == bool(found)


def test_finished_pictures_are_remembered_and_the_oldest_forgotten(blobs: BlobStore) -> None:
    first, second, third = (wanted(blobs.put(page(colour))) for colour in ("red", "green", "blue"))
    pictures = Pictures(blobs, kept=2)
    drawn = pictures.draw(first)
    pictures.draw(second)

    assert pictures.draw(first) is drawn
    pictures.draw(third)

    assert pictures.remembered(first) is drawn
    assert pictures.remembered(second) is None
    assert pictures.remembered(first._replace(columns=41)) is None


def test_a_kitty_picture_is_sent_whole_in_small_pieces(blobs: BlobStore) -> None:
    drawn = Pictures(blobs).draw(wanted(blobs.put(page()), mode="kitty"))

    parts = re.findall(r"\x1b_G([^;]*);([^\x1b]*)\x1b\\", drawn.payload)
    assert "".join(f"\x1b_G{head};{data}\x1b\\" for head, data in parts) == drawn.payload
    first = dict(entry.split("=") for entry in parts[0][0].split(","))
    assert first["i"] == str(drawn.number)
    assert (first["c"], first["r"], first["U"], first["q"]) == (str(drawn.columns), str(drawn.rows), "1", "2")
    assert all(len(data) <= 4096 for _, data in parts)
    assert [head[-3:] for head, _ in parts] == ["m=1"] * (len(parts) - 1) + ["m=0"]
    with Image.open(io.BytesIO(base64.b64decode("".join(data for _, data in parts)))) as image:
        assert image.size == (drawn.columns * 10, drawn.rows * 20)
    assert is_whole(drawn)
    red, green, blue = drawn.number >> 16, drawn.number >> 8 & 255, drawn.number & 255
    assert f"38;2;{red};{green};{blue}m" in sent(drawn)


def test_a_sixel_picture_lies_over_empty_cells(blobs: BlobStore) -> None:
    drawn = Pictures(blobs).draw(wanted(blobs.put(page()), mode="sixel"))

    assert drawn.payload.startswith("\x1bP")
    assert drawn.payload.endswith("\x1b\\")
    assert f'"1;1;{drawn.columns * 10};{drawn.rows * 20}' in drawn.payload
    assert is_whole(drawn)
    assert not "".join(line.text for line in drawn.lines).strip()


def test_more_sixel_data_than_a_terminal_takes_becomes_half_blocks(
    blobs: BlobStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(graphics, "MAX_SIXEL", 100)

    drawn = Pictures(blobs).draw(wanted(blobs.put(page()), mode="sixel"))

    assert not drawn.payload
    assert "half blocks" in drawn.note
    assert "48;2;32;64;128" in sent(drawn)


def test_few_colours_make_few_runs() -> None:
    image = Image.new("RGB", (400, 400), "#101010")

    strips = halfcells.lines(image, 20, 10)

    assert [len(list(strip)) for strip in strips] == [1] * 10
