"""`iwtui export`, `iwtui import` of a bundle and `iwtui compact`: what they say, how they end, what they write."""

import csv
import io
import json
import zipfile
from html.parser import HTMLParser
from pathlib import Path

import duckdb
import pytest
from PIL import Image

from iwtui.archive.store import Store
from iwtui.cli.export import FORMATS
from iwtui.cli.html import gathering, pictures
from tests.cli.scribe import Command, Scribe, add_whole
from tests.support.hostile import HOSTILE, hostile_store
from tests.support.stores import make_case, make_run, make_store, play

OUTPUTS = {
    "bundle": "out.zip",
    "interactweb": "folder",
    "parquet": "tables",
    "csv": "tables",
    "json": "out.json",
    "html": "out.html",
    "rl": "out.jsonl",
}
SECRET = "gh" + "p_" + "Ab3" * 12


@pytest.mark.parametrize("form", FORMATS)
def test_every_format_is_written_and_said(iwtui: Command, told: str, tmp_path: Path, form: str) -> None:
    done = iwtui("export", "first", "--format", form, "-o", str(tmp_path / OUTPUTS[form]))
    assert done.exit_code == 0, done.output
    assert done.stdout == f"first as {form}: {tmp_path / OUTPUTS[form]}\n"
    assert (tmp_path / OUTPUTS[form]).exists()
    again = iwtui("export", "first", "--format", form, "-o", str(tmp_path / "again"), "--json")
    about = json.loads(again.stdout)
    assert (about["run"], about["format"], about["secrets"]) == ("first", form, 0)
    assert not list(tmp_path.glob(".*-*"))


@pytest.mark.parametrize("name", ["out.zip", "out.html", "out.json", "out.jsonl"])
def test_the_name_of_the_file_says_the_format(iwtui: Command, told: str, tmp_path: Path, name: str) -> None:
    done = iwtui("export", "last", "-o", str(tmp_path / name))
    assert done.exit_code == 0 and (tmp_path / name).stat().st_size > 500


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (("export", "first", "-o", "x"), 2, "--format"),
        (("export", "nothing", "-o", "x.zip"), 3, "no run"),
        (("export", "first", "-o", "."), 2, "--format"),
        (("export", "first", "--format", "bundle", "-o", "."), 2, "is a folder"),
        (("export", "first", "--format", "csv", "-o", "full"), 2, "new or empty"),
        (("export", "first", "--format", "csv", "-o", "missing/deep"), 2, "cannot be written"),
        (("export", "first", "-o", "missing/x.zip"), 2, "cannot be written"),
        (("import", "broken.zip"), 2, "nothing was imported"),
        (("import", "other.zip"), 2, "no bundle of this program"),
        (("import", "other.zip", "--tasks", "full/file"), 2, "brings its own cases"),
    ],
)
def test_wrong_uses_are_answered_and_write_nothing(
    iwtui: Command, told: str, tmp_path: Path, arguments: tuple[str, ...], code: int, said: str
) -> None:
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "file").write_text("kept")
    (tmp_path / "broken.zip").write_bytes(b"PK\x03\x04 and no more")
    with zipfile.ZipFile(tmp_path / "other.zip", "w") as archive:
        archive.writestr("hello.txt", "hello")
    before = {path for path in tmp_path.rglob("*") if "duckdb" not in path.name}
    done = iwtui(*arguments)
    assert done.exit_code == code and said in done.stderr, done.output
    assert {path for path in tmp_path.rglob("*") if "duckdb" not in path.name} - before <= {tmp_path / "cache"}


@pytest.mark.parametrize("form", FORMATS)
def test_a_secret_is_refused_in_every_format_unless_it_is_allowed(
    iwtui: Command, scribe: Scribe, tmp_path: Path, form: str
) -> None:
    add_whole(scribe, "first", f" {SECRET} ")
    output = tmp_path / OUTPUTS[form]
    done = iwtui("export", "first", "--format", form, "-o", str(output))
    assert done.exit_code == 2 and not output.exists()
    assert "episodes/" in done.stderr and "GitHub" in done.stderr and SECRET[:12] not in done.output
    allowed = iwtui("export", "first", "--format", form, "-o", str(output), "--allow-secrets")
    assert allowed.exit_code == 0 and output.exists() and "as you allowed" in allowed.stderr


