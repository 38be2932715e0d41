"""The picture view in an application: when it draws, what it says, and what it sends to the terminal."""

import asyncio
import threading
from pathlib import Path

import pytest
from textual.pilot import Pilot
from textual.screen import ModalScreen

from iwtui.tui.widgets.picture import PictureView
from tests.tui_pictures.samples import PictureApp, marked, page

SIZES = [(80, 24), (120, 40), (200, 60)]


async def until_posted(pilot: Pilot[None], app: PictureApp, count: int = 1) -> None:
    """Until the view has posted that many messages."""
    async with asyncio.timeout(10):
        while len(app.posted) < count:
            await pilot.pause(0.01)
    await pilot.pause()


def drawings(app: PictureApp, monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, threading.Thread]]:
    """Each blob that is read from now on, and in which thread."""
    read: list[tuple[str, threading.Thread]] = []
    get = app.blobs.get

    def reading(blob: str) -> bytes:
        read.append((blob, threading.current_thread()))
        return get(blob)

    monkeypatch.setattr(app.blobs, "get", reading)
    return read


@pytest.mark.parametrize("size", SIZES)
async def test_a_picture_fills_its_room_and_follows_a_resize(tmp_path: Path, size: tuple[int, int]) -> None:
    app = PictureApp(tmp_path)
    blob = app.blobs.put(page())
    async with app.run_test(size=size, notifications=True) as pilot:
        app.view.show(blob, caption="turn 3 · step 2")
        await until_posted(pilot, app)
        lines = app.seen()

        assert all(len(line) == size[0] and "\n" not in line for line in lines)
        drawn = app.view._drawn
        assert drawn is not None
        below = lines[len(drawn.lines)]
        assert below.startswith("turn 3 · step 2 · 1280×800")
        assert below.endswith("O path")
        for width, height in ((40, 10), (180, 50), (3, 2), (100, 30)):
            await pilot.resize_terminal(width, height)
        async with asyncio.timeout(10):
            while (drawn := app.view._drawn) is None or drawn.wanted[2:4] != (100, 29):
                await pilot.pause(0.01)
        assert isinstance(app.posted[-1], PictureView.Painted)


async def test_only_the_picture_that_the_reader_rests_on_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    app = PictureApp(tmp_path)
    blobs = [app.blobs.put(page(f"#0000{at:02x}")) for at in range(30)]
    async with app.run_test() as pilot:
        read = drawings(app, monkeypatch)
        for blob in blobs:
            app.view.show(blob)
        await until_posted(pilot, app)

        assert [blob for blob, _ in read] == [blobs[-1]]
        assert read[0][1] is not threading.current_thread()


async def test_the_same_picture_again_is_not_drawn_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    app = PictureApp(tmp_path)
    one, other = app.blobs.put(page("red")), app.blobs.put(page("blue"))
    async with app.run_test() as pilot:
        read = drawings(app, monkeypatch)
        for count, blob in enumerate((one, other, one), 1):
            app.view.show(blob)
            await until_posted(pilot, app, count)
        app.view.show(one, caption="another event")
        await pilot.pause()

        assert [blob for blob, _ in read] == [one, other]
        assert app.seen()[-1].startswith("another event · 1280×800")


async def test_no_picture_is_said_at_once(tmp_path: Path) -> None:
    app = PictureApp(tmp_path)
    blob = app.blobs.put(page())
    async with app.run_test() as pilot:
        assert any("No picture up to here." in line for line in app.seen())
        app.view.show(blob)
        await until_posted(pilot, app)
        app.view.show(None)
        await pilot.pause()

        assert any("No picture up to here." in line for line in app.seen())
        assert app.view.path is None


async def test_a_missing_picture_is_told_with_its_path_and_the_next_one_shown(tmp_path: Path) -> None:
    app = PictureApp(tmp_path)
    missing, there = "ab" * 32, app.blobs.put(page())
    async with app.run_test(size=(100, 30), notifications=True) as pilot:
        app.view.show(missing)
        await until_posted(pilot, app)
        text = "".join(line.strip() for line in app.seen())

        assert isinstance(app.posted[0], PictureView.Failed)
        assert "cannot be shown" in text
        assert f"{tmp_path}/ab/{missing}" in text
        assert app.view.path == tmp_path / "ab" / missing
        app.view.show(there)
        await until_posted(pilot, app, 2)
        assert isinstance(app.posted[1], PictureView.Painted)
        assert "cannot be shown" not in "".join(app.seen())


async def test_a_fault_of_ours_is_told_in_the_picture_s_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    app = PictureApp(tmp_path)
    async with app.run_test() as pilot:

        def broken(blob: str) -> bytes:
            raise RuntimeError("[/] unforeseen")

        monkeypatch.setattr(app.blobs, "get", broken)
        app.view.show("cd" * 32)
        await until_posted(pilot, app)

        assert any("RuntimeError: [/] unforeseen" in line for line in app.seen())


async def test_a_foreign_caption_is_shown_literally(tmp_path: Path) -> None:
    app = PictureApp(tmp_path)
    async with app.run_test(size=(120, 10)) as pilot:
        app.view.show(app.blobs.put(page()), caption="[/] [link='x \x1b]52;c;eA==\x07 \x9b2J 漢字\nsecond")
        await until_posted(pilot, app)

        assert app.seen()[-1].startswith("[/] [link='x ␛]52;c;eA==␇ ‹9B›2J 漢字 second")


