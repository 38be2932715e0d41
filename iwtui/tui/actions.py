"""Every action of the console, once: its id, keys, label, help and scope.

Bindings, footer, command palette, help and the keymap of the settings are all made from this table. The action
`episode.marks` is carried out by the method `action_marks` of whoever has the bindings of the scope `episode`.
"""

import difflib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from textual.binding import Binding, BindingType
from textual.keys import Keys, format_key, key_to_character
from textual.screen import Screen

from iwtui.config import ConfigError


@dataclass(frozen=True)
class Action:
    """`keys`: comma-separated names of keys; `shown`: stands in the footer; `key`: how the footer writes the keys."""

    id: str
    keys: str
    label: str
    help: str
    shown: bool = True
    key: str | None = None

    @property
    def scope(self) -> str:
        return self.id.partition(".")[0]

    @property
    def method(self) -> str:
        return self.id.partition(".")[2]

    @property
    def name(self) -> str:
        """What it is called where its place does not tell: `next failure`."""
        return self.method.replace("_", " ")


SCOPES = {
    "app": "Everywhere",
    "list": "In a list",
    "table": "In a table",
    "home": "Runs",
    "watch": "Being played",
    "metrics": "Metrics",
    "chart": "In a map or a plot",
    "tiles": "Figures",
    "compare": "Comparison",
    "beside": "Two episodes",
    "run": "New run",
    "fork": "Fork",
    "episode": "Episode",
    "code": "Code",
    "strip": "Slot strip",
    "slot": "Slot",
    "adjudicate": "People's verdicts",
    "weights": "Weights",
    "slider": "Slider",
    "call": "Model call",
    "picture": "Picture",
    "sql": "SQL",
    "side": "Tables, saved queries, history",
    "result": "Rows of a query",
    "cell": "One cell",
    "dialog": "Question",
    "columns": "Columns",
    "export": "Export",
}
"""The scopes and their titles in the help."""

