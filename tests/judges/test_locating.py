"""The same target is found however its author wrote it in HTML."""

from collections.abc import Awaitable, Callable

import pytest

from iwtui.bench.checks import Click, Count, Fill, Gone, Matches, See

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="module")]

Look = Callable[..., Awaitable[str]]


ECHO = "<output id=said></output><script>function say(text) { said.textContent = 'said: ' + text }</script>"


def typed(field: str) -> str:
    """A form with one other field, then the field, whose text is echoed."""
    return f"<p>Hello</p><label>Town <input></label>{field}{ECHO}<script>what.oninput = () => say(what.value)</script>"


@pytest.mark.parametrize(
    "field",
    [
        "<label>Tool name <input id=what></label>",
        "<label for=what>Tool</label> <input id=what>",
        "<input id=what placeholder='Tool'>",
        "<input id=what aria-label='Tool'>",
        "<span id=l>The tool</span><input id=what aria-labelledby=l>",
        "<input id=what title='Tool'>",
        "<div><span>Tool</span></div><div><input id=what></div>",
        "<label>Tool<textarea id=what></textarea></label>",
        "<label>Tool<input id=what list=some></label><datalist id=some><option>Saw</datalist>",
    ],
)
async def test_a_field_is_found_by_whatever_tells_what_it_is_for(look: Look, field: str) -> None:
    fault = await look(typed(field), Fill(role="textbox", label="tool", value="Saw"), Matches(pattern="said: Saw"))
    assert not fault, fault


@pytest.mark.parametrize(
    "field",
    [
        "<input type=search id=what>",
        "<input id=what placeholder='Type to find a bread'>",
        "<input id=what role=searchbox>",
        "<label>Filter <input id=what></label>",
    ],
)
async def test_a_search_box_is_one_however_it_is_written(look: Look, field: str) -> None:
    fault = await look(typed(field), Fill(role="searchbox", value="Rye"), Matches(pattern="said: Rye"))
    assert not fault, fault


async def test_the_only_text_field_is_the_search_box(look: Look) -> None:
    body = f"<input id=what>{ECHO}<script>what.oninput = () => say(what.value)</script>"
    assert await look(body, Fill(role="searchbox", value="Rye"), Matches(pattern="said: Rye")) == ""


ROW = "<tr><td>{0}</td><td>Ada</td><td><button onclick=\"say('{0}')\">Borrow</button></td></tr>"
LI = "<li><b>{0}</b> <button onclick=\"say('{0}')\">Borrow</button></li>"
CARD = "<div><div>{0}</div><div><button onclick=\"say('{0}')\">Borrow</button></div></div>"
CLASSED = (
    "<div class=card><div class=name>{0}</div><div class=act>"
    "<span onclick=\"say('{0}')\" style='cursor:pointer'>Borrow</span></div></div>"
)


@pytest.mark.parametrize(
    ("before", "item", "after"),
    [
        ("<table><tr><th>Tool<th>Owner<th></tr>", ROW, "</table>"),
        ("<ul>", LI, "</ul>"),
        ("<section>", CARD, "</section>"),
        ("<main>", CLASSED, "</main>"),
    ],
)
async def test_within_is_the_item_with_that_text(look: Look, before: str, item: str, after: str) -> None:
    items = "".join(item.format(name) for name in ("Saw", "Drill", "Lathe"))
    fault = await look(
        f"{before}{items}{after}{ECHO}", Click(role="button", name="borrow", within="Drill"), Matches(pattern="said: Drill")
    )
    assert not fault, fault


@pytest.mark.parametrize(
    ("before", "item", "after"),
    [("<table>", ROW, "</table>"), ("<ul>", LI, "</ul>"), ("<section>", CARD, "</section>"), ("<main>", CLASSED, "</main>")],
)
@pytest.mark.parametrize("left", [("Saw", "Lathe"), ("Saw",)])
async def test_what_stands_in_another_item_is_not_within(
    look: Look, before: str, item: str, after: str, left: tuple[str, ...]
) -> None:
    """The wanted item lost its button (it is on loan), others have theirs."""
    lost = item.format("Drill").replace("Borrow", "")
    lost = (
        lost.replace("<button ", "<i ")
        .replace("</button>", "on loan</i>")
        .replace("cursor:pointer", "")
        .replace("onclick", "title")
    )
    body = before + lost + "".join(item.format(name) for name in left) + after + ECHO
    fault = await look(body, Gone(role="button", name="borrow", within="Drill"))
    assert not fault, fault


