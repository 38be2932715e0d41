"""What the fragments do in a real browser, alone and together."""

from collections.abc import AsyncIterator, Awaitable, Callable

import pytest
import pytest_asyncio
from playwright.async_api import Browser, Page, Route, async_playwright, expect

from iwtui.models.scripted.fragments.site import Site
from iwtui.models.scripted.reading import read
from iwtui.web.chromium import find, launch_args

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="module")]

LIST = "List these toys with their prices in pounds: Kite (Outdoor) 9.00, Puzzle (Indoor) 7.50 and Ball (Outdoor) 3.00. "
TABLE = (
    "Show the books in a table with the columns Title, Author and Status, starting with two that are free:"
    " Ulysses by Joyce and Emma by Austen. "
)
CART = 'Every toy has an "Add to cart" button that raises the number of items in the cart. '
ADD = "A form with the fields Title and Author adds a book to the table as free. "

Opened = Callable[[str], Awaitable[Page]]


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def browser() -> AsyncIterator[Browser]:
    chromium = find()
    if chromium is None:
        pytest.skip("no Chromium on this machine")
    async with async_playwright() as playwright:
        launched = await playwright.chromium.launch(executable_path=chromium.executable, args=launch_args())
        yield launched
        await launched.close()


@pytest_asyncio.fixture(loop_scope="module")
async def opened(browser: Browser) -> AsyncIterator[Opened]:
    """Opens the site that a text asks for; its console must stay clean."""
    context = await browser.new_context()
    context.set_default_timeout(5_000)
    complaints: list[str] = []

    async def opened(text: str) -> Page:
        html = Site(read(text).fragments).html("A site")

        async def answer(route: Route) -> None:
            await route.fulfill(body=html, content_type="text/html")

        page = await context.new_page()
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("console", lambda line: complaints.append(line.text) if line.type == "error" else None)
        await page.route("**/*", answer)
        await page.goto("http://site.test/")
        return page

    yield opened
    await context.close()
    assert complaints == []


async def shown(page: Page, selector: str) -> list[str]:
    return [await found.inner_text() for found in await page.locator(selector).all() if await found.is_visible()]


async def test_search_and_category_narrow_the_list_together(opened: Opened) -> None:
    page = await opened(LIST + "A search box narrows the list of toys. A menu filters the list by category.")
    await page.get_by_role("searchbox", name="Search toys").press_sequentially("L")
    assert await shown(page, ".name") == ["Puzzle", "Ball"]
    await page.get_by_label("Category").select_option("Outdoor")
    assert await shown(page, ".name") == ["Ball"]
    await page.get_by_role("searchbox").fill("")
    assert await shown(page, ".name") == ["Kite", "Ball"]


async def test_basket_total_and_what_lasts(opened: Opened) -> None:
    page = await opened(
        LIST + CART + "Show the total price of the cart. The cart is still there after a reload.",
    )
    assert await page.get_by_role("button", name="Add to cart").count() == 3
    await page.get_by_role("button", name="Add to cart").nth(0).click()
    await page.get_by_role("button", name="Add to cart").nth(1).click()
    await expect(page.locator("header")).to_contain_text("Items in the cart: 2")
    await expect(page.locator("header")).to_contain_text("Total: £16.50")
    await page.reload()
    await expect(page.locator("header")).to_contain_text("Items in the cart: 2")


async def test_without_a_wish_for_it_nothing_lasts(opened: Opened) -> None:
    page = await opened(LIST + CART)
    await page.get_by_role("button", name="Add to cart").first.click()
    await page.reload()
    await expect(page.locator("header")).to_contain_text("Items in the cart: 0")


async def test_a_status_button_changes_its_row_and_the_count(opened: Opened) -> None:
    page = await opened(
        TABLE + 'Every free book has a "Take" button that changes its status to "Gone". Show how many books are free, as in'
        ' "2 books free".'
    )  # fmt: skip
    await expect(page.get_by_text("2 books free")).to_be_visible()
    row = page.get_by_role("row", name="Emma")
    await row.get_by_role("button", name="Take").click()
    await expect(row).to_contain_text("Gone")
    await expect(row.get_by_role("button")).to_have_count(0)
    await expect(page.get_by_text("1 books free")).to_be_visible()


async def test_what_is_added_counts_can_be_taken_and_lasts(opened: Opened) -> None:
    page = await opened(
        TABLE + ADD + 'Every free book has a "Take" button that changes its status to "Gone". Show how many books are free.'
        " Books that were added are still there after a reload."
    )  # fmt: skip
    await page.get_by_label("Title").fill("Persuasion <b>")
    await page.get_by_label("Author").fill("Austen")
    await page.get_by_role("button", name="Add book").click()
    await expect(page.get_by_text("3 books free")).to_be_visible()
    assert await page.get_by_label("Title").input_value() == ""
    await page.reload()
    row = page.get_by_role("row", name="Persuasion <b>")
    await expect(row).to_contain_text("Free")
    await row.get_by_role("button", name="Take").click()
    await expect(page.get_by_text("2 books free")).to_be_visible()
    assert await page.get_by_role("row").count() == 4


async def test_an_empty_field_is_told_of_and_nothing_is_added(opened: Opened) -> None:
    page = await opened(TABLE + ADD + 'When the title field is left empty, the form shows the message "Which book?".')
    await page.get_by_label("Author").fill("Nobody")
    await page.get_by_role("button", name="Add book").click()
    await expect(page.get_by_role("alert")).to_have_text("Which book?")
    assert await page.get_by_role("row").count() == 3
    await page.get_by_label("Title").fill("Something")
    await page.get_by_role("button", name="Add book").click()
    await expect(page.get_by_role("alert")).to_have_text("")
    assert await page.get_by_role("row").count() == 4


