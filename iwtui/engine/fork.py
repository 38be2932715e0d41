"""How a fork goes on: what a person puts in the place of the builder or of the client, once, after what was inherited."""

from dataclasses import dataclass

from iwtui.bench.actions import ActionKind, Parsed, SourceFile
from iwtui.bench.case import Case
from iwtui.bench.disclosure import disclosed
from iwtui.bench.events import Blob, ClientReplied, EpisodeForked
from iwtui.bench.fold import PERSON, EpisodeState
from iwtui.bench.forks import PUT_IN, Way
from iwtui.engine.journal import Journal


@dataclass(frozen=True)
class Given:
    """A person's action, and the message that the builder takes for its own."""

    parsed: Parsed
    said: str


@dataclass(frozen=True)
class Next:
    """How the next turn begins, and what is given for it instead of asking the builder."""

    message: str
    picture: Blob | None = None
    given: Given | None = None


def is_put_in(state: EpisodeState) -> bool:
    """Whether the turn that comes next is a person's: it was broken off, and is carried out again."""
    return state.forked is not None and state.forked.way in PUT_IN and len(state.turns) == state.forked.kept


def first_turn(forked: EpisodeForked, case: Case, journal: Journal) -> Next:
    """How the first turn of its own begins. An answer that a person gives is recorded here, in the turn that asked."""
    message, text = journal.read(forked.message), journal.read(forked.text)
    match forked.way:
        case Way.ANSWER:
            return Next(_answered(case, text, journal))
        case Way.ASK:
            return Next(message, forked.picture, _question(text))
        case Way.EDIT:
            return Next(message, forked.picture, _edit(forked, journal))
    return Next(message, forked.picture)


def _answered(case: Case, reply: str, journal: Journal) -> str:
    turn = journal.state.turns[-1]
    if turn.reply is not None:
        return reply  # written before the fork was broken off
    assert turn.action is not None
    journal.write(
        ClientReplied(
            question=turn.action.question, reply=journal.keep(reply), disclosed=disclosed(case.facts, reply), by=PERSON
        )
    )
    return reply


def _question(text: str) -> Given:
    said = f'<boltAction type="ask_user">{text}</boltAction>'
    return Given(Parsed(action=ActionKind.CLARIFY, question=text, stood=(ActionKind.CLARIFY.value,)), said)


def _edit(forked: EpisodeForked, journal: Journal) -> Given:
    files = [SourceFile(file.path, journal.blobs.get(file.blob).decode("utf-8", "replace")) for file in forked.files]
    written = "\n".join(f'<boltAction type="file" filePath="{file.path}">\n{file.content}</boltAction>' for file in files)
    said = f'<boltArtifact id="edit" title="Edit">\n{written}\n</boltArtifact>'
    return Given(Parsed(action=ActionKind.IMPLEMENT, files=tuple(files), stood=(ActionKind.IMPLEMENT.value,)), said)