@pytest.mark.parametrize(
    ("body", "passed"),
    [
        ("<h1>Crumb</h1><h2>Breads</h2>", True),
        ("<h1>Fresh bread</h1><footer><h2>Crumb</h2></footer>", False),
        ("<h2 style='font-size:50px'>Crumb</h2><h2>Breads</h2>", True),
        ("<h2>Breads</h2><h3 style='font-size:12px'>Crumb</h3>", False),
        ("<div role=heading aria-level=1>Crumb</div>", True),
        ("<p style='font-size:60px'>Crumb</p>", False),
        ("<h1 style='display:none'>Crumb</h1><h2>Breads</h2>", False),
        ("<h1><img alt='Crumb' width=50 height=50></h1>", False),
    ],
)
async def test_the_main_heading_is_the_first_or_the_largest(look: Look, body: str, passed: bool) -> None:
    assert (await look(body, See(role="heading", level=1, text="Crumb")) == "") == passed


@pytest.mark.parametrize(
    "head",
    [
        "<th onclick=say('sorted')>Tool</th>",
        "<th style='width:900px'><button onclick=say('sorted')>Tool &#9650;</button></th>",
        "<th><a href=# onclick=\"say('sorted'); return false\">Tool</a></th>",
        "<th scope=col style='cursor:pointer' onclick=say('sorted')>&#8693; Tool</th>",
    ],
)
async def test_a_column_header_is_clicked_where_it_listens(look: Look, head: str) -> None:
    body = f"<table style='width:1000px'><tr>{head}<th>Owner</th></tr><tr><td>Tool<td>Ada</tr></table>{ECHO}"
    fault = await look(body, Click(role="columnheader", name=r"^\W*Tool"), Matches(pattern="said: sorted"))
    assert not fault, fault


async def test_rows_with_only_headers_and_footers_are_no_items(look: Look) -> None:
    table = "<table><thead><tr><th>A<th>B</tr></thead><tr><td>1<td>2<tr><td>3<td>4<tfoot><tr><td>sum<td>6</tfoot></table>"
    rows = "".join(f"<div role=row><b role={role}>x</b></div>" for role in ("columnheader", "cell", "cell"))
    grid = f"<div role=table>{rows}</div>"
    for body in (table, grid):
        fault = await look(body, See(role="table"), Count(role="row", least=2, most=2))
        assert not fault, fault


async def test_nested_items_count_once_and_hidden_ones_not_at_all(look: Look) -> None:
    body = "<ul><li><article>One</article></li><li><article>Two</article></li><li hidden><article>Three</article></li></ul>"
    assert await look(body, Count(role=("listitem", "article"), least=2, most=2)) == ""


@pytest.mark.parametrize(
    "hide",
    ["display:none", "visibility:hidden", "opacity:0", "position:absolute;left:-9999px", "width:0;height:0;overflow:hidden"],
)
async def test_what_cannot_be_seen_is_not_there(look: Look, hide: str) -> None:
    body = f"<p>Page</p><div style='{hide}'><button style='opacity:inherit'>Borrow</button></div>"
    if hide.startswith("width"):
        body = f"<p>Page</p><button style='{hide};border:0;padding:0'>Borrow</button>"
    assert await look(body, Gone(role="button", name="Borrow")) == ""


async def test_an_open_shadow_root_is_part_of_the_page(look: Look) -> None:
    body = f"""<x-row></x-row>{ECHO}<script>
      customElements.define("x-row", class extends HTMLElement {{
        connectedCallback() {{
          const root = this.attachShadow({{mode: "open"}});
          root.innerHTML = "<button>Borrow</button><p>3 tools</p>";
          root.firstChild.onclick = () => say("clicked");
        }}
      }})</script>"""
    fault = await look(
        body, Matches(pattern="3 tools"), Click(role="button", name="Borrow"), Matches(pattern="said: clicked")
    )
    assert not fault, fault


async def test_a_checkbox_drawn_by_its_label_is_clicked_through_it(look: Look) -> None:
    style = "<style>input { opacity: 0; position: absolute }</style>"
    body = f"{style}<input type=checkbox id=c onchange=say(c.checked)><label for=c>Vegan</label>{ECHO}"
    fault = await look(body, Click(role="checkbox", name="vegan"), Matches(pattern="said: true"))
    assert not fault, fault


async def test_a_failure_says_what_was_there_instead(look: Look) -> None:
    step = Click(role="button", name=r"add\b.*\bbasket", within="Rye")
    fault = await look("<ul><li>Rye <button>Buy</button><li>Spelt <button>Buy now</button></ul>", step)
    assert fault == 'no button "add … basket" in "Rye" is to be seen; there are "Buy", "Buy now"'