async def test_pictures_off_say_where_the_file_is_and_read_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    app = PictureApp(tmp_path, mode="off")
    blob = app.blobs.put(page())
    async with app.run_test(size=(120, 20)) as pilot:
        read = drawings(app, monkeypatch)
        app.view.show(blob)
        await pilot.pause(0.05)

        assert any("Pictures are off" in line for line in app.seen())
        assert str(app.view.path) in "".join(line.strip() for line in app.seen())
        assert not read


async def test_without_colour_a_picture_is_grey(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    app = PictureApp(tmp_path)
    async with app.run_test() as pilot:
        app.view.show(app.blobs.put(page("#204080")))
        await until_posted(pilot, app)
        grounds = {
            segment.style.bgcolor.triplet
            for strip in app.view.render_lines(app.view.size.region)
            for segment in strip
            if segment.style is not None and segment.style.bgcolor is not None
        }

        assert len(grounds) > 2
        assert all(ground is not None and ground.red == ground.green == ground.blue for ground in grounds)


async def test_a_picture_asked_for_before_there_is_room_is_drawn_later(tmp_path: Path) -> None:
    app = PictureApp(tmp_path)
    blob = app.blobs.put(page())
    app.view.show(app.blobs.put(page("red")))
    app.view.show(None)
    app.view.show(blob)
    async with app.run_test() as pilot:
        await until_posted(pilot, app)

        assert [message.blob for message in app.posted if isinstance(message, PictureView.Painted)] == [blob]


async def test_marks_go_on_and_off(tmp_path: Path) -> None:
    app = PictureApp(tmp_path)
    over = app.blobs.put(marked((0, 0, 300, 100)))
    async with app.run_test() as pilot:
        app.view.show(app.blobs.put(page()), over)
        await until_posted(pilot, app)
        assert app.seen()[0].strip().startswith("1")
        assert app.seen()[-1].endswith("m marks on · O path")

        assert app.view.toggle_marks() is False
        await until_posted(pilot, app, 2)
        assert not app.seen()[0].strip()
        assert app.seen()[-1].endswith("m marks off · O path")


async def test_a_hidden_view_draws_when_it_is_shown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    app = PictureApp(tmp_path)
    blob = app.blobs.put(page())
    async with app.run_test() as pilot:
        read = drawings(app, monkeypatch)
        app.view.display = False
        await pilot.pause()
        app.view.show(blob)
        await pilot.pause(0.05)
        assert not read

        app.view.display = True
        await until_posted(pilot, app)
        assert [read_blob for read_blob, _ in read] == [blob]


async def test_the_loop_runs_on_while_a_picture_is_drawn(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    app = PictureApp(tmp_path)
    blob = app.blobs.put(page())
    get, may_go = app.blobs.get, threading.Event()
    async with app.run_test() as pilot:

        def slow(wanted: str) -> bytes:
            assert may_go.wait(10)
            return get(wanted)

        monkeypatch.setattr(app.blobs, "get", slow)
        app.view.show(blob)
        await pilot.pause(0.05)
        await pilot.press("tab")
        assert not app.posted
        assert app.seen()[-1].startswith("…")
        may_go.set()
        await until_posted(pilot, app)


def control(app: PictureApp) -> list[str]:
    """The control sequences among the cells of the view."""
    strips = app.view.render_lines(app.view.size.region)
    return [segment.text for strip in strips for segment in strip if segment.control]


async def test_sixel_data_follows_the_cells_and_passes_the_fence(tmp_path: Path) -> None:
    app = PictureApp(tmp_path, mode="sixel")
    async with app.run_test(size=(80, 24)) as pilot:
        app.view.show(app.blobs.put(page()))
        await until_posted(pilot, app)
        drawn = app.view._drawn
        assert drawn is not None

        (sequence,) = control(app)
        assert sequence.startswith("\x1b7\x1b[23A")
        assert sequence.endswith("\x1b\\\x1b8")
        assert drawn.payload in sequence
        assert app.view.render_lines(app.view.size.region)[-1].text.endswith("O path")
        assert [strip.cell_length for strip in app.view.render_lines(app.view.size.region)] == [80] * 24


async def test_a_sixel_picture_is_not_painted_over_a_dialog(tmp_path: Path) -> None:
    app = PictureApp(tmp_path, mode="sixel")
    async with app.run_test() as pilot:
        app.view.show(app.blobs.put(page()))
        await until_posted(pilot, app)
        await app.push_screen(ModalScreen[None]())
        await pilot.pause()
        assert not control(app)

        app.pop_screen()
        await pilot.pause()
        assert len(control(app)) == 1


async def test_a_kitty_picture_is_sent_once_and_taken_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    app: PictureApp = PictureApp(tmp_path, mode="kitty")
    written: list[str] = []
    one, other = app.blobs.put(page("red")), app.blobs.put(page("blue"))
    async with app.run_test() as pilot:
        driver = app._driver
        assert driver is not None
        monkeypatch.setattr(driver, "write", written.append)
        for count, blob in enumerate((one, other, one), 1):
            app.view.show(blob)
            await until_posted(pilot, app, count)
        pictures = [sequence for sequence in written if sequence.startswith("\x1b_Ga=T")]
        assert len(pictures) == len(set(pictures)) == 2
        assert not control(app)
        assert "\U0010eeee" in app.seen()[0]
        await app.view.remove()

    assert sum(sequence.startswith("\x1b_Ga=d,d=I,") for sequence in written) == 2
