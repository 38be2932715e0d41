"""The registry of actions: whole, without clashes, and open to the user's keys."""

import importlib
from collections import Counter

import pytest
from textual.binding import Binding

from iwtui.config import ConfigError
from iwtui.tui.actions import ACTIONS, BY_ID, SCOPES, bindings_for, checked_keymap, short_key


def test_ids_are_unique_and_name_their_scope() -> None:
    assert len(BY_ID) == len(ACTIONS)
    assert {action.scope for action in ACTIONS} == set(SCOPES)
    assert all(action.method.isidentifier() for action in ACTIONS)
    assert all(action.label and action.help for action in ACTIONS)


@pytest.mark.parametrize("scope", list(SCOPES))
def test_no_key_has_two_meanings_in_a_scope(scope: str) -> None:
    keys = Counter(key for action in ACTIONS if action.scope == scope for key in action.keys.split(","))
    assert [key for key, times in keys.items() if times > 1] == []


DIALOGS = ("dialog", "columns", "export")
"""Questions, before which nothing else can be done."""


def test_no_screen_takes_a_key_that_works_everywhere() -> None:
    everywhere = {key for action in ACTIONS if action.scope == "app" for key in action.keys.split(",")}
    others = {key for action in ACTIONS if action.scope not in ("app", *DIALOGS) for key in action.keys.split(",")}
    assert everywhere & others == set()


HOLDERS = {
    "app": "app:ConsoleApp",
    "list": "widgets.lines:LineList",
    "table": "widgets.table:Table",
    "home": "screens.home:HomeScreen",
    "watch": "screens.watch:WatchScreen",
    "metrics": "screens.metrics:MetricsScreen",
    "chart": "widgets.plot:Plot",
    "compare": "screens.compare:CompareScreen",
    "beside": "screens.compare_episodes:BesideScreen",
    "tiles": "widgets.tiles:Tiles",
    "run": "screens.run:RunScreen",
    "fork": "screens.fork:ForkScreen",
    "episode": "screens.episode:EpisodeScreen",
    "code": "widgets.code:CodePane",
    "strip": "widgets.slot_strip:SlotStrip",
    "slot": "screens.slot:SlotScreen",
    "adjudicate": "screens.adjudicate:AdjudicateScreen",
    "weights": "screens.weights:WeightsScreen",
    "slider": "widgets.slider:Slider",
    "call": "screens.call:CallScreen",
    "picture": "screens.serving:FreshPicture",
    "sql": "screens.sql:SqlScreen",
    "side": "widgets.sql_side:SqlSide",
    "result": "widgets.arrow_table:ArrowTable",
    "cell": "screens.sql_cell:CellScreen",
    "dialog": "screens.leave:LeaveScreen",
    "columns": "screens.column_choice:ColumnScreen",
    "export": "screens.export:ExportScreen",
}


@pytest.mark.parametrize("scope", list(SCOPES))
def test_every_action_is_carried_out_by_the_holder_of_its_scope(scope: str) -> None:
    module, name = HOLDERS[scope].split(":")
    holder = getattr(importlib.import_module(f"iwtui.tui.{module}"), name)
    assert [
        action.id for action in ACTIONS if action.scope == scope and not hasattr(holder, f"action_{action.method}")
    ] == []


def test_bindings_carry_the_ids_that_a_keymap_names() -> None:
    bindings = bindings_for("episode", "app")
    assert [binding.id for binding in bindings if isinstance(binding, Binding)] == [
        action.id for scope in ("episode", "app") for action in ACTIONS if action.scope == scope
    ]


def test_an_unknown_scope_is_an_error() -> None:
    with pytest.raises(KeyError):
        bindings_for("episodes")


@pytest.mark.parametrize("keys", ["ctrl+n", "f7", "n", "N", "?", "shift+up", "space", "question_mark", "é", "f2,ctrl+t"])
def test_keys_that_may_be_given(keys: str) -> None:
    assert checked_keymap({"episode.marks": keys}) == {"episode.marks": keys}


@pytest.mark.parametrize("keys", ["", "ctrl+", "spcae", "ctrl+spcae", "n,,m", "strg+n"])
def test_a_key_that_is_none_is_an_error(keys: str) -> None:
    with pytest.raises(ConfigError, match="no key"):
        checked_keymap({"episode.marks": keys})


def test_an_unknown_action_names_the_nearest() -> None:
    with pytest.raises(ConfigError, match=r"nearest is 'episode\.marks'"):
        checked_keymap({"episode.mark": "n"})


@pytest.mark.parametrize(
    ("key", "short"),
    [("shift+left", "⇧←"), ("ctrl+p", "^p"), ("question_mark", "?"), ("left_square_bracket", "["), ("N", "N")],
)
def test_keys_are_written_short(key: str, short: str) -> None:
    assert short_key(key) == short
