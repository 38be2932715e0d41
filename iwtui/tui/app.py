"""The console: the application that holds the screens, the theme, the keymap and the fences against foreign text."""

import os
import signal
import traceback
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any, cast

from textual import events
from textual.app import App, SystemCommand
from textual.driver import Driver
from textual.filter import LineFilter
from textual.screen import Screen
from textual.theme import Theme

from iwtui.archive.registry import LiveRun, live_runs
from iwtui.archive.store import Store
from iwtui.bench.text import one_line, visible
from iwtui.resources import cache_folder
from iwtui.tui.actions import BY_ID, SCOPES, bindings_for, short_key, why_not
from iwtui.tui.app_protocol import Severity
from iwtui.tui.copying import CLIPBOARD, CopiesWhole, copy_to_file, what_is_copied, whole_of
from iwtui.tui.keyboard import Keyboard
from iwtui.tui.remembered import Remembered
from iwtui.tui.text import ControlFilter
from iwtui.tui.themes import load_themes, stylesheet
from iwtui.tui.wire import thrifty


class ConsoleApp(App[None]):
    """The console on a store. `images`: a mode of `terminal.Choice`. `run`: the run that it was opened for, if any.

    `keymap`: keys by the ids of actions. `pids`: processes that were started for this console and play a run.
    `typed`: keys that were pressed before it could read them. `remembered`: where the reader was the last time.
    `pictures`: why pictures are shown as they are. `author`: under which name a person's verdicts are kept. `watching`: it
    begins with all that is being played, of whatever store.
    """

    TITLE = "iwtui"
    ENABLE_COMMAND_PALETTE = True
    COMMAND_PALETTE_BINDING = ""
    BINDINGS = bindings_for("app")

    def __init__(
        self,
        store: Store,
        theme: Theme | None = None,
        images: str = "halfcell",
        run: str | None = None,
        keymap: Mapping[str, str] | None = None,
        pids: Iterable[int] = (),
        typed: Iterable[str] = (),
        remembered: Remembered | None = None,
        pictures: str = "",
        author: str = "",
        watching: bool = False,
    ) -> None:
        self._themes = load_themes()
        self._control = ControlFilter()
        self._keyboard = Keyboard(self, super().on_event)
        super().__init__(css_path=stylesheet())
        self.store = store
        self.images = images
        self.pictures = pictures
        self.author = author
        self.remembered = remembered or Remembered()
        self.run_opened_for = run
        self.marked_run: str | None = None
        self.fault = ""
        self._watching = watching
        self._pids = set(pids)
        self._typed = tuple(typed)
        chosen = theme or next(iter(self._themes.values()))
        self._themes[chosen.name] = chosen
        for one in self._themes.values():
            self.register_theme(one)
        self.theme = chosen.name
        if keymap:
            self.set_keymap(dict(keymap))

    def get_default_screen(self) -> Screen[Any]:
        """The runs of the store, or all that is being played."""
        from iwtui.tui.screens.home import HomeScreen
        from iwtui.tui.screens.watch import WatchScreen

        return WatchScreen() if self._watching else HomeScreen()

    def get_driver_class(self) -> type[Driver]:
        """Sends frames without their needless bytes."""
        return thrifty(super().get_driver_class())

    def get_line_filters(self) -> Sequence[LineFilter]:
        """The last fence: whatever text a screen shows, no control character of it reaches the terminal."""
        return [*super().get_line_filters(), self._control]

    def get_theme_variable_defaults(self) -> dict[str, str]:
        """What a theme of another program lacks of our colours."""
        return self._themes["dark" if self.current_theme.dark else "light"].variables

    def on_mount(self) -> None:
        """Makes SIGTERM leave the terminal as it was found; passes on what was typed early."""
        import asyncio

        asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, self.exit)
        for key in self._typed:
            self.simulate_key(key)
        if self.remembered.notice:
            self.notify_text(self.remembered.notice, severity="warning")

    async def on_event(self, event: events.Event) -> None:
        """What is typed is carried out in its order."""
        if isinstance(event, events.Key | events.Paste) and not event.is_forwarded:
            await self._keyboard.take(event)
        else:
            await super().on_event(event)

    # What screens may ask of it: see app_protocol.Console.

    def notify_text(self, text: str, *, title: str = "", severity: Severity = "information") -> None:
        """Show a short note; the text is data."""
        self.notify(visible(text), title=one_line(title), severity=severity, markup=False)

    def started(self, pid: int) -> None:
        """Remember a process that plays a run and was started from here."""
        self._pids.add(pid)

    def remember(self) -> None:
        """Keep what is remembered, in a thread."""
        self.run_worker(self._remember, thread=True, group="remembering", exit_on_error=False)

    def _remember(self) -> None:
        try:
            self.remembered.write()
        except OSError as error:
            said = f"The console cannot remember where you were: {error}"
            self.call_from_thread(self.notify_text, said, severity="warning")

    def copy_text(self, text: str, name: str) -> Path | None:
        """To the clipboard by OSC 52; what is too long for that goes to a file, and the note says where."""
        if len(text) > CLIPBOARD:
            return self._to_file(text, name, "too long for the clipboard: ")
        self.copy_to_clipboard(text)
        self.notify_text(f"{len(text)} characters are on the clipboard", title="Copied")
        return None

    def _to_file(self, text: str, name: str, why: str = "") -> Path | None:
        try:
            file = copy_to_file(text, name)
        except OSError as error:
            self.notify_text(str(error), title="Not copied", severity="error")
            return None
        self.copy_to_clipboard(str(file))
        self.notify_text(f"{why}it is in {file}, whose path is on the clipboard", title="Copied")
        return file

    # Actions of the scope `app`.

    def action_help(self) -> None:
        """What can be done here."""
        from iwtui.tui.screens.help import HelpScreen

        if not isinstance(self.screen, HelpScreen):
            pictures = f"{self.images}: {self.pictures}"
            self.push_screen(HelpScreen(self.screen.active_bindings.values(), pictures, partial(why_not, self.screen)))

    def action_palette(self) -> None:
        """All that can be done here, by name."""
        self.action_command_palette()

    def action_copy(self) -> None:
        """What the focus is on, to the clipboard."""
        if text := self._copied(what_is_copied(self.screen)):
            self.copy_text(text, self.screen.title or "text")

    def action_copy_to_file(self) -> None:
        """All of what the focus is in, into a file."""
        if isinstance(self.screen, CopiesWhole) and self.screen.copy_whole():
            return
        if text := self._copied(whole_of(self.screen)):
            self._to_file(text, self.screen.title or "text")

    def _copied(self, text: str) -> str:
        if not text:
            self.notify_text("there is no text to be copied where the focus is", title="Nothing is copied")
        return text

    def action_jump(self) -> None:
        """A letter on all that one can jump to."""
        from iwtui.tui.screens.jump import Jump, JumpScreen, jumps_of

        def chosen(jump: Jump | None) -> None:
            if jump is not None:
                jump.go()

        if jumps := jumps_of(self.screen):
            self.push_screen(JumpScreen(jumps), chosen)

    def action_sql(self) -> None:
        """Ask the index; the screen for that is there once, with what stands in it."""
        from iwtui.tui.screens.sql import SqlScreen

        place = next((place for place, one in enumerate(self.screen_stack) if isinstance(one, SqlScreen)), None)
        if place is None:
            self.push_screen(SqlScreen())
        else:
            self.action_back_to(place)

    def action_next_theme(self) -> None:
        """The theme after this one."""
        names = list(self._themes)
        self.theme = names[(names.index(self.theme) + 1) % len(names)] if self.theme in names else names[0]

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """On the first screen there is nothing to go back to."""
        if action == "back":
            return len(self.screen_stack) > 1 or self.screen.maximized is not None
        return super().check_action(action, parameters)

    async def action_back(self) -> None:
        """To the screen before; a pane that was alone on the screen first becomes one of many again."""
        if self.screen.maximized is not None:
            self.screen.minimize()
        elif len(self.screen_stack) > 1:
            self.screen.dismiss()  # not awaited: who asks for it may be a part of the screen

    def action_back_to(self, place: int) -> None:
        """To the screen that stands at `place`, counted from the first."""
        for _ in range(len(self.screen_stack) - place - 1):
            self.screen.dismiss()

    async def action_quit(self) -> None:
        """The way of the palette and of ctrl+q."""
        self.action_leave()

    def action_leave(self) -> None:
        """Leave; ask what becomes of the runs that were started from here and go on."""
        from iwtui.tui.board import ask_to_stop
        from iwtui.tui.screens.leave import Answer, LeaveScreen

        going = self._going()
        if not going:
            self.exit()
            return

        def answered(answer: Answer | None) -> None:
            if answer == "stop":
                for live in going:
                    ask_to_stop(live.runner)
            if answer in ("leave", "stop"):
                self.exit()

        if not isinstance(self.screen, LeaveScreen):
            self.push_screen(LeaveScreen([live.runner.run for live in going]), answered)

    def _going(self) -> list[LiveRun]:
        return [live for live in live_runs() if live.runner.pid in self._pids and live.alive is not False]

    def get_system_commands(self, screen: Screen[Any]) -> Iterable[SystemCommand]:
        """The palette: what can be done on the screen that it was called from, then the themes."""
        seen: set[str] = set()
        active_bindings = screen.active_bindings.values()
        for active in active_bindings:
            action = BY_ID.get(active.binding.id or "")
            if action is None or action.id in seen or not active.enabled or action.id == "app.palette":
                continue
            seen.add(action.id)
            run = cast(Any, partial(self.run_action, active.binding.action, active.node))
            keys = " ".join(short_key(one.binding.key) for one in active_bindings if one.binding.id == action.id)
            reason = why_not(screen, action.id)
            told = f"{SCOPES[action.scope]} · {keys}" + (f" · not now: {reason}" if reason else "")
            yield SystemCommand(f"{action.name}: {action.help}", told, run)
        for name in self._themes:
            yield SystemCommand(f"Theme: {name}", "Colours of the console", partial(setattr, self, "theme", name))

    def _fatal_error(self) -> None:
        """A fault of the program: its report goes to a file; what is to be said on the terminal stands in `fault`."""
        report = visible(traceback.format_exc())
        folder = cache_folder() / "faults"
        try:
            folder.mkdir(parents=True, exist_ok=True)
            file = folder / f"{datetime.now(UTC):%Y%m%d-%H%M%S}-{os.getpid()}.txt"
            file.write_text(report, "utf-8")
            where = f"The report is in {visible(str(file))}"
        except OSError as error:
            where = f"{report}\n(no report could be written: {error})"
        last = one_line(report.strip().splitlines()[-1])
        self.fault = f"the console met a fault of its own: {last}\n{where}\nRuns go on; `iwtui` opens the console again."
        self._close_messages_no_wait()
