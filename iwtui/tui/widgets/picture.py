"""One picture of the page, drawn when the reader has come to rest on it, with a caption that says where its file is."""

from collections import OrderedDict
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from rich.segment import ControlType, Segment
from textual import on
from textual.content import Content
from textual.geometry import Region
from textual.message import Message
from textual.reactive import reactive
from textual.strip import Strip
from textual.timer import Timer
from textual.widget import Widget
from textual.worker import Worker, WorkerState, get_current_worker

from iwtui.bench.events import Blob
from iwtui.tui.graphics import erased
from iwtui.tui.pictures import Blobs, Drawn, PictureError, Pictures, Wanted
from iwtui.tui.terminal import Mode, cell_size
from iwtui.tui.text import safe_line, safe_text

REST = 0.3
"""Seconds without another picture before one is drawn and sent."""
_SENT = 8
"""Pictures that a kitty terminal is left to remember."""
_GROUP = "picture"
_MODES: dict[str, Mode] = {"auto": "halfcell", "halfcell": "halfcell", "kitty": "kitty", "sixel": "sixel", "off": "off"}


class PictureView(Widget):
    """Shows one picture of the store, a caption under it; the numbered marks are drawn on it while `marks_shown`.

    It takes plain data (`show`). `mode` is how pictures reach this terminal (what `tui.terminal.choose` found; `auto`
    means half blocks); with `off` it says where the file is. `empty` is said while there is no picture; `path_key` tells
    where its file is. A missing or damaged one is told, with its path. Put a border on a container around the view, not on
    it.
    """

    DEFAULT_CSS = """
    PictureView { width: 1fr; height: 1fr; min-height: 3; }
    """

    marks_shown: reactive[bool] = reactive(True, init=False)

    @dataclass
    class Painted(Message):
        """The picture that was asked for is on the screen."""

        view: "PictureView"
        blob: Blob

    @dataclass
    class Failed(Message):
        """The picture that was asked for cannot be shown; the view says the reason in its place."""

        view: "PictureView"
        blob: Blob
        reason: str

    @dataclass
    class _Finished(Message):
        wanted: Wanted
        drawn: Drawn | None
        reason: str

    def __init__(
        self,
        blobs: Blobs,
        mode: str = "halfcell",
        *,
        empty: str = "No picture up to here.",
        rest: float = REST,
        path_key: str = "O",
        id: str | None = None,  # noqa: A002
        classes: str | None = None,
    ) -> None:
        super().__init__(id=id, classes=classes)
        self._mode = _MODES[mode]
        self._pictures = Pictures(blobs)
        self._empty = empty
        self._rest = rest
        self._path_key = path_key
        self._asked: tuple[Blob | None, Blob | None] = (None, None)
        self._caption = ""
        self._drawn: Drawn | None = None
        self._reason = ""
        self._timer: Timer | None = None
        self._waiting = False
        """Whether what is on the screen is not yet what was asked for."""
        self._sent: OrderedDict[int, None] = OrderedDict()

    @property
    def blob(self) -> Blob | None:
        """The picture that is shown or about to be."""
        return self._asked[0]

    @property
    def path(self) -> Path | None:
        """Where its file stands, or would stand."""
        return self._pictures.path(self.blob) if self.blob else None

    def show(self, blob: Blob | None, marks: Blob | None = None, caption: str = "") -> None:
        """Show this picture once the reader rests; nothing happens if it is shown already. None: there is no picture."""
        asked = (blob, marks if blob else None)
        if asked == self._asked and caption == self._caption:
            return
        changed, self._asked, self._caption = asked != self._asked, asked, caption
        if not changed:
            self._refresh_caption()
            return
        self._reason = ""
        if not self.is_attached:
            return  # a size is to come, and with it the drawing
        if blob is None:
            self._forget()
        else:
            self._ask()

    def toggle_marks(self) -> bool:
        """Marks on or off; whether they are shown now."""
        self.marks_shown = not self.marks_shown
        return self.marks_shown

    def watch_marks_shown(self) -> None:
        """The other picture at once: the reader asked for it."""
        if self._asked[1] is not None:
            self._draw()
        else:
            self._refresh_caption()

    def on_resize(self) -> None:
        """A picture for the new size, once it stays."""
        if self.blob and (self._drawn is None or self._drawn.wanted != self._wanted()):
            self._ask()

    def on_show(self) -> None:
        """What was asked for while the view was hidden."""
        self.on_resize()

    def on_unmount(self) -> None:
        """The terminal need not keep our pictures."""
        for number in self._sent:
            self._write(erased(number))

    def _forget(self) -> None:
        self._stop()
        self._drawn = None
        self.refresh()

    def _stop(self) -> None:
        self._waiting = False
        if self._timer is not None:
            self._timer.stop()
            self._timer = None
        self.workers.cancel_group(self, _GROUP)

    def _ask(self) -> None:
        """Draw after a rest."""
        self._stop()
        if self._mode == "off":
            self.refresh()
            return
        self._waiting = True
        self._timer = self.set_timer(self._rest, self._draw)
        self._refresh_caption()

    def _wanted(self) -> Wanted | None:
        """What is to be drawn now; None while there is no room, or nothing."""
        blob, marks = self._asked
        columns, rows = self.content_size.width, self.content_size.height - 1
        if blob is None or columns < 1 or rows < 1 or self._mode == "off":
            return None
        return Wanted(blob, marks if self.marks_shown else None, columns, rows, self._mode, cell_size())

    def _draw(self) -> None:
        self._stop()
        wanted = self._wanted()
        if wanted is None or not self.is_on_screen:
            return
        remembered = self._pictures.remembered(wanted)
        if remembered is not None:
            self._finish(self._Finished(wanted, remembered, ""))
            return
        self._waiting = True
        self.run_worker(partial(self._work, wanted), group=_GROUP, thread=True, exclusive=True, exit_on_error=False)

    def _work(self, wanted: Wanted) -> None:
        """In a thread."""
        drawn, reason = None, ""
        try:
            drawn = self._pictures.draw(wanted)
        except PictureError as error:
            reason = str(error)
        if not get_current_worker().is_cancelled:
            self.post_message(self._Finished(wanted, drawn, reason))

    @on(_Finished)
    def _finish(self, message: _Finished) -> None:
        message.stop()
        if message.wanted != self._wanted():
            return  # the reader has gone on, and what is wanted now is on its way
        self._waiting = False
        self._drawn, self._reason = message.drawn, message.reason
        if message.drawn is None:
            self.post_message(self.Failed(self, message.wanted.blob, message.reason))
        else:
            self._send(message.drawn)
            self.post_message(self.Painted(self, message.wanted.blob))
        self.refresh()

    def on_worker_state_changed(self, event: Worker.StateChanged) -> None:
        """A fault of ours is told in the picture's place."""
        event.stop()
        if event.state is WorkerState.ERROR and self.blob is not None:
            self._stop()
            self._drawn, self._reason = None, f"{type(event.worker.error).__name__}: {event.worker.error}"
            self.post_message(self.Failed(self, self.blob, self._reason))
            self.refresh()

    def _send(self, drawn: Drawn) -> None:
        """Give a kitty terminal the picture, unless it has it."""
        if not drawn.number:
            return
        if drawn.number not in self._sent:
            self._write(drawn.payload)
        self._sent[drawn.number] = None
        self._sent.move_to_end(drawn.number)
        while len(self._sent) > _SENT:
            self._write(erased(self._sent.popitem(last=False)[0]))

    def _write(self, sequence: str) -> None:
        """To the terminal, in line with what the application writes."""
        driver = self.app._driver
        if driver is not None:
            driver.write(sequence)

    def _refresh_caption(self) -> None:
        self.refresh(Region(0, self._caption_row, self.size.width, 1))

    @property
    def _shown(self) -> Drawn | None:
        """The picture, if one is there to be seen."""
        return self._drawn if self.blob is not None and not self._reason and self._mode != "off" else None

    @property
    def _caption_row(self) -> int:
        """Right below the picture; without one, the last."""
        last = self.content_size.height - 1
        return min(last, len(self._shown.lines)) if self._shown else last

    def render_lines(self, crop: Region) -> list[Strip]:
        """The cells; a sixel picture follows them from the start of the last line, where the cursor stands below it."""
        strips = super().render_lines(crop)
        drawn = self._drawn
        if drawn is None or self._waiting or not drawn.payload or drawn.number or not self.screen.is_active:
            return strips
        if crop.size != self.size or drawn.wanted != self._wanted():
            return strips
        up, right = self.content_size.height - 1, self._left(drawn)
        moves = f"\x1b7\x1b[{up}A" + (f"\x1b[{right}C" if right else "")
        sixel = Segment(f"{moves}{drawn.payload}\x1b8", None, [(ControlType.CURSOR_UP, up)])
        strips[-1] = Strip([sixel, *strips[-1]], strips[-1].cell_length)
        return strips

    def render_line(self, y: int) -> Strip:
        """A line of the picture, of what is said in its place, or the caption."""
        width, height = self.content_size
        style = self.visual_style
        if y == self._caption_row:
            return self._line(self._caption_line(width), width)
        drawn = self._shown
        if drawn is not None:
            if y >= len(drawn.lines):
                return Strip.blank(width, style.rich_style)
            left = self._left(drawn)
            blank = [Segment(" " * left, style.rich_style)] if left else []
            strip = Strip([*blank, *drawn.lines[y]], left + drawn.columns)
            return strip.adjust_cell_length(width, style.rich_style)
        said = self._said().wrap(max(1, width - 4), align="center")
        at = y - max(0, (height - 1 - len(said)) // 2)
        return self._line(said[at] if 0 <= at < len(said) else Content(), width, left=2)

    def _left(self, drawn: Drawn) -> int:
        return max(0, (self.content_size.width - drawn.columns) // 2)

    def _line(self, content: Content, width: int, left: int = 0) -> Strip:
        style = self.visual_style
        segments = [Segment(" " * left, style.rich_style)] if left else []
        segments += [Segment(text, part.rich_style) for text, part in content.render(style, "", parse_style=self._get_style)]
        return Strip(segments, left + content.cell_length).adjust_cell_length(width, style.rich_style)

    def _said(self) -> Content:
        """What stands in the place of a picture."""
        if self.blob is None:
            return Content.styled(self._empty, "$dim")
        if self._mode == "off":
            return safe_text(f"Pictures are off (--images).\n{self.path}")
        if self._reason:
            return safe_text(f"✗ This picture cannot be shown\n{self._reason}\n{self.path}")
        return Content.styled("…", "$dim")

    def _caption_line(self, width: int) -> Content:
        if self.blob is None:
            return Content()
        parts = [self._caption] if self._caption else []
        drawn = self._drawn
        if self._waiting:
            parts.append("…")
        elif drawn is not None and not self._reason:
            parts.append(f"{drawn.size[0]}×{drawn.size[1]}")
            if drawn.note:
                parts.append(drawn.note)
        keys = f"{self._path_key} path"
        if self._asked[1] is not None:
            keys = f"m marks {'on' if self.marks_shown else 'off'} · {keys}"
        room = width - len(keys) - 2
        if room < 1:
            return Content.styled(keys, "$dim").truncate(width)
        said = safe_line(" · ".join(parts)).truncate(room, ellipsis=True, pad=True)
        return Content.assemble(said, "  ", (keys, "$dim"))
