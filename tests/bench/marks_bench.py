"""Marks on 5,000 elements of a long page in one pass, beside the comparison of all pairs that such scripts often make."""

import asyncio
import statistics
import tempfile
import time
from pathlib import Path

from playwright.async_api import Page

from iwtui.web.browser import Browser
from iwtui.web.chromium import find
from iwtui.web.static import StaticSite

ELEMENTS = 5_000

_PAGE = "<!doctype html><title>long</title>" + "".join(
    f"<div class=row><a href='#{n}'>link {n}</a> <button>button {n}</button> <span>text {n}</span></div>"
    for n in range(ELEMENTS // 4)
)

_CONTAINS = """() => {
  const all = [...document.querySelectorAll('*')];
  return all.filter((outer) => !all.some((inner) => inner !== outer && outer.contains(inner))).length;
}"""
"""The innermost elements, by asking each whether it contains each."""

_ALL_PAIRS = """() => {
  const all = [...document.querySelectorAll('*')].map((element) => ({element, box: element.getBoundingClientRect()}));
  let free = 0;
  for (const {element, box} of all) {
    const x = box.left + box.width / 2, y = box.top + box.height / 2;
    let below = 0;
    for (const other of all) {
      if (other.element === element || other.element.contains(element) || element.contains(other.element)) continue;
      if (other.box.left < x && x < other.box.right && other.box.top < y && y < other.box.bottom) below++;
    }
    if (!below) free++;
  }
  return free;
}"""
"""Which elements can be hit at their centre, by comparing each with each: is it around it, inside it, or on top of it?"""


def bench() -> dict[str, float]:
    """Milliseconds of each way, with the way to the browser and back, and how many times faster one pass is."""
    return asyncio.run(_measure())


async def _measure() -> dict[str, float]:
    chromium = find()
    if chromium is None:
        raise RuntimeError("no Chromium: run `iwtui setup`")
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "index.html").write_text(_PAGE)
        async with StaticSite(Path(folder)) as site, Browser.launch(chromium) as browser, browser.page(site.url) as page:
            await page.open("/")
            took = []
            for _ in range(5):
                begun = time.perf_counter()
                marks = await page.marks()
                took.append((time.perf_counter() - begun) * 1000)
            all_pairs, contains = [await _timed(page.raw, script) for script in (_ALL_PAIRS, _CONTAINS)]
            assert marks.marks
    one_pass = statistics.median(took)
    return {
        "elements": ELEMENTS,
        "marks": len(marks.marks),
        "marks_ms": one_pass,
        "all_pairs_ms": all_pairs,
        "contains_ms": contains,
        "ratio": all_pairs / one_pass,
    }


async def _timed(page: Page, script: str) -> float:
    begun = time.perf_counter()
    assert await page.evaluate(script) > ELEMENTS / 2
    return (time.perf_counter() - begun) * 1000
