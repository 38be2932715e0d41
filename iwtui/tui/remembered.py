"""What the console remembers from one time to the next: where a reader was, and how it looked.

One small JSON file in the user's state folder. It is read once, before the first screen, and written in a thread; what other
consoles wrote meanwhile is kept. Losing it loses no work: a damaged one is put aside with a notice.
"""

from collections.abc import Mapping
from pathlib import Path
from threading import Lock
from typing import Annotated, Self, TypeVar

import msgspec

from iwtui.archive.durable import make_folder, write_durably
from iwtui.resources import state_folder
from iwtui.tui.state.arrangement import Shares

MOST_EPISODES = 200
"""Episodes whose events are remembered: those that were left last."""

MOST_STORES = 50

MOST_TABLES, MOST_COLUMNS = 20, 100

LONGEST_SQL = 20_000

LARGEST = 200_000
"""Bytes of a file that is read."""

VERSION = 1

T = TypeVar("T")
_Name = Annotated[str, msgspec.Meta(max_length=4_000)]


class Kept(msgspec.Struct, frozen=True, omit_defaults=True):
    """The file. `selected`: the run or episode on Home, by store. `events`: seqs by `store:episode`, the last left last.

    `columns`: the titles of the columns that were chosen for a table, by its name.
    """

    version: int = VERSION
    theme: _Name = ""
    order: _Name = ""
    shares: Shares = Shares()
    sql: Annotated[str, msgspec.Meta(max_length=LONGEST_SQL)] = ""
    blind: bool = False
    selected: dict[_Name, _Name] = {}
    events: dict[_Name, Annotated[int, msgspec.Meta(ge=0)]] = {}
    columns: dict[_Name, Annotated[tuple[_Name, ...], msgspec.Meta(max_length=MOST_COLUMNS)]] = {}


class Remembered:
    """Ask it on the loop; `write` it in a thread. Without a file it forgets all at the end.

    `notice` says what went wrong with the file, to be told once; empty when nothing did.
    """

    def __init__(self, file: Path | None = None) -> None:
        self.notice = ""
        self._file = file
        self._kept = Kept()
        self._plain: dict[str, object] = {}
        self._selected: dict[str, str] = {}
        self._events: dict[str, int | None] = {}
        self._columns: dict[str, tuple[str, ...]] = {}
        self._dirty = False
        self._writing = Lock()

    @classmethod
    def read(cls, file: Path | None = None) -> Self:
        """What the file holds (None: the user's own)."""
        self = cls(file or state_folder() / "console.json")
        assert self._file
        try:
            self._kept = _read(self._file)
        except (OSError, ValueError) as error:
            self.notice = f"{self._file} cannot be read ({error}); the console starts anew without it"
        return self

    @property
    def theme(self) -> str:
        """The name of the theme that was chosen last, or nothing."""
        return self._kept.theme

    @theme.setter
    def theme(self, name: str) -> None:
        self._set("theme", name)

    @property
    def order(self) -> str:
        """How Home is sorted, in Home's own words, or nothing."""
        return self._kept.order

    @order.setter
    def order(self, order: str) -> None:
        self._set("order", order)

    @property
    def shares(self) -> Shares:
        """How the panes of an episode share the screen."""
        return self._kept.shares

    @shares.setter
    def shares(self, shares: Shares) -> None:
        self._set("shares", shares)

    @property
    def sql(self) -> str:
        """What stood in the editor of the SQL console; what is too long is not remembered."""
        return self._kept.sql

    @sql.setter
    def sql(self, sql: str) -> None:
        self._set("sql", sql if len(sql) <= LONGEST_SQL else "")

    @property
    def blind(self) -> bool:
        """Whether a person who judges does not see what the judge said."""
        return self._kept.blind

    @blind.setter
    def blind(self, blind: bool) -> None:
        self._set("blind", blind)

    def selected(self, store: Path) -> str:
        """The name of the run or episode that was selected on Home, or nothing."""
        return self._kept.selected.get(str(store.absolute()), "")

    def select(self, store: Path, name: str) -> None:
        """This run or episode is selected on Home."""
        if self.selected(store) != name:
            self._selected[str(store.absolute())] = name
            self._apply()

    def columns(self, table: str) -> tuple[str, ...]:
        """The titles of the columns that were chosen for a table, or nothing."""
        return self._kept.columns.get(table, ())

    def choose_columns(self, table: str, titles: tuple[str, ...]) -> None:
        """These columns are chosen for a table."""
        if self.columns(table) != titles:
            self._columns[table] = titles
            self._apply()

    def event(self, store: Path, episode: str) -> int | None:
        """The event (its seq in the view) at which the reader left an episode; None: not to be found, or at its end."""
        return self._kept.events.get(_key(store, episode))

    def leave(self, store: Path, episode: str, event: int | None) -> None:
        """The reader leaves an episode at this event; None: at its end, which is where it opens by itself."""
        self._events.pop(_key(store, episode), None)
        self._events[_key(store, episode)] = event
        self._apply()

    def write(self) -> None:
        """Put the file in place, if there is something new; in a thread. Raises OSError."""
        with self._writing:
            if self._file is None or not self._dirty:
                return
            self._dirty = False
            try:
                self._put(self._file)
            except BaseException:
                self._dirty = True
                raise

    def _put(self, file: Path) -> None:
        make_folder(file.parent)
        try:
            others = _read(file)
        except ValueError:
            others = Kept()
            file.replace(file.with_suffix(".damaged"))
        write_durably(file, msgspec.json.format(msgspec.json.encode(self._merged(others)), indent=1))

    def _set(self, name: str, value: object) -> None:
        if getattr(self._kept, name) != value:
            self._plain[name] = value
            self._apply()

    def _apply(self) -> None:
        self._kept = self._merged(self._kept)
        self._dirty = True

    def _merged(self, kept: Kept) -> Kept:
        """What this console has to say, over what is kept."""
        selected = _later(kept.selected, dict(self._selected), MOST_STORES)
        events = _later(kept.events, dict(self._events), MOST_EPISODES)
        columns = _later(kept.columns, dict(self._columns), MOST_TABLES)
        return msgspec.structs.replace(
            kept, version=VERSION, selected=selected, events=events, columns=columns, **self._plain
        )


def _key(store: Path, episode: str) -> str:
    return f"{store.absolute()}:{episode}"


def _later(before: Mapping[str, T], now: Mapping[str, T | None], most: int) -> dict[str, T]:
    """Both, the later ones last and not more than so many; those that are None now are gone."""
    both = {key: value for key, value in before.items() if key not in now}
    both |= {key: value for key, value in now.items() if value is not None}
    return dict(list(both.items())[-most:])


def _read(file: Path) -> Kept:
    """Nothing when there is no file. Raises OSError, ValueError."""
    try:
        with file.open("rb") as stream:
            content = stream.read(LARGEST + 1)
    except FileNotFoundError:
        return Kept()
    if len(content) > LARGEST:
        raise ValueError(f"longer than {LARGEST} bytes")
    return msgspec.json.decode(content, type=Kept)
