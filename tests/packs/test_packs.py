"""Task packs: what is read, what is refused and how the refusal reads, and the frozen form."""

import warnings
from pathlib import Path

import pytest

from iwtui import packs, resources
from iwtui.bench.case import Persona, Visibility
from iwtui.packs import PackError, load_pack, load_personas, load_seeds, pack_folder, read_cases, write_cases

PERSONA = 'id = "{id}"\nname = "Somebody"\nrules = "Speak up."\n'
SEED = """
id = "clock"
title = "Clock"
application_type = "Tools"
category = "Content Presentation"

[[facts]]
id = "name"
text = 'Show the heading "Clock".'

[[facts]]
id = "background"
text = "Use beige for the page background."

[[slots]]
component = "Heading"
expected = "The heading reads Clock."
assertion = "POSITIVE"
kind = "content"
c_tech = 1
facts = ["name"]
check = [{ do = "see", role = "heading", name = "^Clock$" }]

[[slots]]
component = "Background"
expected = "The page is beige."
assertion = "POSITIVE"
kind = "style"
c_tech = 2
facts = ["background"]
check = [{ do = "colour", value = "beige" }]

[personas.P-ONE]
instruction = "  Make a clock.  "
visibility = ["missing", "missing"]

[personas.P-TWO]
visibility = ["stated", "stated"]
"""


@pytest.fixture
def pack(tmp_path: Path) -> Path:
    folder = tmp_path / "mine"
    (folder / "personas").mkdir(parents=True)
    for name in ("P-ONE", "P-TWO"):
        (folder / "personas" / f"{name}.toml").write_text(PERSONA.format(id=name))
    (folder / "clock.toml").write_text(SEED)
    return folder


def test_a_seed_makes_one_case_a_persona(pack: Path) -> None:
    told, golden = load_pack(str(pack))
    assert (told.id, golden.id) == ("clock_P-ONE", "clock_P-TWO")
    assert told.instruction == "Make a clock."
    assert golden.instruction == golden.golden == 'Show the heading "Clock". Use beige for the page background.'
    assert told.golden == golden.golden
    assert [slot.facts for slot in told.slots] == [(0,), (1,)]
    assert told.visibility == (Visibility.MISSING,) * 2
    assert (told.pack, told.seed, told.difficulty) == ("mine", "clock", "easy")


def test_a_pack_is_called_as_its_folder_however_the_folder_is_given(pack: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(pack)
    assert {case.pack for case in load_pack(".")} == {"mine"}


def test_a_pack_without_personas_of_its_own_uses_the_shipped_ones(pack: Path) -> None:
    for file in (pack / "personas").iterdir():
        file.unlink()
    (pack / "personas").rmdir()
    assert {"P-MIN", "P-RAM", "P-INT", "P-CON", "P-BASE"} <= set(load_personas(pack))
    with pytest.raises(PackError, match=r"clock\.toml: no persona 'P-ONE'; there are .*P-BASE"):
        load_pack(str(pack))


def test_a_persona_is_of_the_type_that_is_frozen_into_cases(pack: Path) -> None:
    persona = load_personas(pack)["P-ONE"]
    assert persona == Persona(id="P-ONE", name="Somebody", rules="Speak up.")


def test_an_empty_folder_of_personas_is_named(pack: Path) -> None:
    for file in (pack / "personas").iterdir():
        file.unlink()
    with pytest.raises(PackError, match="personas: no persona"):
        load_pack(str(pack))


@pytest.mark.parametrize(
    ("old", "new", "complaint"),
    [
        ('title = "Clock"', 'titel = "Clock"', "titel"),
        ('title = "Clock"', "title = 3", "title"),
        ('id = "background"\n', 'id = "background"\ncolour = "beige"\n', "colour"),
        ('component = "Heading"', 'part = "Heading"', "part"),
        ('{ do = "see", role', '{ do = "see", id = "x", role', "id"),
        ('{ do = "see", role', '{ do = "look", role', "look"),
        (
            '{ do = "see", role = "heading", name = "^Clock$" }',
            '{ do = "click", text = "a" }',
            r"slot 0 \(Heading\): it expects",
        ),
        ('name = "^Clock$"', 'name = "("', r"slot 0 \(Heading\): step 1: '\(' is no regular expression"),
        ('visibility = ["missing", "missing"]', 'visibility = ["missing"]', "P-ONE: 1 visibility notes for 2 slots"),
        ('visibility = ["missing", "missing"]', 'visibility = ["missing", "unseen"]', "unseen"),
        ('facts = ["background"]', 'facts = ["ground"]', r"slot 1 \(Background\): unknown fact 'ground'"),
        ('id = "background"', 'id = "name"', "fact 'name': it stands there 2 times"),
        ('text = "Use beige for the page background."', 'text = " "', "fact 'background': no text"),
        ("c_tech = 2", "c_tech = 4", "4"),
        ('kind = "style"', 'kind = "unrequested"', r"slot 1 \(Background\): a slot of kind unrequested is NEGATIVE"),
        ('id = "clock"', 'id = "../clock"', r"the id '\.\./clock'"),
        ('id = "clock"', 'id = "cl.ock"', r"the id 'cl\.ock'"),
        ("[[facts]]", "[[facts]", "line"),
        ("P-ONE", "P-WHO", "no persona 'P-WHO'; there are P-ONE, P-TWO"),
        ("\n[personas.P-ONE]", "\nnote = " + "[" * 20_000 + "\n[personas.P-ONE]", "recursion"),
    ],
)
def test_a_seed_that_cannot_be_used_is_refused_and_its_file_named(pack: Path, old: str, new: str, complaint: str) -> None:
    assert old in SEED
    (pack / "clock.toml").write_text(SEED.replace(old, new, 1))
    with pytest.raises(PackError, match=rf"{pack}/clock\.toml: .*{complaint}"):
        load_pack(str(pack))


def test_all_faults_of_a_seed_are_told_at_once(pack: Path) -> None:
    (pack / "clock.toml").write_text(SEED.replace('facts = ["', 'facts = ["un').replace('["missing", "missing"]', "[]"))
    with pytest.raises(PackError) as refusal:
        load_seeds(pack)
    assert all(part in str(refusal.value) for part in ("'unname'", "'unbackground'", "0 visibility notes"))


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        (PERSONA.format(id="P-ONE") + 'mood = "sour"\n', "mood"),
        ('id = "P-ONE"\nname = "Somebody"\n', "rules"),
        (PERSONA.format(id="P ONE"), "the id 'P ONE'"),
        (PERSONA.format(id="P-TWO"), "the id 'P-TWO' is taken by"),
        ("rules = \udcff", "utf-8"),
    ],
)
def test_a_persona_that_cannot_be_used_is_refused_and_its_file_named(pack: Path, content: str, complaint: str) -> None:
    bad = pack / "personas" / "P-ZZZ.toml"
    bad.write_bytes(content.encode(errors="surrogateescape"))
    if "taken" not in complaint:
        (pack / "personas" / "P-ONE.toml").unlink()
    with pytest.raises(PackError, match=rf"P-ZZZ\.toml: .*{complaint}"):
        load_personas(pack)


