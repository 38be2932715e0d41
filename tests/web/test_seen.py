"""What a page makes us record fits on a line of the log, whatever it says."""

from typing import cast

import msgspec
from hypothesis import given, settings
from hypothesis import strategies as st
from playwright.async_api import BrowserContext

from iwtui.bench.codec import encode
from iwtui.bench.events import MAX_LINE, BrowserStepped, Dialog, Record
from iwtui.web.seen import Watch


class Deaf:
    """A context in which nothing happens."""

    def on(self, event: str, heard: object) -> None:
        pass


@settings(max_examples=60)
@given(st.text(st.sampled_from('a\x00\x1b"\\é日😀\ud800'), min_size=1, max_size=400), st.integers(1, 300))
def test_the_worst_that_is_kept_fits_with_room_to_spare(text: str, times: int) -> None:
    watch = Watch(cast(BrowserContext, Deaf()), "http://127.0.0.1:1")
    for n in range(times):
        watch.note(f"{n}{text}")
        watch._console.append(text[:240])
        watch._dialogs.append(Dialog("alert", text[:240], "accepted"))
    seen = watch.drain()
    step = BrowserStepped(
        phase="verify", step=1, action="click", console=seen.console, dialogs=seen.dialogs, blocked=seen.notes
    )
    assert len(encode(Record(1, 0.0, 1, step))) < MAX_LINE / 2
    assert len(seen.notes) == times or seen.notes[-1].startswith("… and")
    assert len(msgspec.json.encode(seen)) < MAX_LINE / 2
