"""Writes a run as the official harness's folders, which its scripts read.

`<builder>/logs/<case>/interaction_history.json, history.json, visual_step_<n>.png, eval_webvoyager/..`,
`<builder>/workspaces/<case>/..`, `<builder>/intent_ask_evaluation.json, api_aesthetic_evaluation.json`; beside the builders
`tasks.jsonl`, the cases as rows of the task file, and `cases.jsonl`, the cases as this program freezes them.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from iwtui.archive.blobs import BlobStore
from iwtui.archive.exporters.official_ending import final_note, judge_talk
from iwtui.archive.exporters.official_files import Workspaces
from iwtui.archive.exporters.official_measures import write_measures
from iwtui.archive.exporters.official_pictures import Frames
from iwtui.archive.exporters.official_rows import task_row
from iwtui.archive.exporters.official_talk import trajectory
from iwtui.archive.exporters.played import Played, Texts, played
from iwtui.archive.run_folder import RunFolder
from iwtui.bench.status import Status
from iwtui.packs import write_cases

NOT_HELD = (
    "times, tokens, costs and models other than the builder",
    "attempts that a later one took the place of; judgings but the primary one, beside the measures of intent and looks",
    "frames of a Verify that a later one of the same episode had a step for; marks, consoles, dialogs and blocked requests",
    "what was refused to be written; why an episode ended by a fault, or was cancelled",
    "facts, kinds and checks of slots, unless `cases.jsonl` is given with the folder",
)
"""What the format has no place for, beside what is told of single episodes."""


class LeftOut(msgspec.Struct, frozen=True):
    """Something of one episode or case that the format does not hold, or that could not be read."""

    of: str
    text: str


class Written(msgspec.Struct, frozen=True):
    """What was written. `not_held` is true of every export in this format, `left_out` of this one."""

    episodes: int
    builders: tuple[str, ...]
    not_held: tuple[str, ...]
    left_out: tuple[LeftOut, ...]


def write_official(folder: RunFolder, target: Path) -> Written:
    """Write the run into a folder that is empty. Raises OSError, StoreError."""
    left_out: list[LeftOut] = []
    measured: dict[str, list[Played]] = {}
    episodes = 0
    for episode in played(folder):
        builder = episode.name.builder + (f".r{episode.name.repeat}" if episode.name.repeat > 1 else "")
        writing = _Episode(episode, folder.blobs, target / builder)
        writing.write()
        left_out += [LeftOut(str(episode.name), text) for text in writing.left_out]
        measured.setdefault(builder, []).append(msgspec.structs.replace(episode, state=_without_turns(episode)))
        episodes += 1
    for builder, theirs in measured.items():
        write_measures(theirs, Texts(folder.blobs), target / builder)
    cases = [case for case in folder.cases.values() if case.golden and case.facts]
    unknown = [case for case in folder.cases.values() if case not in cases]
    left_out += [LeftOut(case.id, "no row of tasks.jsonl: its golden instruction is not known") for case in unknown]
    (target / "cases.jsonl").write_bytes(write_cases(cases))
    (target / "tasks.jsonl").write_bytes(b"".join(msgspec.json.encode(task_row(case)) + b"\n" for case in cases))
    return Written(episodes, tuple(sorted(measured)), NOT_HELD, tuple(left_out))


def _without_turns(episode: Played) -> Any:
    """An episode's state as the measures need it: what they count is kept, the turns' texts are not."""
    bare = tuple(
        msgspec.structs.replace(turn, message="", calls=(), commands=(), probes=(), steps=(), warnings=())
        for turn in episode.state.turns
    )
    return msgspec.structs.replace(episode.state, turns=bare)


class _Episode:
    """The folders of one episode."""

    def __init__(self, episode: Played, blobs: BlobStore, model: Path) -> None:
        self._episode = episode
        self._texts = Texts(blobs)
        self._logs = model / "logs" / episode.name.case
        self._frames = Frames(blobs, self._logs)
        self._workspaces = Workspaces(blobs, model / "workspaces" / episode.name.case)
        self.left_out: list[str] = []

    def write(self) -> None:
        """Write all; what could not be is in `left_out` then."""
        self._logs.mkdir(parents=True)
        final = self._final()
        said = list(trajectory(self._episode, self._texts, self._frames))
        if final is not None:
            stop = {"role": "user", "content": "[SYSTEM]: Task Stopped", "debug_info": final}
            whole = {"path_distribution_stats": _counts(self._episode), "trajectory": _numbered([*said, stop])}
            (self._logs / "interaction_history.json").write_bytes(msgspec.json.encode(whole))
        self._write_history(said)
        self._workspaces.write(self._episode.state.manifest)
        self._frames.write()
        self.left_out += [*self._workspaces.left_out, *self._frames.left_out]
        if self._texts.lost:
            self.left_out.append(f"{self._texts.lost} texts are cut: their blobs are lost")

    def _final(self) -> dict[str, Any] | None:
        final = final_note(self._episode, self._texts, self._frames)
        if final is None:
            how = "has not ended yet" if self._episode.status is Status.RUNNING else f"ended as {self._episode.status.value}"
            self.left_out.append(f"it {how}, so it has no final evaluation; imported again it is infra")
            return None
        talk = judge_talk(self._episode, self._texts, self._frames)
        if talk:
            room = self._frames.judge_folder
            room.mkdir(parents=True)
            (room / "interact_messages.json").write_bytes(msgspec.json.encode(talk))
            final["evaluation_detail"]["raw_metrics"]["Raw_Trajectory"] = talk
        return final

    def _write_history(self, said: list[dict[str, Any]]) -> None:
        """history.json, piece by piece: it has the whole workspace after each turn."""
        messages = [{"role": m["role"], "content": m["content"], "info": m.get("debug_info", {})} for m in said]
        turns = len(self._episode.state.turns)
        nodes, errors = {}, 0
        for turn in self._episode.state.turns:
            errors += turn.action is not None and turn.action.action == "malformed"
            nodes[f"step{turn.number - 1}.json"] = {"has_error": False, "pre": None, "format_errors_up_to_now": errors}
        with (self._logs / "history.json").open("wb") as out:
            out.write(b'{"messages":' + msgspec.json.encode(messages) + b',"nodes":' + msgspec.json.encode(nodes))
            out.write(b',"step_idx":%d,"workspace_files":' % max(0, turns - 1))
            self._workspaces.write_texts(self._episode.state.manifest, out)
            out.write(b',"workspace_snapshots":{')
            manifest = None
            for number, turn in enumerate(self._episode.state.turns):
                manifest = turn.files.manifest if turn.files else manifest
                out.write((b"," if number else b"") + b'"step_%d":' % number)
                self._workspaces.write_texts(manifest, out)
            out.write(b"}}")


def _numbered(said: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [{"turn": place, **message} for place, message in enumerate(said)]


_PATHS = {
    "PATH_A_CLARIFY": "clarify",
    "PATH_B_IMPLEMENT": "implement",
    "PATH_C_VERIFY": "verify",
    "PATH_D_SUBMIT": "submit",
    "FORMAT_ERROR_COUNT": "malformed",
}


def _counts(episode: Played) -> dict[str, int]:
    actions = list(_actions(episode))
    return {path: actions.count(action) for path, action in _PATHS.items()}


def _actions(episode: Played) -> Iterator[str]:
    yield from (turn.action.action for turn in episode.state.turns if turn.action)
