"""Acting on a page as a person would: real pointer and keyboard events, and afterwards a look whether they arrived."""

from playwright.async_api import Error as PlaywrightError

from iwtui.bench.text import one_line
from iwtui.web.marks import Mark
from iwtui.web.tab import Tab

MAX_TYPED = 2_000
"""Characters of one typing."""
DIRECTIONS = ("up", "down", "left", "right", "top", "bottom")

_ACTING = 4.0
_TYPING = 8.0
_NO_EVENT = "no event reached it"
_GONE = "not there any more"


async def click(tab: Tab, mark: Mark) -> str:
    """Click the element where it is now. An element on the move is waited for, a second at most."""
    where = await tab.call("locate", mark.key, *_spot(mark))
    if where["gone"]:
        return _GONE
    if where["disabled"]:
        return f"{_NO_EVENT}: it is disabled"
    if where["point"] is None:
        return f"{_NO_EVENT}: {one_line(where['cover'])} covers it"
    if not await tab.call("arm", mark.key):
        return _GONE
    url = tab.page.url
    await tab.bounded("click", tab.page.mouse.click(where["point"]["x"], where["point"]["y"]), _ACTING)
    try:
        came = await tab.call("report")
    except PlaywrightError:
        came = None
    if came is None or came["reached"] or tab.page.url != url:  # a new document knows nothing of the click that led to it
        return "clicked"
    return f"{_NO_EVENT}: {one_line(came['other'])} took it" if came["other"] else _NO_EVENT


async def click_at(tab: Tab, x: float, y: float) -> str:
    """Click a point of the view."""
    size = tab.page.viewport_size
    if size and not (0 <= x < size["width"] and 0 <= y < size["height"]):
        return f"outside the view, which is {size['width']} × {size['height']}"
    await tab.bounded("click", tab.page.mouse.click(x, y), _ACTING)
    return "clicked"


async def type_text(tab: Tab, mark: Mark, text: str, enter: bool) -> str:
    """Replace what the field holds."""
    kind = await tab.call("field", mark.key)
    if kind in ("gone", "none"):
        return _GONE if kind == "gone" else "it takes no text"
    text, cut = text[:MAX_TYPED], len(text) > MAX_TYPED
    if kind == "picked":
        await tab.call("put", mark.key, text)
    else:
        clicked = await click(tab, mark)
        if clicked != "clicked":
            return clicked
        await tab.call("focus", mark.key)
        await tab.bounded("typing", _replace(tab, text), _TYPING)
    value = await tab.call("value", mark.key)
    if enter:
        await tab.bounded("Enter", tab.page.keyboard.press("Enter"), _ACTING)
    said = f"typed the first {MAX_TYPED} characters" if cut else "typed"
    if value is None or value.strip() == text.strip():
        return said
    return f'{said}, but the field holds "{one_line(value)}"'


async def key(tab: Tab, name: str) -> str:
    """Press a key or a combination."""
    try:
        await tab.bounded("key", tab.page.keyboard.press(name), _ACTING)
    except PlaywrightError as error:
        if "Unknown key" in error.message:
            return f"there is no key {one_line(name, 40)!r}"
        raise
    return f"pressed {one_line(name, 40)}"


async def scroll(tab: Tab, direction: str) -> str:
    """Scroll what is in the middle of the view, else the page; turn the wheel where nothing scrolls."""
    if direction not in DIRECTIONS:
        return f"there is no direction {one_line(direction, 40)!r}: use one of {', '.join(DIRECTIONS)}"
    if await tab.call("scroll", direction):
        return f"scrolled {direction}"
    if direction in ("up", "down"):  # a canvas or a script may answer to the wheel alone
        size = tab.page.viewport_size or {"width": 1280, "height": 800}
        await tab.bounded(
            "wheel", _turn(tab, size["width"] / 2, size["height"] / 2, 400 if direction == "down" else -400), _ACTING
        )
    return "nothing scrolled: it is at its end"


async def select(tab: Tab, mark: Mark, option: str) -> str:
    """Choose an option of a select."""
    came = await tab.call("choose", mark.key, option[:MAX_TYPED])
    if came.get("gone"):
        return _GONE
    if not came["select"]:
        return "it is no list of options"
    if came.get("disabled"):
        return "that option is disabled"
    if "chosen" in came:
        return f'selected "{one_line(came["chosen"])}"'
    return f"no such option; it offers {', '.join(repr(one_line(label, 40)) for label in came['offers'])}"


async def back(tab: Tab) -> str:
    """One page back in the tab's own history."""
    if not await has_past(tab):
        return "there is nothing to go back to"
    await tab.bounded("going back", tab.page.go_back(wait_until="commit", timeout=_ACTING * 1000), _ACTING + 1)
    return "went back"


async def has_past(tab: Tab) -> bool:
    """Whether the tab showed another page before this one; the blank page that each begins with is none."""
    history = await tab.send("Page.getNavigationHistory", {}, _ACTING)
    return any(entry["url"] != "about:blank" for entry in history["entries"][: history["currentIndex"]])


async def wait(tab: Tab, quiet: int, most: int, patience: int) -> str:
    """Let the page work: until it is quiet for so many milliseconds, at most so many."""
    await tab.call("settle", quiet, most, patience, seconds=max(most, patience) / 1000 + 2)
    return "waited"


def _spot(mark: Mark) -> tuple[float, float]:
    """The mark's point as shares of its box."""
    return (mark.cx - mark.x) / max(mark.width, 1), (mark.cy - mark.y) / max(mark.height, 1)


async def _replace(tab: Tab, text: str) -> None:
    await tab.page.keyboard.press("ControlOrMeta+A")
    if text:
        await tab.page.keyboard.type(text)
    else:
        await tab.page.keyboard.press("Delete")


async def _turn(tab: Tab, x: float, y: float, delta: float) -> None:
    await tab.page.mouse.move(x, y)
    await tab.page.mouse.wheel(0, delta)
