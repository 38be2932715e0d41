"""Names of episodes: safe as file names, and found again."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from iwtui.bench.names import EpisodeName, episode_name, matching, parse_stem, slug


def test_a_name_is_made_of_its_parts() -> None:
    name = episode_name("demo-1", "bakery_P-MIN", "openai/qwen3.6-plus", 1, 2)
    assert str(name) == "demo-1/bakery_P-MIN.openai-qwen3.6-plus.r1.a2"
    assert name.played == ("demo-1", "bakery_P-MIN", "openai-qwen3.6-plus", 1)


@given(st.text(), st.text(), st.integers(1, 99), st.integers(1, 99))
def test_any_name_is_a_safe_file_name_and_read_back(case_id: str, builder: str, repeat: int, attempt: int) -> None:
    name = episode_name("run", case_id, builder, repeat, attempt)
    assert parse_stem("run", name.stem) == name
    assert not set(name.stem) & set('/\\:*?"<>|\n\x00 ')
    assert not name.stem.startswith(".")


@pytest.mark.parametrize(
    ("text", "dots", "safe"),
    [
        ("", False, "x"),
        ("..", True, "x"),
        ("../../etc", False, "etc"),
        ("a.b", False, "a-b"),
        ("a..b", True, "a.b"),
        ("é/ü", False, "x"),
        ("000002_P-MIN", False, "000002_P-MIN"),
    ],
)
def test_slugs(text: str, dots: bool, safe: str) -> None:
    assert slug(text, dots) == safe


@pytest.mark.parametrize(
    "stem", ["", "a", "a.b", "a.b.r1", "a.b.r1.a", "a.b.rx.a1", "a.b.r1.a1\n", "a/b.c.r1.a1", ".b.r1.a1"]
)
def test_other_stems_are_no_names(stem: str) -> None:
    assert parse_stem("run", stem) is None


def test_a_builder_may_look_like_the_end_of_a_name() -> None:
    assert parse_stem("run", "c.b.r1.a1.r2.a3") == EpisodeName("run", "c", "b.r1.a1", 2, 3)


def test_the_nearest_names_are_meant() -> None:
    names = ["demo/a.x.r1.a1", "demo/a.x.r1.a11", "other/a.x.r1.a1", "other/demo.x.r1.a1"]
    assert matching("demo/a.x.r1.a1", names) == ["demo/a.x.r1.a1"]
    assert matching("demo", names) == names[:2]
    assert matching("a.x.r1.a1", names) == ["demo/a.x.r1.a1", "other/a.x.r1.a1"]
    assert matching("x.r1.a11", names) == ["demo/a.x.r1.a11"]
    assert matching("demo.x", names) == ["other/demo.x.r1.a1"]
    assert matching("nothing", names) == []
