"""Each kind of fault in a pack is found, and a sound pack has none. The pack is made here."""

import shutil
from pathlib import Path

import pytest

from iwtui.judges.validate import Finding, validate
from iwtui.resources import shipped
from iwtui.web.browser import Browser

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="module")]

SEED = """id = "shop"
title = "Lamp shop"
application_type = "Shops"
category = "Content Presentation"
[[facts]]
id = "name"
text = 'Build a page for the shop "Lamp & Co".'
[[facts]]
id = "count"
text = 'A button "Light" counts its clicks.'
[[slots]]
component = "Name"
expected = "The name is there."
assertion = "POSITIVE"
kind = "content"
c_tech = 1
facts = ["name"]
check = [{ do = "see", role = "heading", text = "Lamp & Co" }]
[[slots]]
component = "Counter"
expected = "Clicks are counted."
assertion = "POSITIVE"
kind = "interaction"
c_tech = 2
facts = ["count"]
check = [{ do = "click", role = "button", name = "Light" }, { do = "matches", pattern = "1 click" }]
[personas.P-BASE]
visibility = ["stated", "stated"]
"""
REFERENCE = """<!doctype html><body><p>Welcome</p><!-- fact name --><h1>Lamp &amp; Co</h1><!-- /fact name -->
<!-- fact count --><button id=b>Light</button><p id=n></p><!-- /fact count -->
<script>
/* fact count */ let n = 0; b.onclick = () => { document.querySelector("#n").textContent = ++n + " click" };
/* /fact count */
</script>"""
READING = """[[slots]]
component = "Name"
passed = true
[[slots]]
component = "Counter"
passed = true
"""


@pytest.fixture
def pack(tmp_path: Path) -> Path:
    folder = tmp_path / "lamps"
    sites = folder / "sites" / "shop"
    (sites / "second").mkdir(parents=True)
    (folder / "shop.toml").write_text(SEED)
    (sites / "reference.html").write_text(REFERENCE)
    (sites / "second" / "index.html").write_text(REFERENCE)
    (sites / "reading.toml").write_text(READING)
    return folder


async def texts(pack: Path, browser: Browser) -> list[str]:
    return [finding.text for finding in await validate(pack, browser, lambda said: None)]


def edit(file: Path, old: str, new: str) -> None:
    text = file.read_text()
    assert old in text
    file.write_text(text.replace(old, new))


async def test_a_sound_pack_has_no_findings_and_tells_what_is_done(pack: Path, browser: Browser) -> None:
    told: list[str] = []
    assert await validate(pack, browser, told.append) == []
    assert told == [
        "shop: the reference site",
        "shop: the reference site without name",
        "shop: the reference site without count",
        "shop: the second site",
    ]


async def test_a_seed_that_does_not_decode_is_one_finding(pack: Path, browser: Browser) -> None:
    edit(pack / "shop.toml", 'kind = "content"', 'kind = "contents"')
    found = await validate(pack, browser, lambda said: None)
    assert [finding.severity for finding in found] == ["error"]
    assert "shop.toml" in found[0].text


async def test_facts_that_a_slot_names_wrongly_and_disagreements_are_found(pack: Path, browser: Browser) -> None:
    edit(pack / "shop.toml", 'facts = ["name"]', 'facts = ["name", "count"]')
    edit(pack / "shop.toml", 'facts = ["count"]', "facts = []")
    edit(pack / "shop.toml", "[personas.P-BASE]", "[personas.P-MIN]")
    edit(pack / "sites/shop/second/index.html", "++n", "n")
    found = iter(await texts(pack, browser))
    for expected in (
        "P-MIN: 15 words, not 4 to 8",
        "without the fact 'count', slot 1 (Name) still passes",
        "without the fact 'count', slot 2 (Counter) fails though it does not name it",
        "a disagreement that reading.toml does not list: slot 2 (Counter): the check says failed",
        "agree on 50% of the slots",
    ):
        assert expected in next(found)
    assert list(found) == []


async def test_a_reference_that_fails_and_an_unmarked_fact_are_found(pack: Path, browser: Browser) -> None:
    edit(pack / "sites/shop/reference.html", '" click"', '" times"')
    edit(pack / "sites/shop/reference.html", "fact name", "fact named")
    edit(pack / "sites/shop/reading.toml", READING, 'disagreements = [{ slot = 1, why = "x" }]\n' + READING)
    found = iter(await texts(pack, browser))
    for expected in (
        "the reference site has no part marked as fact 'name'",
        'the reference site fails slot 2 (Counter): the text "1 click" is not to be seen',
        "reading.toml lists a disagreement about slot 1, but there is none",
    ):
        assert expected in next(found)
    assert list(found) == []


@pytest.mark.parametrize(
    ("old", "new", "finding"),
    [
        ('"Counter"', '"Count"', "the reading by hand does not list the seed's slots in their order"),
        ("passed = true", 'passed = "yes"', "no reading by hand of the second site"),
    ],
)
async def test_a_reading_that_cannot_be_used_is_a_finding(
    pack: Path, browser: Browser, old: str, new: str, finding: str
) -> None:
    (pack / "sites/shop/reference.html").unlink()
    edit(pack / "sites/shop/reading.toml", old, new)
    assert finding in (await texts(pack, browser))[-1]


async def test_missing_sites_are_findings(pack: Path, browser: Browser) -> None:
    shutil.rmtree(pack / "sites")
    assert await texts(pack, browser) == [
        "no readable reference site at sites/shop/reference.html",
        "no second site at sites/shop/second/index.html",
    ]


@pytest.mark.soak
async def test_the_starter_pack_is_sound(browser: Browser) -> None:
    assert await validate(shipped("tasks") / "starter", browser, lambda said: None) == list[Finding]()
