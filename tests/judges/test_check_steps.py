"""What the steps of a check do and expect, on pages that make it hard."""

from collections.abc import Awaitable, Callable

import pytest

from iwtui.bench.checks import Choose, Click, Count, Fill, Gone, Matches, Number, Open, Press, Read, Reload, See
from iwtui.judges.checks import Outcome

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="module")]

Check = Callable[..., Awaitable[Outcome]]
Look = Callable[..., Awaitable[str]]

ECHO = "<output id=said></output><script>function say(text) { said.textContent = 'said: ' + text }</script>"
ADD = Click(role="button", name="add")


async def test_typing_goes_key_by_key_and_replaces_what_was_there(look: Look) -> None:
    body = f"{ECHO}<input id=i value=old><script>{{ let n = 0; i.oninput = () => say(i.value + ' ' + ++n) }}</script>"
    assert await look(body, Fill(role="textbox", value="Foc"), Matches(pattern=r"said: Foc 4")) == ""
    assert await look(body, Fill(role="textbox", value=""), Matches(pattern=r"said:  ?1$")) == ""


async def test_a_message_in_the_browsers_own_bubble_is_seen(look: Look) -> None:
    body = """<form onsubmit="return false"><input id=i required><button>Add</button></form>
      <script>i.setCustomValidity("Please name the tool")</script>"""
    message = See(text="Please name the tool")
    assert await look(body, message) != ""
    assert await look(body, ADD, message) == ""


async def test_a_message_in_a_dialog_is_seen_until_the_next_action(look: Look) -> None:
    body = "<button onclick=\"alert('Please name the tool')\">Add</button><button>Other</button>"
    message = "Please name the tool"
    assert await look(body, Gone(text=message), ADD, See(text=message), Matches(pattern=message, most=1)) == ""
    assert await look(body, ADD, Click(role="button", name="other"), Gone(text=message)) == ""


@pytest.mark.parametrize(
    ("button", "why"),
    [
        ("<button disabled>Add</button>", "disabled"),
        ("<button>Add</button><div style='position:fixed;inset:0;background:#fff'>We use cookies</div>", "We use cookies"),
        ("<button style='display:none'>Add</button><button>Buy</button>", '"Buy"'),
    ],
)
async def test_what_a_visitor_could_not_click_is_not_clicked(look: Look, button: str, why: str) -> None:
    assert why in await look(f"<p>Page</p>{button}", ADD)


async def test_what_comes_late_is_waited_for(look: Look) -> None:
    body = """<p>Page</p><script>setTimeout(() => document.body.insertAdjacentHTML("beforeend",
      "<button onclick=\\"setTimeout(() => this.after('added'), 150)\\">Add</button>"), 150)</script>"""
    assert await look(body, ADD, See(text="added")) == ""


async def test_an_endless_animation_and_a_button_far_below_do_not_hinder_a_click(look: Look) -> None:
    body = f"""<style>@keyframes p {{ to {{ transform: scale(1.1) }} }} button {{ animation: p 1s infinite }}</style>
      <div style='height:4000px'></div><button onclick=say('hit')>Add</button>{ECHO}"""
    assert await look(body, ADD, Matches(pattern="said: hit")) == ""


async def test_a_key_with_the_field_in_focus(look: Look) -> None:
    body = f'<form onsubmit="say(i.value); return false"><input id=i></form>{ECHO}'
    assert await look(body, Fill(role="textbox", value="Saw"), Press(key="Enter"), Matches(pattern="said: Saw")) == ""


@pytest.mark.parametrize(
    "options",
    [
        "<select aria-label=Kind onchange=say(value)><option value=a>All<option value=v>Vegan food</select>",
        "<label><input type=radio name=k onchange=say('v')>Vegan</label><label><input type=radio name=k>All</label>",
        "<button>All</button><button onclick=say('v')>Vegan</button>",
        "<div role=tablist><div role=tab>All</div><div role=tab onclick=say('v')>Vegan</div></div>",
    ],
)
async def test_an_option_is_chosen_wherever_it_is_offered(look: Look, options: str) -> None:
    assert await look(options + ECHO, Choose(option="vegan"), Matches(pattern="said: v")) == ""
    assert await look(options + ECHO, Choose(option="fish")) != ""


async def test_a_number_is_compared_with_the_one_that_was_read(look: Look) -> None:
    pattern = r"basket:\s*(\d+)"
    body = "<p>Basket: <b id=n>1</b></p><button onclick='n.textContent = +n.textContent + 1'>Add</button>"
    assert await look(body, Read(number=pattern), ADD, Number(number=pattern, change=1)) == ""
    assert await look(body, Read(number=pattern), ADD, Number(number=pattern, change=2)) == "the number is 2, not 3"
    assert await look(body, Number(number=pattern, exactly=1)) == ""
    assert await look("<p>Empty", Number(number=pattern, exactly=1)) == "no such number is to be seen"


async def test_a_number_in_the_name_of_an_icon_counts(look: Look) -> None:
    assert await look("<a href=# aria-label='Basket: 3'>&#128722;</a>", Number(number=r"basket:\s*(\d+)", exactly=3)) == ""


async def test_counts_have_bounds(look: Look) -> None:
    body = "<button>Add</button><button>Add</button><p>4.20 4.80"
    assert await look(body, Count(role="button", name="add", least=2, most=2), Matches(pattern=r"\d\.\d\d", least=2)) == ""
    assert "2 × button" in await look(body, Count(role="button", name="add", least=3))
    assert "expected 0 to 1" in await look(body, Matches(pattern=r"\d\.\d\d", least=0, most=1))


async def test_storage_lasts_over_a_reload_but_not_into_the_next_slot(check: Check) -> None:
    body = """<button onclick="localStorage.kept = 'yes'">Add</button><p id=p></p>
      <script>p.textContent = "kept: " + (localStorage.kept ?? "no")</script>"""
    assert (await check(body, Matches(pattern="kept: no"), ADD, Reload(), Matches(pattern="kept: yes"))).passed
    assert (await check(body, Matches(pattern="kept: no"))).passed


async def test_a_path_that_is_not_there_fails_its_step(check: Check) -> None:
    outcome = await check("<p>Page", Open(path="/nowhere"), See(text="Page"))
    assert not outcome.passed and "404" in outcome.reason
    assert len(outcome.steps) == 2, "nothing is done after the step that decides"


async def test_an_empty_page_is_told_as_such(check: Check) -> None:
    outcome = await check("", Gone(text="anything"))
    assert not outcome.passed and "the page is empty" in outcome.reason