async def test_a_header_sorts_what_was_there_and_what_was_added(opened: Opened) -> None:
    page = await opened(TABLE + ADD + "Clicking the column header Title sorts the table.")
    await page.get_by_label("Title").fill("Middlemarch")
    await page.get_by_role("button", name="Add book").click()
    assert await shown(page, '[data-column="Title"]') == ["Ulysses", "Emma", "Middlemarch"]
    await page.get_by_role("columnheader", name="Title").click()
    assert await shown(page, '[data-column="Title"]') == ["Emma", "Middlemarch", "Ulysses"]


async def test_a_total_follows_what_is_added_and_removed(opened: Opened) -> None:
    page = await opened(
        "A table with the columns Van, Miles starts with these: Rosa with 90 and Otto with 7. Show the total of Miles, as in"
        ' "9 miles driven". A form with the fields Van and Miles adds a van. Every van has a "Drop" button that removes it.'
    )
    await expect(page.get_by_text("97 miles driven")).to_be_visible()
    await page.get_by_label("Van").fill("Emil")
    await page.get_by_label("Miles").fill("3")
    await page.get_by_role("button", name="Add van").click()
    await expect(page.get_by_text("100 miles driven")).to_be_visible()
    await page.get_by_role("row", name="Rosa").get_by_role("button", name="Drop").click()
    await expect(page.get_by_text("10 miles driven", exact=True)).to_be_visible()


async def test_counting_and_removing(opened: Opened) -> None:
    page = await opened(
        LIST
        + 'Every toy has a "Like" button that raises its own count by one. Every toy has a "Remove" button that deletes it.'
    )
    kite = page.get_by_role("listitem").filter(has_text="Kite")
    await kite.get_by_role("button", name="Like").click(click_count=2)
    await expect(kite.locator("[data-counted]")).to_have_text("2")
    await page.get_by_role("listitem").filter(has_text="Ball").get_by_role("button", name="Remove").click()
    assert await shown(page, ".name") == ["Kite", "Puzzle"]


async def test_a_message_is_thanked_for_once_it_is_right(opened: Opened) -> None:
    page = await opened(
        'A contact form with the fields Name and E-mail shows "Thanks a lot" after sending. '
        'When the e-mail field has no @, say "That is no address". When the name field is empty, say "Who are you?".'
    )
    await page.get_by_role("button", name="Send").click()
    await expect(page.get_by_role("alert")).to_have_text("Who are you?")
    await page.get_by_label("Name").fill("Ada")
    await page.get_by_label("E-mail").fill("nowhere")
    await page.get_by_role("button", name="Send").click()
    await expect(page.get_by_role("alert")).to_have_text("That is no address")
    await expect(page.get_by_role("status")).to_have_text("")
    await page.get_by_label("E-mail").fill("a@b.c")
    await page.get_by_role("button", name="Send").click()
    await expect(page.get_by_role("status")).to_have_text("Thanks a lot")


async def test_colours_reach_the_parts_they_are_for(opened: Opened) -> None:
    page = await opened(
        'A shop called "Oak". Use lavender for the page background. Use maroon for the header bar. '
        "Write the main heading in gold. Use teal for the buttons. The column headers are grey. " + TABLE + ADD
    )

    async def style(selector: str, what: str) -> str:
        return str(await page.locator(selector).first.evaluate(f"element => getComputedStyle(element)['{what}']"))

    assert await style("body", "backgroundColor") == "rgb(230, 230, 250)"
    assert await style("header", "backgroundColor") == "rgb(128, 0, 0)"
    assert await style("h1", "color") == "rgb(255, 215, 0)"
    assert await style("form button", "backgroundColor") == "rgb(0, 128, 128)"
    assert await style("th", "backgroundColor") == "rgb(128, 128, 128)"


async def test_tabs_questions_pictures_dark_colours_and_links(opened: Opened) -> None:
    page = await opened(
        'Three tabs "Menu", "Story" and "Visit" switch what is shown. An FAQ answers "Is it far?" with "Not at all." '
        'A gallery shows pictures with the captions "Sea" and "Hill". A "Night" button switches the page to dark colours. '
        'A navigation bar has the links "Home" and "About".'
    )
    await page.get_by_role("tab", name="Story").click()
    await expect(page.get_by_role("tabpanel", name="Story")).to_be_visible()
    assert await page.get_by_role("tabpanel").count() == 1
    await page.get_by_text("Is it far?").click()
    await expect(page.get_by_text("Not at all.")).to_be_visible()
    await expect(page.get_by_role("img", name="Hill")).to_be_visible()
    await page.get_by_role("link", name="About").click()
    assert page.url.endswith("#section1")
    await page.get_by_role("button", name="Night").click()
    background = await page.locator("body").evaluate("body => getComputedStyle(body).backgroundColor")
    assert background == "rgb(20, 24, 28)"


@pytest.mark.parametrize(
    "text",
    [
        CART,
        ADD,
        "A search box narrows the list.",
        "Show the total of Miles.",
        "Clicking the column header Title sorts the table.",
        "Show how many books are free.",
        "Show the total price of the cart.",
        "Books that were added are still there after a reload.",
        "The cart is still there after a reload.",
        "A menu filters the list by category.",
        'When the title field is left empty, say "Which book?".',
    ],
)
async def test_a_feature_without_what_it_acts_on_invents_nothing_and_breaks_nothing(opened: Opened, text: str) -> None:
    page = await opened(text)
    assert await page.get_by_role("listitem").count() == 0
    assert await page.get_by_role("row").count() == 0
    for button in await page.get_by_role("button").all():
        await button.click()
    assert page.url == "http://site.test/"
