"""Pictures and blobs for the tests of the picture view."""

import io
import json
from collections.abc import Sequence
from pathlib import Path

from PIL import Image, ImageDraw
from textual.app import App, ComposeResult
from textual.filter import LineFilter
from textual.message import Message

from iwtui.archive.blobs import BlobStore
from iwtui.tui.text import ControlFilter
from iwtui.tui.widgets.picture import PictureView


def page(colour: str = "#204080", size: tuple[int, int] = (1280, 800)) -> bytes:
    """A picture as the browser gives it: a band in that colour over a white page."""
    image = Image.new("RGB", size, "white")
    ImageDraw.Draw(image).rectangle((0, 0, size[0], size[1] // 2 - 1), fill=colour)
    content = io.BytesIO()
    image.save(content, "WEBP", lossless=True)
    return content.getvalue()


def noise(size: tuple[int, int] = (640, 400)) -> bytes:
    """A picture of which no two pixels are alike."""
    content = io.BytesIO()
    Image.effect_noise(size, 90).convert("RGB").save(content, "PNG")
    return content.getvalue()


def marked(*boxes: tuple[float, float, float, float], view: tuple[int, int] = (1280, 800)) -> bytes:
    """A list of marks as its blob holds it: left, top, width, height of each."""
    marks = [
        {"n": at, "role": "button", "name": "Go", "tag": "button", "x": x, "y": y, "width": w, "height": h, "cx": x, "cy": y}
        for at, (x, y, w, h) in enumerate(boxes, 1)
    ]
    return json.dumps({"marks": marks, "cut": False, "seconds": 0.1, "width": view[0], "height": view[1]}).encode()


class PictureApp(App[None]):
    """One picture view over a folder of blobs, and what it posted."""

    def __init__(self, folder: Path, mode: str = "halfcell", rest: float = 0.01) -> None:
        super().__init__()
        self.blobs = BlobStore(folder)
        self.view = PictureView(self.blobs, mode, rest=rest)
        self.posted: list[Message] = []

    def compose(self) -> ComposeResult:
        yield self.view

    def get_line_filters(self) -> Sequence[LineFilter]:
        return [*super().get_line_filters(), ControlFilter()]

    def on_picture_view_painted(self, message: PictureView.Painted) -> None:
        self.posted.append(message)

    def on_picture_view_failed(self, message: PictureView.Failed) -> None:
        self.posted.append(message)

    def seen(self) -> list[str]:
        """The lines of the view as text."""
        return [strip.text for strip in self.view.render_lines(self.view.size.region)]
