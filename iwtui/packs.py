"""Task packs: one folder a pack, one TOML file a seed; imported and frozen packs are JSON Lines, one case a line."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, Literal, Protocol, TypeVar

import msgspec

from iwtui.bench.case import Assertion, Case, Persona, Slot, SlotKind, Visibility
from iwtui.bench.checks import Step, faults
from iwtui.bench.rows import LONGEST_ROW, RowError, read_object, read_row
from iwtui.bench.weights import difficulty
from iwtui.resources import shipped, users_own

T = TypeVar("T")

ROWS = ".jsonl"
"""How the file of an imported pack ends."""

_ID = re.compile(r"[A-Za-z0-9_+-]+")
"""What a seed or persona may be called: it becomes a part of file names."""


class PackError(ValueError):
    """A pack, seed or persona file that cannot be used; the message names the file."""


class PackMissingError(PackError):
    """There is no such pack."""


class _Fact(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    id: str
    text: str


class _Slot(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    component: str
    expected: str
    assertion: Assertion
    kind: SlotKind
    c_tech: Literal[1, 2, 3]
    facts: tuple[str, ...]
    check: tuple[Step, ...]


class _Telling(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    visibility: tuple[Visibility, ...]
    instruction: str = ""


class _Persona(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    id: str
    name: str
    rules: str


class Seed(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One seed file: the facts, the slots that they make, and how each persona tells them.

    A telling without an instruction uses the golden text: the facts, one after the other.
    """

    id: str
    title: str
    application_type: str
    category: str
    facts: tuple[_Fact, ...]
    slots: tuple[_Slot, ...]
    personas: dict[str, _Telling]
    language: str = "en"


def packs(imported: Path | None = None) -> dict[str, Path]:
    """The packs to be found by name: a folder, or a JSON Lines file for those in the folder of imported ones.

    The user's own go before the imported ones, and these before the shipped ones.
    """
    found = _folders(shipped("tasks"))
    if imported is not None and imported.is_dir():
        found |= {file.stem: file for file in sorted(imported.glob(f"[!.]*{ROWS}"))}
    return found | _folders(users_own("tasks"))


def _folders(root: Path) -> dict[str, Path]:
    if not root.is_dir():
        return {}
    folders = [folder for folder in sorted(root.iterdir()) if any(folder.glob("*.toml"))]
    return {folder.name: folder for folder in folders if folder.name != "personas"}


def pack_path(name: str, imported: Path | None = None) -> Path:
    """The folder or the file of a pack, by its name or its path. Raises PackMissingError."""
    known = packs(imported)
    path = known.get(name, Path(name))
    if not name or not (path.is_dir() or (path.suffix == ROWS and path.is_file())):
        raise PackMissingError(f"no pack {name!r}; there are {', '.join(sorted(known))}, or give a folder or a {ROWS} file")
    return path.resolve()


def pack_folder(name: str) -> Path:
    """The folder of a pack that is one, by its name or its path. Raises PackError."""
    path = pack_path(name)
    if not path.is_dir():
        raise PackError(f"{path}: not a folder")
    return path


def load_personas(folder: Path) -> dict[str, Persona]:
    """The personas of a pack: its own folder `personas`, if it has one, else the shipped ones. Raises PackError."""
    own = folder / "personas"
    home = own if own.is_dir() else shipped("tasks") / "personas"
    read = [(file, _decode(file, _Persona)) for file in sorted(home.glob("*.toml"))]
    if not read:
        raise PackError(f"{home}: no persona (*.toml) in it")
    _refuse_bad_ids((file, persona.id) for file, persona in read)
    return {persona.id: Persona(id=persona.id, name=persona.name, rules=persona.rules.strip()) for _, persona in read}


def load_seeds(folder: Path) -> list[tuple[Path, Seed]]:
    """The seeds of a pack with their files, in the order of their names. Raises PackError."""
    seeds = [(file, _decode(file, Seed)) for file in sorted(folder.glob("*.toml"))]
    if not seeds:
        raise PackError(f"{folder}: no seed (*.toml) in it")
    _refuse_bad_ids((file, seed.id) for file, seed in seeds)
    for file, seed in seeds:
        _validate(file, seed)
    return seeds


def shipped_personas() -> dict[str, Persona]:
    """The personas that imported rows name."""
    return load_personas(shipped("tasks"))


def load_pack(name: str, imported: Path | None = None) -> list[Case]:
    """All cases of a pack, seed by seed. `imported` is the folder of the store's imported packs. Raises PackError."""
    path = pack_path(name, imported)
    if path.is_file():
        return list(load_rows(path))
    personas = load_personas(path)
    return [case for file, seed in load_seeds(path) for case in _cases(file, seed, personas, path.name)]


def load_rows(path: Path) -> Iterator[Case]:
    """The cases of a file of rows, in its order. Raises PackError with the number of a bad line."""
    personas = shipped_personas()
    seen: dict[str, int] = {}
    try:
        with path.open("rb") as file:
            for number, line in numbered_lines(file):
                case = read_row(line, personas, path.stem).case
                if case.id in seen:
                    raise PackError(f"{path}: line {number}: the id {case.id!r} stands in line {seen[case.id]} already")
                seen[case.id] = number
                yield case
    except RowError as error:
        raise PackError(f"{path}: line {number}: {error}") from error
    except OSError as error:
        raise PackError(f"{path}: {error.strerror}") from error


