"""What a report's page tells of a run, one episode at a time, so that a run of any size fits into memory."""

from collections.abc import Iterator
from itertools import islice

import msgspec

from iwtui.archive.exporters.played import Played, Texts, read_played
from iwtui.archive.run_folder import RunFolder
from iwtui.bench.fold import Turn
from iwtui.bench.names import EpisodeName
from iwtui.bench.score import Verdict
from iwtui.bench.status import Status
from iwtui.bench.text import visible
from iwtui.bench.weights import weights
from iwtui.cli.html.pictures import Pictures, Shown

MAX_TEXT = 4_000
"""Characters of one text in a page."""

MAX_FAILED = 2_000
"""Slots that did not pass, in a page."""

MAX_TOLD = 1_000
"""Episodes that are told turn by turn."""


class Failed(msgspec.Struct, frozen=True):
    """A slot that did not pass: what was expected, what the judge says, and what it had before its eyes."""

    episode: str
    anchor: str
    slot: int
    component: str
    expected: str
    assertion: str
    verdict: str
    weight: float
    reason: str
    action: str
    picture: Shown | None


class Exchange(msgspec.Struct, frozen=True):
    """One turn in words. `said` is the question, the criteria or the prose; `came` what came of it."""

    turn: int
    action: str
    said: str
    came: str
    files: tuple[str, ...]


class Told(msgspec.Struct, frozen=True):
    """An episode with its dialogue."""

    name: str
    anchor: str
    instruction: str
    exchanges: tuple[Exchange, ...]
    ended: str


class Gatherer:
    """Reads the episodes of a run that a page tells of, `names` in their order."""

    def __init__(self, folder: RunFolder, names: list[EpisodeName], pictures: Pictures) -> None:
        self._folder = folder
        self._anchors = {name: f"e{number}" for number, name in enumerate(names, 1)}
        self._texts = Texts(folder.blobs)
        self._pictures = pictures
        self._failed = 0
        self.failed_left_out = 0

    def failed(self) -> Iterator[Failed]:
        """The slots that did not pass, by the judging that gives the score, episode by episode."""
        for name in self._anchors:
            episode = read_played(self._folder, name)
            for slot, verdict in _not_passed(episode):
                self._failed += 1
                if self._failed <= MAX_FAILED:
                    yield self._failing(episode, slot, verdict)
                else:
                    self.failed_left_out += 1

    def _failing(self, episode: Played, slot: int, verdict: Verdict) -> Failed:
        case, judging = episode.case, episode.judging
        assert case is not None and judging is not None
        asked = case.slots[slot]
        judged = next((judged for judged in reversed(judging.verdicts) if judged.slot == slot), None)
        step = dict(judging.steps).get(judged.evidence) if judged and judged.evidence is not None else None
        return Failed(
            episode=episode.name.stem,
            anchor=self._anchors[episode.name],
            slot=slot + 1,
            component=cut(asked.component),
            expected=cut(asked.expected),
            assertion=asked.assertion.value,
            verdict=verdict.value,
            weight=weights(case.slots)[slot],
            reason=cut(self._texts(judged.reason)) if judged else "",
            action=cut(f"{step.action} {step.target}".strip()) if step else "",
            picture=self._pictures.show(step.picture) if step and step.picture else None,
        )

    def told(self) -> Iterator[Told]:
        """The episodes with their dialogue, the first MAX_TOLD."""
        for name in islice(self._anchors, MAX_TOLD):
            episode = read_played(self._folder, name)
            state = episode.state
            first = self._texts(state.turns[0].message) if state.turns else ""
            yield Told(
                name=name.stem,
                anchor=self._anchors[name],
                instruction=cut(episode.case.instruction if episode.case else first),
                exchanges=tuple(self._exchange(turn) for turn in state.turns),
                ended=cut(_ended(episode)),
            )

    @property
    def told_left_out(self) -> int:
        """Episodes that are not told."""
        return max(0, len(self._anchors) - MAX_TOLD)

    def _exchange(self, turn: Turn) -> Exchange:
        action = turn.action
        if action is None:
            return Exchange(turn.number, "", "", "; ".join(warning.text for warning in turn.warnings)[:MAX_TEXT], ())
        said = next(filter(None, map(self._texts, (action.question, action.criteria, action.prose))), "")
        changes = turn.files.changes if turn.files else ()
        files = tuple(f"{change.path} +{change.added} −{change.removed}" for change in changes[:12])
        more = (f"and {len(changes) - 12} more",) if len(changes) > 12 else ()
        return Exchange(turn.number, action.action, cut(said), cut(self._came(turn)), (*files, *more))

    def _came(self, turn: Turn) -> str:
        if turn.reply:
            return self._texts(turn.reply.reply)
        if turn.verified:
            return f"{turn.verified.status}: {self._texts(turn.verified.report)}"
        down = next((probe for probe in turn.probes if not probe.ok), None)
        return f"the site does not run: {down.reason}" if down else ""


def _not_passed(episode: Played) -> Iterator[tuple[int, Verdict]]:
    judging, case = episode.judging, episode.case
    if judging is not None and case is not None and episode.status is Status.SCORED:
        verdicts = judging.slot_verdicts(len(case.slots))
        yield from ((slot, verdict) for slot, verdict in enumerate(verdicts) if verdict is not Verdict.PASSED)


def _ended(episode: Played) -> str:
    ended = episode.state.ended
    judged = episode.judging.ended.text if episode.judging and episode.judging.ended else ""
    said = [ended.stop_reason, ended.text] if ended else ["has not ended"]
    return "; ".join(filter(None, [*said, judged]))


def cut(text: str) -> str:
    """Visible text, cut with a note of its whole length."""
    if len(text) <= MAX_TEXT:
        return visible(text)
    return f"{visible(text[:MAX_TEXT])}… (the beginning of {len(text):,} characters)"