ACTIONS = (
    Action("app.help", "question_mark", "help", "What can be done here, and by which keys", key="?"),
    Action("app.palette", "ctrl+p,colon", "commands", "Find any command by its name", shown=False, key="^p"),
    Action("app.copy", "y", "copy", "Copy what the focus is on; a long text goes to a file", shown=False),
    Action("app.copy_to_file", "Y", "to file", "Copy all that the focus is in into a file", shown=False),
    Action("app.jump", "w,ctrl+o", "jump", "A letter on each pane, table and field: the letter leads there", key="w"),
    Action("app.sql", "S", "SQL", "Ask the index in SQL: tables, saved queries, history", shown=False),
    Action("app.next_theme", "f9", "theme", "The next theme: dark, light, high contrast", shown=False),
    Action("app.back", "escape", "back", "Back to where you came from"),
    Action("app.leave", "q", "quit", "Leave the console; runs go on if you like"),
    # Lists: runs, episodes, events, lines.
    Action("list.cursor_up", "up,k", "up", "One line up", shown=False, key="↑"),
    Action("list.cursor_down", "down,j", "down", "One line down", shown=False, key="↓"),
    Action("list.page_up", "pageup,ctrl+b", "page up", "One page up", shown=False),
    Action("list.page_down", "pagedown,ctrl+f", "page down", "One page down", shown=False),
    Action("list.half_page_up", "ctrl+u", "half a page up", "Half a page up", shown=False),
    Action("list.half_page_down", "ctrl+d", "half a page down", "Half a page down", shown=False),
    Action("list.first", "home,g", "first", "The first line", shown=False),
    Action("list.last", "end,G", "last", "The last line", shown=False),
    Action("list.choose", "enter", "open", "Open what the cursor is on", key="⏎"),
    # Tables.
    Action("table.next_order", "o", "order", "Order the rows by the next column"),
    Action("table.turn_order", "O", "turn", "The other end of the order first", shown=False),
    # Home.
    Action("home.new_run", "r", "new run", "Choose a pack, clients and builders, and start a run"),
    Action("home.resume", "R", "resume", "Go on with a run that was broken off"),
    Action("home.pause", "p", "pause", "Hold the run or the episode before its next model call, or let it go on"),
    Action("home.stop", "x", "stop", "Let a run finish its current turns and stop, to be resumed later"),
    Action("home.cancel", "c", "cancel", "End the episode at the cursor at once, as cancelled"),
    Action("home.cancel_all", "C", "cancel all", "End all episodes of the run as cancelled, begin no other", shown=False),
    Action("home.all_metrics", "a", "all runs", "The metrics of all runs together"),
    Action("home.watch", "L", "watch", "Every run that is being played for you, of whatever store", shown=False),
    Action("home.adjudicate", "A", "adjudicate", "Judge slots yourself, beside the judge", shown=False),
    Action("home.weights", "W", "weights", "Scores and ranks of all runs under other weights", shown=False),
    Action("home.find", "slash", "find", "Find a run or an episode", key="/"),
    Action("home.compare", "equals_sign", "compare", "Mark a run as A; on another run, compare it with A", key="="),
    # All that is being played.
    Action("watch.open_store", "s", "store", "All runs of its store: figures, and to pause, stop and cancel it"),
    # Metrics.
    Action("metrics.map", "1", "map", "Heat maps: persona × difficulty, persona × builder", shown=False),
    Action("metrics.bars", "2", "bars", "A bar for each persona, difficulty, builder, …", shown=False),
    Action("metrics.plots", "3", "plots", "TCR by turn, LOC and hallucination, cost and TCR, actions, endings", shown=False),
    Action("metrics.published", "4", "published", "The published figures, and ours beside them", shown=False),
    Action("metrics.causes", "5", "causes", "Why weight was lost: never asked, missed, not verified, …", shown=False),
    Action("metrics.next_part", "b", "next", "The next map, group or plot", key="b B"),
    Action("metrics.previous_part", "B", "previous", "The map, group or plot before", shown=False),
    Action("metrics.policy", "p", "policy", "Who counts: default, strict, scored, official"),
    Action("metrics.compare", "equals_sign", "compare", "Mark the run as A, or compare it with the one marked", key="="),
    Action("metrics.adjudicate", "a", "adjudicate", "Judge the slots of these episodes yourself", shown=False),
    Action("metrics.weights", "W", "weights", "Scores and ranks of these episodes under other weights", shown=False),
    Action("metrics.find", "slash", "filter", "Keep the episodes that a filter fits", key="/"),
    Action("metrics.columns", "c", "columns", "Which columns the table shows"),
    Action("metrics.export", "e", "export", "Write the figures or the episodes to a file"),
    Action("chart.left", "left,h", "left", "The cell, column or point to the left", shown=False, key="←"),
    Action("chart.right", "right,l", "right", "The cell, column or point to the right", shown=False, key="→"),
    Action("tiles.previous_tile", "left,h", "figure", "The figure to the left", shown=False, key="←"),
    Action("tiles.next_tile", "right,l", "figure", "The figure to the right", shown=False, key="→"),
    Action("tiles.choose", "enter", "whose", "The episodes that make the figure what it is come first", key="⏎"),
    # Comparison.
    Action(
        "compare.next_list", "right,l", "list", "The next list: newly failing, newly fixed, still failing, ..", key="← →"
    ),
    Action("compare.previous_list", "left,h", "list", "The list before", shown=False, key="←"),
    Action("compare.policy", "p", "policy", "Who counts: default, strict, scored, official"),
    Action("compare.swap", "x", "swap", "B becomes A, and A becomes B"),
    # Two episodes side by side.
    Action("beside.next_part", "right,l", "part", "The next part: dialogues, files, pictures", key="← →"),
    Action("beside.previous_part", "left,h", "part", "The part before", shown=False, key="←"),
    Action(
        "beside.next", "n", "next", "The next file or pair of pictures; in the dialogues to where the two part", key="n N"
    ),
    Action(
        "beside.previous", "N", "previous", "The file or the pair before; the dialogues from their beginning", shown=False
    ),
    Action("beside.when", "t", "when", "Files at the end, or at the end of the turn in which the two part"),
    Action("beside.open_a", "a", "open A", "The episode of A alone"),
    Action("beside.open_b", "b", "open B", "The episode of B alone"),
    # New run.
    Action("run.cursor_down", "j", "down", "One line down in a list", shown=False),
    Action("run.cursor_up", "k", "up", "One line up in a list", shown=False),
    Action("run.start", "ctrl+s,f5", "start", "Start the run as a process of its own"),
    # Fork.
    Action("fork.start", "ctrl+s,f5", "start", "Start the fork as a process of its own, and follow it"),
    # Episode.
    Action("episode.event_back", "left,h", "event", "One event back", key="← →"),
    Action("episode.event_on", "right,l", "event", "One event on", shown=False, key="→"),
    Action("episode.turn_back", "shift+left,H,left_square_bracket", "turn", "One turn back", key="⇧← ⇧→"),
    Action("episode.turn_on", "shift+right,L,right_square_bracket", "turn", "One turn on", shown=False, key="⇧→"),
    Action("episode.begin", "home,g", "begin", "The first event", shown=False),
    Action("episode.end", "end,G", "end", "The last event", shown=False),
    Action("episode.play", "space", "play", "Play from here, or pause", key="space"),
    Action("episode.slower", "less_than_sign", "slower", "Play at half the speed", shown=False, key="<"),
    Action("episode.faster", "greater_than_sign", "faster", "Play at twice the speed", shown=False, key=">"),
    Action("episode.fork", "F", "fork", "Go on from this turn in another way, in a run of its own", shown=False),
    Action("episode.follow", "f", "follow", "Stay at the end while the episode goes on"),
    Action("episode.next_failure", "n", "failure", "To the next failed slot, verification or fault", key="n N"),
    Action("episode.previous_failure", "N", "failure", "To the one before", shown=False, key="N"),
    Action("episode.blind_turn", "b", "blind turn", "To the first code that was written about what nobody knew"),
    Action("episode.find", "slash", "find", "Find text in everything that was said, written and done", key="/"),
    Action("episode.call", "i", "call", "The model call here, or the last before: every message as it was filled in"),
    Action("episode.marks", "m", "marks", "The numbered marks of the picture, on and off"),
    Action("episode.zoom", "z", "zoom", "One pane alone, or all of them"),
    Action("episode.reasoning", "t", "reasoning", "Unfold or fold what the builder thought", shown=False),
    Action("episode.diff", "d", "diff", "The change of the turn, or the whole file", shown=False),
    Action("episode.next_file", "full_stop", "next file", "The next file of the tree", shown=False, key="."),
    Action("episode.previous_file", "comma", "previous file", "The file before", shown=False, key=","),
    Action("episode.serve", "o", "site", "Serve the site as it was after this turn, for your own browser"),
    Action("episode.fresh_picture", "p", "fresh", "Take a picture of the site as it was after this turn"),
    Action("episode.open_picture", "O", "picture", "Where the picture is stored; copies the path", shown=False),
    Action("episode.slots", "s", "slots", "To the strip of slots"),
    Action("episode.wider", "plus", "wider", "Make the focused pane wider", shown=False, key="+"),
    Action("episode.narrower", "minus", "narrower", "Make the focused pane narrower", shown=False, key="-"),
    Action("episode.higher", "right_curly_bracket", "higher", "Make the focused pane higher", shown=False, key="}"),
    Action("episode.lower", "left_curly_bracket", "lower", "Make the focused pane lower", shown=False, key="{"),
    # The code pane and the slot strip of an episode.
    Action("code.tree", "e", "files", "All files, or back to the one that is shown", shown=False),
    Action("code.origin", "a", "who wrote", "To the turn that wrote the line at the cursor"),
    Action("code.other", "v", "versus", "Hold the file against what it was after an earlier turn", shown=False),
    Action("code.split", "vertical_line", "split", "The change in one column or in two", shown=False, key="|"),
    Action("strip.previous_slot", "left,h", "slot", "The slot before", shown=False, key="←"),
    Action("strip.next_slot", "right,l", "slot", "The next slot", shown=False, key="→"),
    Action("strip.choose", "enter", "open", "Open the slot: what was expected, and why it passed or failed", key="⏎"),
    # Slot.
    Action("slot.evidence", "e", "evidence", "To the event that decided the slot"),
    Action("slot.cause", "c", "cause", "To the event of the episode that shows why the slot failed"),
    Action("slot.next_slot", "right,l,n", "slot", "The next slot", key="← →"),
    Action("slot.previous_slot", "left,h,N", "slot", "The slot before", shown=False, key="←"),
    Action("slot.judging", "v", "judging", "What another judging of this episode saw, and its steps"),
    Action("slot.marks", "m", "marks", "The numbered marks of the picture, on and off"),
    Action("slot.open_picture", "O", "picture", "Where the picture is stored; copies the path", shown=False),
    Action("slot.adjudicate", "a", "adjudicate", "Judge the slots of this episode yourself, beside the judge"),
    Action("slot.primary", "P", "primary", "Let the score be that of the judging that is shown", shown=False),
    # People's verdicts.
    Action("adjudicate.say_pass", "p", "pass", "The site does what the slot asks for", key="p"),
    Action("adjudicate.say_fail", "f", "fail", "It does not"),
    Action("adjudicate.say_unsure", "u", "unsure", "It cannot be told: this counts for nobody"),
    Action("adjudicate.note", "n", "note", "A note, kept with the next verdict on the slot"),
    Action("adjudicate.undo", "backspace,ctrl+z", "undo", "Take the last verdict back", key="⌫"),
    Action("adjudicate.blind", "b", "blind", "Hide or show what the judge said"),
    Action("adjudicate.find", "slash", "find", "Keep the episodes that a filter fits", key="/"),
    Action("adjudicate.differing", "d", "differing", "Only where judges, or people, do not say the same"),
    Action("adjudicate.undecided", "t", "to do", "Only what you said nothing of yet"),
    Action("adjudicate.sample", "s", "sample", "A sample drawn by a seed: 40, or 40 seed 7", shown=False),
    Action("adjudicate.author", "a", "author", "Under which name your verdicts are kept", shown=False),
    Action("adjudicate.next_picture", "right,l", "picture", "The next picture that the judge saw", key="← →"),
    Action("adjudicate.previous_picture", "left,h", "picture", "The picture before", shown=False, key="←"),
    Action("adjudicate.marks", "m", "marks", "The numbered marks of the picture, on and off", shown=False),
    Action("adjudicate.open_picture", "i", "where", "Where the picture is stored; copies the path", shown=False),
    # Weights.
    Action("weights.paper", "p", "paper's", "Back to the paper's weights"),
    Action("weights.clean", "c", "POSITIVE", "Over POSITIVE slots only, or over all"),
    Action("weights.by", "b", "ranked", "Rank builders, personas or difficulties"),
    Action("weights.find", "slash", "find", "Keep the episodes that a filter fits", key="/"),
    Action("slider.less", "left,h,minus", "less", "One step less", key="← →"),
    Action("slider.more", "right,l,plus", "more", "One step more", shown=False, key="→"),
    Action("slider.previous", "up,k", "up", "The slider above", shown=False, key="↑"),
    Action("slider.next", "down,j", "down", "The slider below", shown=False, key="↓"),
    Action("slider.type", "enter", "number", "Type the number", key="⏎"),
    # Model call.
    Action("call.next_call", "right,l,n", "call", "The next model call", key="← →"),
    Action("call.previous_call", "left,h,N", "call", "The model call before", shown=False, key="←"),
    Action("call.answer", "a", "answer", "To what the model answered"),
    Action("call.reasoning", "t", "reasoning", "Unfold or fold what the model thought"),
    # A fresh picture.
    Action("picture.open_picture", "O", "where", "Where the picture is stored; copies the path"),
    # SQL.
    Action("sql.run", "f5,ctrl+r", "run", "Ask what is selected, else the statement at the cursor", key="F5"),
    Action("sql.stop", "f8", "stop", "Stop the query that is under way; escape does too", shown=False),
    Action("sql.tables", "f2", "tables", "Tables and their columns, with what they hold", key="F2"),
    Action("sql.saved", "f3", "saved", "Saved queries, the shipped ones and one's own", key="F3"),
    Action("sql.history", "f4", "history", "What was asked before", key="F4"),
    Action("sql.turn", "f6", "rows", "From the query to the rows, and back", key="F6"),
    Action("sql.complete", "ctrl+@,f1", "complete", "What may stand at the cursor", shown=False, key="^space"),
    Action("sql.save", "ctrl+s", "save", "Save the query under a name", key="^s"),
    Action("sql.new", "ctrl+n", "new", "An empty editor; ^z brings back what stood there", key="^n"),
    Action("sql.export", "f7", "export", "Write the rows to a file: csv, json, markdown, parquet", key="F7"),
    Action("side.unfold", "right,l,space", "columns", "The columns of a table, or the table alone again", key="→"),
    Action("side.fold", "left,h", "fold", "The table alone", shown=False),
    Action("side.delete", "delete,x", "delete", "Delete a saved query of one's own", shown=False),
    Action("result.open", "o", "episode", "The episode, slot, event or run that the row is about"),
    Action("result.view", "v", "cell", "The whole cell", shown=False),
    Action("result.export", "e", "export", "Write the rows to a file: csv, json, markdown, parquet"),
    Action("result.left", "left,h", "column", "The column to the left", shown=False, key="←"),
    Action("result.right", "right,l", "column", "The column to the right", key="→"),
    Action("result.first_column", "shift+left,H", "first column", "The first column", shown=False),
    Action("result.last_column", "shift+right,L", "last column", "The last column", shown=False),
    Action("cell.find", "slash", "find", "Find text in the cell", shown=False, key="/"),
    # Questions.
    Action("dialog.previous", "k", "previous", "The answer before", shown=False),
    Action("dialog.next", "j", "next", "The next answer", shown=False),
    Action("dialog.stay", "escape,q", "stay", "Back to where you were", shown=False),
    Action("columns.previous", "k", "previous", "The column before", shown=False),
    Action("columns.next", "j", "next", "The next column", shown=False),
    Action("columns.take", "space", "take", "Take the column at the cursor, or leave it", shown=False),
    Action("columns.done", "escape,q,c", "done", "Show these columns", shown=False),
    Action("export.write", "ctrl+s", "write", "Write the file", shown=False),
    Action("export.stay", "escape", "stay", "Write nothing", shown=False),
)