def test_a_key_of_the_environment_is_found(
    iwtui: Command, scribe: Scribe, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SOME_LAB_API_KEY", "plain-words-only")
    add_whole(scribe, "first", " plain-words-only ")
    done = iwtui("export", "first", "-o", str(tmp_path / "x.zip"))
    assert done.exit_code == 2 and "SOME_LAB_API_KEY" in done.stderr and "plain-words-only" not in done.output


def test_a_bundle_goes_round(iwtui: Command, told: str, tmp_path: Path) -> None:
    iwtui("export", "first", "-o", str(tmp_path / "x.zip"))
    other = ("--store", str(tmp_path / "other"))
    done = iwtui("import", str(tmp_path / "x.zip"), *other)
    assert done.exit_code == 0 and done.stdout.startswith("run first: ") and "blobs" in done.stdout
    assert "there already" in iwtui("import", str(tmp_path / "x.zip"), *other).stdout
    again = json.loads(iwtui("import", str(tmp_path / "x.zip"), "--json", *other).stdout)
    assert (again["run"], again["added"], again["blobs"]) == ("first", False, 0)
    for command in (("report", "first"), ("show", told, "--json"), ("show", told)):
        assert iwtui(*command, *other).stdout == iwtui(*command).stdout
    make_run(Store(tmp_path / "third"), "first", [make_case()])
    apart = iwtui("import", str(tmp_path / "x.zip"), "--store", str(tmp_path / "third"))
    assert apart.exit_code == 0 and "kept apart" in apart.stderr


@pytest.mark.parametrize("command", ["resume", "retry"])
def test_a_run_from_elsewhere_sends_no_key_to_whom_it_names(
    iwtui: Command, scribe: Scribe, tmp_path: Path, command: str
) -> None:
    folder = make_run(scribe.store, "theirs", [make_case()], builders=["openai/theirs"])
    plan = json.loads((folder.path / "run.json").read_text())
    plan["settings"] = {"roles": {"builder": {"parameters": {"api_base": "http://evil.example/v1"}}}}
    (folder.path / "run.json").write_text(json.dumps(plan))
    play(folder, make_case(), builder="openai/theirs", end=("infra", "model"))
    iwtui("export", "theirs", "-o", str(tmp_path / "x.zip"))
    other = ("--store", str(tmp_path / "other"))
    assert iwtui("import", str(tmp_path / "x.zip"), *other).exit_code == 0
    done = iwtui(command, "theirs", *other)
    assert done.exit_code == 2 and "came in a bundle" in done.stderr and "run.json" in done.stderr
    assert len(Store(tmp_path / "other").run("theirs").episodes()) == 1


def test_csv_tells_null_from_an_empty_text(iwtui: Command, told: str, tmp_path: Path) -> None:
    iwtui("export", "first", "--format", "csv", "-o", str(tmp_path / "tables"))
    text = (tmp_path / "tables" / "verdicts.csv").read_text()
    rows = list(csv.DictReader(io.StringIO(text)))
    assert [row["verdict"] for row in rows] == ["passed", "failed", "unobserved"]
    with duckdb.connect() as con:
        query = (
            f"SELECT slot, reason, evidence_event FROM read_csv('{tmp_path}/tables/verdicts.csv', header = true) ORDER BY 1"
        )
        found = con.execute(query).fetchall()
        files = f"SELECT reason, path FROM read_csv('{tmp_path}/tables/files.csv', header = true)"
        reasons = {path: reason for reason, path in con.execute(files).fetchall()}
    assert found == [(0, "The heading says Crumb.", 1), (1, "There is no search box.", 3), (2, None, None)]
    assert reasons == {"index.html": None, "../x": "outside"}
    steps = (tmp_path / "tables" / "browser_steps.csv").read_text()
    assert ',"",' in steps and ",," in steps


def test_json_has_every_table_with_null_as_null(iwtui: Command, told: str, tmp_path: Path) -> None:
    done = json.loads(iwtui("export", "first", "-o", str(tmp_path / "x.json"), "--json").stdout)
    whole = json.loads((tmp_path / "x.json").read_text())
    assert whole["run"] == "first"
    assert {name: len(rows) for name, rows in whole["tables"].items()} == done["rows"]
    assert whole["tables"]["verdicts"][2]["reason"] is None
    described = json.loads(iwtui("sql", "describe turns", "--format", "json").stdout)
    assert list(whole["tables"]["turns"][0]) == [row["column_name"] for row in described]


class Tags(HTMLParser):
    """What a page would load, run or lead to."""

    def __init__(self) -> None:
        super().__init__()
        self.names: set[str] = set()
        self.attributes: set[str] = set()
        self.addresses: list[str] = []
        self.text: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.names.add(tag)
        self.attributes |= {name for name, _ in attrs}
        self.addresses += [value or "" for name, value in attrs if name in ("href", "src", "srcset", "action", "data")]

    def handle_data(self, data: str) -> None:
        self.text.append(data)


MARKUP = "<script>alert(1)</script><img src=http://evil/x onerror=alert(1)>\"'></style><svg onload=x>{{ 7 * 7 }}{% raw %}"


def page_of(text: str) -> Tags:
    tags = Tags()
    tags.feed(text)
    return tags


def words_of(file: Path) -> str:
    """All that a page says, on one line."""
    return " ".join(" ".join(page_of(file.read_text()).text).split())


def test_text_of_others_is_no_markup_in_the_page(iwtui: Command, scribe: Scribe, tmp_path: Path) -> None:
    add_whole(scribe, "first", MARKUP)
    iwtui("export", "first", "-o", str(tmp_path / "x.html"))
    text = (tmp_path / "x.html").read_text()
    tags = page_of(text)
    assert not tags.names & {"script", "svg", "iframe", "object", "embed", "link", "base", "form", "input"}
    assert not {name for name in tags.attributes if name.startswith("on")}
    assert all(address.startswith(("#", "data:image/webp;base64,")) for address in tags.addresses)
    assert "http://evil/x" in "".join(tags.text) and "{{ 7 * 7 }}" in "".join(tags.text)
    assert "default-src 'none'; img-src data:; style-src 'unsafe-inline'" in text


def test_control_characters_are_shown_and_not_sent(iwtui: Command, tmp_path: Path) -> None:
    hostile_store(tmp_path / "hostile")
    store = ("--store", str(tmp_path / "hostile"))
    for form in ("html", "json", "csv", "rl"):
        done = iwtui("export", "first", "--format", form, "-o", str(tmp_path / OUTPUTS[form]), *store)
        assert done.exit_code == 0, done.output
    written = [tmp_path / "out.html", tmp_path / "out.json", tmp_path / "out.jsonl", *(tmp_path / "tables").iterdir()]
    for file in written:
        raw = {char for char in file.read_text() if char in HOSTILE and not char.isprintable() and char not in "\n‍"}
        assert not raw, file
    assert "␛]52" in (tmp_path / "out.html").read_text()
    assert "\\u001b]52" in (tmp_path / "out.jsonl").read_text()


def test_the_page_tells_what_was_run_and_what_failed(iwtui: Command, told: str, tmp_path: Path) -> None:
    iwtui("export", "first", "-o", str(tmp_path / "x.html"))
    text = words_of(tmp_path / "x.html")
    assert "scripted: the agents of this run are scripts" in text
    assert "✗ failed · Search slot 2" in text and "There is no search box." in text and "expected: narrows the list" in text
    assert "? unobserved · Extra slot 3" in text and "no word on it" in text
    assert "Which colour?" in text and "Ivory." in text and "failed: It does not narrow." in text
    assert "P-MIN" in text and "easy" in text


def test_every_outcome_stands_in_the_page_and_unknown_is_no_zero(iwtui: Command, tmp_path: Path) -> None:
    make_store(tmp_path / "made")
    done = iwtui("export", "policies", "-o", str(tmp_path / "x.html"), "--json", "--store", str(tmp_path / "made"))
    assert json.loads(done.stdout)["episodes"] == 10
    text = words_of(tmp_path / "x.html")
    assert "scripted/blind 6 1 1 1 1 10" in text
    assert "TCR, n 7" in text and "68.9 %" in text
    assert "bakery4_P-MIN.scripted-blind.r1.a1 C M ! infra model — — —" in text
    assert "bakery7_P-MIN.scripted-blind.r1.a1 C I V S ■ scored 100.0" in text


def test_a_fork_has_a_page_of_its_own(iwtui: Command, tmp_path: Path) -> None:
    make_store(tmp_path / "made")
    done = iwtui("export", "fork", "-o", str(tmp_path / "x.html"), "--json", "--store", str(tmp_path / "made"))
    assert json.loads(done.stdout)["episodes"] == 1
    assert "run of kind fork" in (tmp_path / "x.html").read_text()


def test_a_run_in_which_nothing_was_played_has_a_page(iwtui: Command, scribe: Scribe, tmp_path: Path) -> None:
    make_run(scribe.store, "empty", [make_case()])
    for form in FORMATS:
        done = iwtui("export", "empty", "--format", form, "-o", str(tmp_path / f"of-{form}"))
        assert done.exit_code == 0, done.output


def with_pictures(store: Store, number: int) -> None:
    """A judged episode of which every slot failed, each with a picture of its own."""
    from tests.support.stores import F, judge

    case = make_case()
    folder = make_run(store, "pictures", [case])
    name = play(folder, case)
    judge(folder, name, (F, F, F, F))
    log = folder.judging_log(name, "checks")
    lines = log.read_bytes().splitlines(keepends=True)
    for place, line in enumerate(lines):
        if b"BrowserStepped" in line:
            made = io.BytesIO()
            Image.effect_noise((1280, 800), 60 + place).save(made, "PNG")
            picture = store.blobs.put(made.getvalue() if place < 2 * number else b"no picture")
            lines[place] = line.rstrip(b"}\n") + b',"picture":"%s"}\n' % picture.encode()
    log.write_bytes(b"".join(lines))


def test_pictures_are_small_and_the_page_is_bounded(
    iwtui: Command, scribe: Scribe, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with_pictures(scribe.store, 3)
    whole = json.loads(iwtui("export", "pictures", "-o", str(tmp_path / "x.html"), "--json").stdout)
    text = (tmp_path / "x.html").read_text()
    assert text.count("data:image/webp;base64,") == 3 and 'width="560" height="350"' in text
    assert "the picture cannot be read" in text and whole["pictures_left_out"] == 0
    monkeypatch.setattr(pictures.Pictures.__init__, "__defaults__", (whole["bytes"] // 2,))
    less = json.loads(iwtui("export", "pictures", "-o", str(tmp_path / "y.html"), "--json").stdout)
    assert 0 < less["pictures_left_out"] < 3 and less["bytes"] < whole["bytes"]
    assert "pictures are left out, as the page would be too large" in (tmp_path / "y.html").read_text()


def test_what_a_page_has_no_room_for_is_counted(iwtui: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make_store(tmp_path / "made")
    monkeypatch.setattr(gathering, "MAX_FAILED", 2)
    monkeypatch.setattr(gathering, "MAX_TOLD", 3)
    monkeypatch.setattr(gathering, "MAX_TEXT", 10)
    done = iwtui("export", "policies", "-o", str(tmp_path / "x.html"), "--json", "--store", str(tmp_path / "made"))
    about = json.loads(done.stdout)
    assert (about["slots_left_out"], about["episodes_not_told"]) == (3, 7)
    text = (tmp_path / "x.html").read_text()
    assert "3 more slots did not pass" in text and "7 more episodes are not told" in text and "the beginning of" in text


def test_compact_says_what_it_gave_back(iwtui: Command, told: str, scribe: Scribe) -> None:
    scribe.store.blobs.put(b"x" * 3_000_000)
    done = iwtui("compact")
    assert done.exit_code == 0 and done.stdout.startswith("3.0 MB given back (1 blob, 0 leavings")
    assert json.loads(iwtui("compact", "--json").stdout)["blobs"] == 0
    folder = scribe.store.run("first")
    with folder.record_episode(folder.episodes()[0]):
        busy = iwtui("compact")
    assert busy.exit_code == 1 and "run again" in busy.stderr
    assert iwtui("compact", "--store", "nowhere").exit_code == 0
