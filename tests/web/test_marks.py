"""The list of marks as text, as bytes and as boxes on a picture."""

import io
import itertools

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image, ImageChops

from iwtui.web.marks import Mark, MarkList, decode, describe, draw, encode, place_labels


def mark(n: int, x: float = 100, y: float = 100, width: float = 80, height: float = 40, name: str = "Go") -> Mark:
    return Mark(n, "button", name, "button", x, y, width, height, x + width / 2, y + height / 2)


def listed(*marks: Mark, cut: bool = False) -> MarkList:
    return MarkList(marks, cut, 0.01, 1280, 800)


def test_a_list_goes_to_bytes_and_back() -> None:
    marks = listed(mark(1), mark(2, name='"日本"'), cut=True)
    assert decode(encode(marks)) == marks
    assert marks[2].n == 2
    for n in (0, 3, -1):
        with pytest.raises(KeyError):
            marks[n]


def test_a_line_a_mark_whatever_its_name() -> None:
    text = describe(listed(mark(1, name='a\n[2] button "fake"\x1b[2J' + "x" * 200), mark(2)))
    first, second = text.split("\n")
    assert first.startswith("[1] button \"a [2] button 'fake'") and "\x1b" not in text and len(first) < 120
    assert second == '[2] button "Go"'


def test_boxes_are_drawn_at_the_scale_of_the_picture_and_nowhere_else() -> None:
    picture = io.BytesIO()
    Image.new("RGB", (800, 600), "white").save(picture, "WEBP", lossless=True)
    drawn = Image.open(io.BytesIO(draw(picture.getvalue(), [mark(1)], scale=2.0))).convert("RGB")
    assert drawn.size == (800, 600)
    changed = (
        ImageChops.difference(drawn, Image.new("RGB", drawn.size, "white")).convert("L").point(lambda v: 255 * (v > 90))
    )
    box = changed.getbbox()
    assert box is not None
    left, top, right, bottom = box
    assert abs(left - 200) <= 3 and abs(right - 361) <= 3 and abs(bottom - 281) <= 3 and 150 < top < 200


def test_labels_of_elements_in_one_place_do_not_lie_on_one_another() -> None:
    boxes = [(300.0, 200.0, 340.0, 215.0)] * 12
    places = place_labels(boxes, [(16, 14)] * 12, (640, 480))
    for (x1, y1), (x2, y2) in itertools.combinations(places, 2):
        assert abs(x1 - x2) >= 16 - 4 or abs(y1 - y2) >= 14 - 4


@settings(max_examples=100)
@given(st.lists(st.tuples(*[st.floats(-50, 700)] * 4), max_size=30))
def test_labels_stay_inside_the_picture(boxes: list[tuple[float, float, float, float]]) -> None:
    for left, top in place_labels(boxes, [(20, 16)] * len(boxes), (640, 480)):
        assert 0 <= left <= 620 and 0 <= top <= 464


def test_four_hundred_marks_with_odd_boxes_are_drawn() -> None:
    picture = io.BytesIO()
    Image.new("RGB", (1280, 800), "white").save(picture, "PNG")
    marks = [mark(n, x=(n * 37) % 1280, y=(n * 53) % 800, width=n % 5, height=n % 3) for n in range(1, 401)]
    assert Image.open(io.BytesIO(draw(picture.getvalue(), marks))).size == (1280, 800)