def row_of(path: Path, case_id: str) -> dict[str, Any] | None:
    """The row of a case as it stands in a file of rows, with every key; None where the pack is no such file."""
    if not path.is_file():
        return None
    with path.open("rb") as file:
        rows = (read_object(line) for _, line in numbered_lines(file))
        return next((row for row in rows if row.get("id") == case_id), None)


class Lines(Protocol):
    """What lines of bytes are read from."""

    def readline(self, limit: int, /) -> bytes: ...


def numbered_lines(file: Lines) -> Iterator[tuple[int, bytes]]:
    """The lines that are not blank, with their numbers from 1; of a line that is too long for a row, only so much."""
    number = 0
    while line := file.readline(LONGEST_ROW + 2):
        number += 1
        if number == 1:
            line = line.removeprefix(b"\xef\xbb\xbf")
        rest = line
        while not rest.endswith(b"\n") and (rest := file.readline(LONGEST_ROW)):
            pass
        if line.strip():
            yield number, line.rstrip(b"\r\n")


def write_cases(cases: Sequence[Case]) -> bytes:
    """The frozen form: one case a line."""
    return b"".join(msgspec.json.encode(case) + b"\n" for case in cases)


def read_cases(content: bytes) -> list[Case]:
    """The cases of the frozen form. Raises PackError with the number of a bad line."""
    cases: list[Case] = []
    for number, line in enumerate(content.splitlines(), 1):
        try:
            cases.append(msgspec.json.decode(line, type=Case))
        except (msgspec.MsgspecError, RecursionError) as error:
            raise PackError(f"line {number}: {error}") from error
    return cases


def _decode(file: Path, kind: type[T]) -> T:
    try:
        return msgspec.toml.decode(file.read_bytes(), type=kind)
    except (msgspec.MsgspecError, OSError, RecursionError) as error:
        raise PackError(f"{file}: {error}") from error


def _refuse_bad_ids(named: Iterable[tuple[Path, str]]) -> None:
    seen: dict[str, Path] = {}
    for file, name in named:
        if not _ID.fullmatch(name):
            raise PackError(f"{file}: the id {name!r} may hold letters, digits, _, + and - only")
        if name in seen:
            raise PackError(f"{file}: the id {name!r} is taken by {seen[name]}")
        seen[name] = file


def _cases(file: Path, seed: Seed, personas: dict[str, Persona], pack: str) -> Iterator[Case]:
    place = {fact.id: index for index, fact in enumerate(seed.facts)}
    slots = tuple(
        Slot(
            component=slot.component,
            expected=slot.expected,
            assertion=slot.assertion,
            kind=slot.kind,
            c_tech=slot.c_tech,
            facts=tuple(place[fact] for fact in slot.facts),
            check=slot.check,
        )
        for slot in seed.slots
    )
    facts = tuple(fact.text for fact in seed.facts)
    golden = " ".join(facts)
    for persona_id, telling in seed.personas.items():
        if persona_id not in personas:
            raise PackError(f"{file}: no persona {persona_id!r}; there are {', '.join(sorted(personas))}")
        yield Case(
            id=f"{seed.id}_{persona_id}",
            seed=seed.id,
            persona=personas[persona_id],
            instruction=telling.instruction.strip() or golden,
            golden=golden,
            facts=facts,
            slots=slots,
            difficulty=difficulty(slots),
            visibility=telling.visibility,
            pack=pack,
            title=seed.title,
            application_type=seed.application_type,
            category=seed.category,
            language=seed.language,
        )


def _validate(file: Path, seed: Seed) -> None:
    if problems := [*_fact_problems(seed), *_slot_problems(seed), *_telling_problems(seed)]:
        raise PackError(f"{file}: " + "; ".join(problems))


def _fact_problems(seed: Seed) -> Iterator[str]:
    if not seed.facts:
        yield "no facts"
    yield from (f"fact {name!r}: it stands there {times} times" for name, times in _repeated(fact.id for fact in seed.facts))
    yield from (f"fact {fact.id!r}: no text" for fact in seed.facts if not fact.text.strip())


def _slot_problems(seed: Seed) -> Iterator[str]:
    if not seed.slots:
        yield "no slots"
    known = {fact.id for fact in seed.facts}
    for number, slot in enumerate(seed.slots):
        problems = [f"unknown fact {fact!r}" for fact in slot.facts if fact not in known]
        problems += faults(slot.check)
        if slot.kind is SlotKind.UNREQUESTED and slot.assertion is not Assertion.NEGATIVE:
            problems.append("a slot of kind unrequested is NEGATIVE")
        yield from (f"slot {number} ({slot.component}): {problem}" for problem in problems)


def _telling_problems(seed: Seed) -> Iterator[str]:
    if not seed.personas:
        yield "no personas"
    for persona, telling in seed.personas.items():
        if len(telling.visibility) != len(seed.slots):
            yield f"{persona}: {len(telling.visibility)} visibility notes for {len(seed.slots)} slots"


def _repeated(ids: Iterable[str]) -> list[tuple[str, int]]:
    return [(name, times) for name, times in Counter(ids).items() if times > 1]
