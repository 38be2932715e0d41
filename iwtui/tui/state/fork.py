"""What the form of a fork offers and says, from the turns of an episode. Pure."""

from collections.abc import Sequence

import msgspec

from iwtui.bench.fold import Turn


class WayField(msgspec.Struct, frozen=True):
    """A way to fork: its option of `iwtui fork` (empty: none), what it is called, and what its text is."""

    option: str
    label: str
    text: str = ""


WAYS = (
    WayField("ask", "ask the client after all", "the question"),
    WayField("answer", "answer in the client's place", "the answer"),
    WayField("builder", "let another model play on", "a LiteLLM model"),
    WayField("prompt", "tell the builder other rules", "a file with the rules"),
    WayField("edit", "change a file after the turn", "PLACE=FILE"),
    WayField("", "play the turn anew, unchanged"),
)


def way_of(option: str) -> WayField:
    """The way of that option."""
    return next(way for way in WAYS if way.option == option)


def lacking(turns: Sequence[Turn], turn: int | None, way: WayField, text: str) -> str:
    """What is missing or wrong; empty when it can be started."""
    if turn is None or not any(one.number == turn for one in turns):
        return f"Turn: a number from 1 to {len(turns)}."
    action = next(one.action for one in turns if one.number == turn)
    if way.option == "answer" and (action is None or action.action != "clarify"):
        return f"Turn {turn} asks no question that could be answered."
    if way.option == "edit" and turn == turns[-1].number:
        return f"Turn {turn} is the last; nothing follows it."
    return f"Text: {way.text}." if way.text and not text.strip() else ""


def plan(turn: int, way: WayField) -> str:
    """What is kept, and what happens then."""
    kept = f"all up to the question of turn {turn} is" if way.option == "answer" else _turns(turn - (way.option != "edit"))
    then = {
        "ask": f"in turn {turn} your question is asked",
        "answer": "your answer is given",
        "builder": f"the other model plays from turn {turn} on",
        "prompt": f"turn {turn} is played anew with the other rules",
        "edit": f"in turn {turn + 1} the file is put in",
    }.get(way.option, f"turn {turn} is played anew")
    return f"{kept} kept; {then}. It counts in no mean."


def _turns(last: int) -> str:
    return ("nothing is", "turn 1 is")[last] if last < 2 else f"turns 1 to {last} are"
