"""Distances between colours."""

import pytest

from iwtui.judges.colours import RGB, distance, lab, named


@pytest.mark.parametrize(
    ("colour", "expected"),
    [
        ((255, 255, 255), (100, 0, 0)),
        ((0, 0, 0), (0, 0, 0)),
        ((255, 0, 0), (53.24, 80.09, 67.20)),
        ((0, 0, 128), (12.97, 47.51, -64.70)),
    ],
)
def test_lab_of_known_colours(colour: RGB, expected: tuple[float, float, float]) -> None:
    assert lab(colour) == pytest.approx(expected, abs=0.05)


def test_ivory_is_not_white_and_nearly_ivory_is_ivory() -> None:
    assert distance((255, 255, 240), (255, 255, 255)) > 7
    assert distance((255, 255, 240), (254, 254, 238)) < 2.3
    assert distance((1, 2, 3), (1, 2, 3)) == 0


def test_a_colour_is_named_by_its_nearest() -> None:
    assert named((250, 240, 230)) == "#faf0e6 (linen)"
    assert named((20, 83, 45)).startswith("#14532d (near ")
