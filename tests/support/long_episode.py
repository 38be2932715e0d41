"""A long episode with all that a long one has, for measuring."""

import io
import json
import random
from collections.abc import Iterator

from PIL import Image, ImageDraw, ImageFilter

from iwtui.bench.events import (
    ActionChosen,
    BrowserStepped,
    CommandRan,
    EpisodeEnded,
    EpisodeStarted,
    FileChange,
    FilesChanged,
    Known,
    ModelCalled,
    SiteProbed,
    TurnStarted,
)
from iwtui.bench.longtext import keep
from iwtui.bench.manifest import encode_manifest
from iwtui.bench.protocols import Blobs

EVENTS = 7_000
TURNS = 25
BUILDER = "scripted/blind"


def long_events(blobs: Blobs) -> Iterator[tuple[int, Known]]:
    """Turns and events as a long episode has them: texts in the log, long ones, requests, files and pictures in blobs."""
    chance = random.Random(1)
    words = [f"{chance.randrange(1 << 28):x}" for _ in range(5_000)]

    def prose(count: int) -> str:
        return " ".join(chance.choices(words, k=count))

    pictures = [blobs.put(_page(number)) for number in range(12)]
    steps = EVENTS // TURNS - 6
    left = EVENTS
    yield 0, EpisodeStarted(case_id="big_P-MIN", persona="P-MIN", builder=BUILDER, repeat=1, attempt=1, difficulty="easy",
        turns=TURNS, failed_verifies=6, verify_steps=8, models={}, system="Build it.", scripted=True)  # fmt: skip
    left -= 1
    for turn in range(1, TURNS + 1):
        page = f"<h1>{turn}</h1>\n".encode() + prose(4_000).replace(" ", " <p>\n").encode()
        page_blob = blobs.put(page)
        manifest = blobs.put(encode_manifest({"index.html": (page_blob, len(page))}))
        request = tuple(blobs.put(json.dumps({"role": "user", "content": prose(9_000)}).encode()) for _ in range(20))
        change = FileChange("index.html", "add" if turn == 1 else "change", page_blob, len(page), added=9, removed=3)
        told = (
            TurnStarted(message=keep(blobs, prose(2_000))),
            ModelCalled(role="builder", model=BUILDER, ordinal=0, request=request, reply=keep(blobs, prose(4_000)),
                reasoning=keep(blobs, prose(2_000)), tokens_in=9_000, tokens_out=4_000, seconds=30.0),
            ActionChosen(action="implement", files=("index.html",), prose=prose(60)),
            FilesChanged(manifest=manifest, files=1, lines=4_000, changes=(change,)),
            CommandRan(command="npm install", exit_code=0, seconds=3.0, output=prose(40)),
            SiteProbed(phase="implement", ok=True, url="http://site/", picture=pictures[turn % 12]),
        )  # fmt: skip
        for event in told:
            yield turn, event
        left -= len(told)
        for number in range(min(steps, left - 1) if turn < TURNS else left - 1):
            yield turn, BrowserStepped(phase="verify", step=number, action="click", target=f"Add {number}",
                thought=prose(200), url="http://site/", picture=pictures[number % 12], marks_count=30)  # fmt: skip
            left -= 1
    yield TURNS, EpisodeEnded(status="crashed", stop_reason="site")


def _page(number: int) -> bytes:
    """A page with a photograph, text and coloured cards, as PNG."""
    chance = random.Random(number)
    image = Image.new("RGB", (1280, 800), "white")
    small = Image.frombytes("RGB", (64, 18), chance.randbytes(64 * 18 * 3)).filter(ImageFilter.GaussianBlur(1))
    image.paste(small.resize((1280, 360), Image.Resampling.BICUBIC), (0, 60))
    draw = ImageDraw.Draw(image)
    for card in range(4):
        draw.rectangle((20 + card * 315, 440, 315 + card * 315, 780), fill=tuple(chance.randbytes(3)))
        for line in range(12):
            draw.text((40 + card * 315, 460 + 24 * line), f"{chance.random()} a line of text", fill="white")
    content = io.BytesIO()
    image.save(content, "PNG", compress_level=1)
    return content.getvalue()