def test_two_seeds_of_one_id_are_refused(pack: Path) -> None:
    (pack / "watch.toml").write_text(SEED)
    with pytest.raises(PackError, match=r"watch\.toml: the id 'clock' is taken by .*clock\.toml"):
        load_seeds(pack)


@pytest.mark.parametrize("name", ["", "no-such-pack", "mine/clock.toml"])
def test_what_is_no_pack_is_refused_with_the_packs_there_are(pack: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.chdir(pack.parent)
    with pytest.raises(PackError, match=r"no pack '.*'; there are .*starter"):
        pack_folder(name)


def test_a_folder_without_seeds_is_no_pack(tmp_path: Path) -> None:
    with pytest.raises(PackError, match="no seed"):
        load_pack(str(tmp_path))


def test_a_users_own_pack_goes_before_a_shipped_one_of_that_name(pack: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    own = pack.rename(pack.with_name("starter"))
    monkeypatch.setattr(packs, "users_own", lambda room: own.parent)
    assert pack_folder("starter") == own
    assert [case.id for case in load_pack("starter")] == ["clock_P-ONE", "clock_P-TWO"]


def test_personas_are_not_offered_as_a_pack() -> None:
    assert "starter" in packs.packs()
    assert "personas" not in packs.packs()


def test_frozen_cases_come_back_as_they_were(pack: Path) -> None:
    cases = load_pack(str(pack))
    frozen = write_cases(cases)
    assert frozen.count(b"\n") == len(cases)
    assert read_cases(frozen) == cases
    assert read_cases(b"") == []


@pytest.mark.parametrize("bad", [b"{}", b"", b'{"id": 3}', b'{"id": "\xff"}', b"[" * 50_000, b"null"])
def test_a_bad_line_of_frozen_cases_is_named_by_its_number(pack: Path, bad: bytes) -> None:
    first, second = write_cases(load_pack(str(pack))).splitlines()
    with pytest.raises(PackError, match="line 2: "):
        read_cases(b"\n".join((first, bad, second)))


def test_every_room_that_ships_is_found() -> None:
    assert (resources.shipped("tasks") / "personas").is_dir()
    assert resources.shipped("storage").is_dir()


def test_a_room_that_an_installation_lacks_is_named() -> None:
    with pytest.raises(FileNotFoundError, match="'cellar'"):
        resources.shipped("cellar")


def test_in_a_wheel_the_data_stand_inside_the_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "iwtui" / "_data" / "cellar").mkdir(parents=True)
    (tmp_path / "cellar").mkdir()
    monkeypatch.setattr(resources, "__file__", str(tmp_path / "iwtui" / "resources.py"))
    assert resources.shipped("cellar") == tmp_path / "iwtui" / "_data" / "cellar"


def test_a_missing_runtime_folder_of_the_system_is_no_cause_for_a_warning(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("XDG_RUNTIME_DIR", raising=False)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        resources.runtime_folder()


def test_a_users_own_folders_bear_the_name_of_the_program() -> None:
    folders = (
        resources.users_own("tasks").parent,
        resources.data_folder(),
        resources.cache_folder(),
        resources.runtime_folder(),
    )
    assert all(folder.name == "iwtui" for folder in folders)