BY_ID = {action.id: action for action in ACTIONS}


def bindings_for(*scopes: str) -> list[BindingType]:
    """What a screen or a widget puts into its BINDINGS for these scopes. Raises KeyError for a scope that is not there."""
    if unknown := set(scopes) - SCOPES.keys():
        raise KeyError(*unknown)
    return [_binding(action) for scope in scopes for action in ACTIONS if action.scope == scope]


def _binding(action: Action) -> Binding:
    return Binding(action.keys, action.method, action.label, action.shown, action.key, tooltip=action.help, id=action.id)


def short_key(key: str) -> str:
    """A key as it is written in help and palette: ⇧← for shift+left, ^p for ctrl+p."""
    *modifiers, plain = key.split("+")
    return "".join(_MODIFIERS.get(one, f"{one}+") for one in modifiers) + format_key(plain)


def why_not(screen: Screen[Any], action: str) -> str:
    """Why an action cannot be taken now, as its screen tells; empty when it can."""
    told: Callable[[str], str] | None = getattr(screen, "why_not", None)
    return told(action) if told else ""


def key_of(screen: Screen[Any], action: str) -> str:
    """The key that an action has now, as text that tells of it; the one of this table where the action cannot be taken."""
    keys = (active.binding.key for active in screen.active_bindings.values() if active.binding.id == action)
    return short_key(next(keys, BY_ID[action].keys.partition(",")[0]))


def checked_keymap(keys: Mapping[str, str]) -> dict[str, str]:
    """The keys that the user gave for actions, fit for `App.set_keymap`. Raises ConfigError for an unknown action or key."""
    for action, named in keys.items():
        if action not in BY_ID:
            near = difflib.get_close_matches(action, BY_ID, 1, 0)
            raise ConfigError(f"keys: no action {action!r}; the nearest is {near[0]!r}")
        for key in named.split(","):
            if not _is_key(key.strip()):
                raise ConfigError(f"keys: {action} = {named!r}: no key {key.strip()!r}; example: ctrl+n, f7, n")
    return dict(keys)


_MODIFIERS = {"shift": "⇧", "ctrl": "^", "alt": "⌥", "super": "◆", "meta": "⌥"}
_NAMED = {key.value for key in Keys}


def _is_key(name: str) -> bool:
    *modifiers, plain = name.split("+")
    if not plain or not _MODIFIERS.keys() >= set(modifiers):
        return False
    return plain in _NAMED or len(plain) == 1 or key_to_character(plain) is not None
