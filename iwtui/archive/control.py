"""What people ask of a run that is going on: small files in its `control` folder, taken once by its runner."""

import contextlib
import secrets
import time
from pathlib import Path
from typing import Literal

import msgspec

from iwtui.archive.durable import make_folder, write_durably
from iwtui.archive.run_folder import RunFolder
from iwtui.bench.names import EpisodeName

What = Literal["pause", "go on", "cancel"]

MAX_ORDER = 4_096
"""Bytes of an order's file; a longer one is none."""

_CROCKFORD = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"


class Order(msgspec.Struct, frozen=True, omit_defaults=True):
    """One thing asked of a run, or of one of its episodes (its name, `<run>/<case>.<builder>.r<repeat>.a<attempt>`).

    `t` is seconds since the epoch.
    """

    what: What
    t: float
    episode: str | None = None


class Given(msgspec.Struct, frozen=True):
    """An order with its file."""

    order: Order
    file: Path

    @property
    def taken(self) -> bool:
        """Whether the runner has acted on it."""
        return not self.file.exists()

    def take(self) -> None:
        """Acted on, or withdrawn: nobody acts on it again."""
        self.file.unlink(missing_ok=True)


class NewOrders(msgspec.Struct, frozen=True):
    """The orders that nobody has taken, oldest first, and what is wrong with files that are none."""

    given: tuple[Given, ...]
    problems: tuple[str, ...] = ()


def give(folder: RunFolder, what: What, episode: EpisodeName | None = None) -> Given:
    """Ask it of the runner, who looks about twice a second. Raises OSError."""
    order = Order(what, time.time(), str(episode) if episode else None)
    orders = _orders(folder)
    make_folder(orders)
    file = orders / f"{ulid(order.t)}.json"
    write_durably(file, msgspec.json.encode(order))
    return Given(order, file)


def new_orders(folder: RunFolder) -> NewOrders:
    """What was asked and not taken yet. A file that is no order is set aside, by its name, and told of."""
    found: list[Given] = []
    problems: list[str] = []
    for file in sorted(_orders(folder).glob("[!.]*.json")):
        try:
            with file.open("rb") as opened:
                found.append(Given(msgspec.json.decode(opened.read(MAX_ORDER + 1)[:MAX_ORDER], type=Order), file))
        except FileNotFoundError:
            continue  # withdrawn meanwhile
        except (OSError, msgspec.MsgspecError) as error:
            problems.append(f"{file}: this is no order to a run ({error}); it is left aside")
            with contextlib.suppress(OSError):
                file.rename(file.with_suffix(".bad"))
    return NewOrders(tuple(found), tuple(problems))


def ulid(t: float) -> str:
    """A name that sorts by time: 48 bits of milliseconds and 80 of chance, in 26 characters of Crockford's base 32."""
    number = (int(t * 1000) << 80) | secrets.randbits(80)
    return "".join(_CROCKFORD[(number >> shift) & 31] for shift in range(125, -1, -5))


def _orders(folder: RunFolder) -> Path:
    return folder.path / "control"
