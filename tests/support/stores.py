"""Stores made for tests: whole runs, written through the real writers, with a clock of their own and no agent."""

import itertools
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from iwtui.archive.blobs import BlobStore
from iwtui.archive.log import LogWriter
from iwtui.archive.run_folder import RunFolder
from iwtui.archive.store import Store
from iwtui.bench.case import Assertion, Case, Persona, Slot, SlotKind, Visibility
from iwtui.bench.checks import See
from iwtui.bench.events import (
    ActionChosen,
    BrowserStepped,
    ClientReplied,
    CommandRan,
    Controlled,
    Dialog,
    EpisodeEnded,
    EpisodeMeasured,
    EpisodeResumed,
    EpisodeStarted,
    Event,
    FileChange,
    FilesChanged,
    JudgingEnded,
    JudgingStarted,
    ModelCalled,
    Oddity,
    Refusal,
    SiteProbed,
    SlotJudged,
    TurnStarted,
    Verified,
    Warned,
)
from iwtui.bench.longtext import keep
from iwtui.bench.manifest import encode_manifest
from iwtui.bench.names import EpisodeName, episode_name
from iwtui.bench.plan import Plan, Roles
from iwtui.bench.score import Verdict
from iwtui.bench.terms import Terms

BEGAN = 1_800_000_000.0
P, F, U, J = Verdict.PASSED, Verdict.FAILED, Verdict.UNOBSERVED, Verdict.UNJUDGED

SLOTS = (
    Slot("Heading", "shows the name", Assertion.POSITIVE, SlotKind.CONTENT, 1, "Look at it", (0,), (See(text="name"),)),
    Slot("Search", "narrows the list", Assertion.POSITIVE, SlotKind.INTERACTION, 2, facts=(1,)),
    Slot("Search", "finds nothing", Assertion.POSITIVE, SlotKind.DATA, 3, facts=(1,)),
    Slot("Unrequested", "nothing else", Assertion.NEGATIVE, SlotKind.UNREQUESTED, 1),
)
"""Weights 1, 1.5, 2.25 and 1."""


def make_case(
    seed: str = "bakery", persona: str = "P-MIN", slots: tuple[Slot, ...] = SLOTS, difficulty: str = "easy"
) -> Case:
    shown = (Visibility.STATED, Visibility.MISSING, Visibility.METAPHOR, Visibility.STATED)
    return Case(
        id=f"{seed}_{persona}",
        seed=seed,
        persona=Persona(persona, persona.lower(), "Be brief."),
        instruction=f"Make a site for my {seed}.",
        golden="It has a name. A search narrows the list.",
        facts=("It has a name.", "A search narrows the list."),
        slots=slots,
        difficulty=difficulty,
        visibility=shown[: len(slots)],
        pack="made",
        title=f"The {seed}",
        application_type="Shops",
        category="Content Presentation",
    )


def ticking(start: float = BEGAN, by: float = 0.5) -> Callable[[], float]:
    """A clock that goes on by the same step at each look."""
    ticks = itertools.count()
    return lambda: start + by * next(ticks)


def make_run(
    store: Store,
    name: str,
    cases: Sequence[Case],
    builders: Sequence[str] = ("scripted/blind",),
    kind: str = "run",
    created: float = BEGAN,
    repeats: int = 1,
) -> RunFolder:
    """An empty run."""
    plan = Plan(
        run=name,
        kind=kind,
        pack="made",
        builders=tuple(builders),
        roles=Roles(copilot="scripted/copilot", client="scripted/client"),
        case_ids=tuple(case.id for case in cases),
        repeats=repeats,
        created=created,
        prompts={"builder": "0" * 64},
        versions={"iwtui": "0.1.0"},
        terms=Terms(questions=9, question_cost=0.02),
    )
    return store.create_run(plan, cases)


def play(
    folder: RunFolder,
    case: Case,
    builder: str = "scripted/blind",
    repeat: int = 1,
    attempt: int = 1,
    actions: str = "CIVS",
    end: tuple[str, str] | None = ("played", "submitted"),
    broken_after: int | None = None,
    began: float = BEGAN,
) -> EpisodeName:
    """An episode with one turn a letter (C, I, V, S; M for malformed), ended so, or not ended.

    `broken_after`: its runner broke in the middle of the turn after that many, and a new one played that turn again.
    """
    name = episode_name(folder.name, case.id, builder, repeat, attempt)
    with LogWriter(folder.episode_log(name), folder.blobs, clock=ticking(began)) as log:
        log.append(_started(case, builder, repeat, attempt), 0)
        for turn, letter in enumerate(actions, 1):
            if broken_after == turn - 1:
                first = log.next_seq
                for event in itertools.islice(_turn(folder.blobs, turn, "C", case), 4):
                    log.append(event, turn)
                log.append(EpisodeResumed(kept_turns=turn - 1, discards_from=first), turn - 1)
            for event in _turn(folder.blobs, turn, letter, case):
                log.append(event, turn)
            log.sync()
        if end:
            log.append(EpisodeEnded(status=end[0], stop_reason=end[1]), len(actions))
    return name


def judge(
    folder: RunFolder,
    name: EpisodeName,
    verdicts: Sequence[Verdict] = (),
    judging: str = "checks",
    judge: str = "checks",
    status: str | None = "scored",
    measures: dict[str, float] | None = None,
    began: float = BEGAN + 1000,
    turn: int = 2,
) -> None:
    """A judging of an episode as of a turn, with a verdict a slot; an unobserved slot gets no event."""
    manifest = folder.blobs.put(b"{}")
    with LogWriter(folder.judging_log(name, judging), folder.blobs, clock=ticking(began)) as log:
        log.append(JudgingStarted(judge=judge, slots=len(verdicts), manifest=manifest, turn_judged=turn), turn)
        for slot, verdict in enumerate(verdicts):
            step = log.append(BrowserStepped(phase="judging", step=slot, action="see", slot=slot, seconds=0.1), turn)
            if verdict is not U:
                reason = f"slot {slot} {verdict.value}"
                log.append(SlotJudged(slot=slot, verdict=verdict.value, reason=reason, evidence=step.seq, seconds=0.2), turn)
        for metric, value in (measures or {}).items():
            log.append(EpisodeMeasured(metric=metric, value=value), turn)
        if status:
            log.append(JudgingEnded(status=status), turn)


def make_store(root: Path) -> Store:
    """A store with something of everything.

    Run `policies`, ten cases by one builder: bakery0-2 scored (TCR 1, 0, 4.75/5.75), bakery3 crashed, bakery4 infra, bakery5
    cancelled, bakery6 superseded (attempt 1 scored 0, attempt 2 scored 1), bakery7 retried in vain (attempt 1 scored 1,
    attempt 2 infra), bakery8 resumed and scored 1, bakery9 running. Run `fork`: one episode, scored 1.
    """
    store = Store(root)
    cases = [make_case(f"bakery{number}") for number in range(10)]
    folder = make_run(store, "policies", cases)
    for case, verdicts in zip(cases, [(P, P, P, P), (F, F, F, U), (P, P, P, F)], strict=False):
        judge(folder, play(folder, case), verdicts)
    play(folder, cases[3], end=("crashed", "site"), actions="IV")
    play(folder, cases[4], end=("infra", "model"), actions="CM")
    play(folder, cases[5], end=("cancelled", "person"), actions="C")
    judge(folder, play(folder, cases[6]), (F, F, F, F))
    judge(folder, play(folder, cases[6], attempt=2, began=BEGAN + 5000), (P, P, P, P))
    judge(folder, play(folder, cases[7]), (P, P, P, P), measures={"IAS": 4.0, "CHR": 25.0})
    play(folder, cases[7], attempt=2, end=("infra", "browser"), began=BEGAN + 5000)
    judge(folder, play(folder, cases[8], broken_after=1), (P, P, P, P))
    play(folder, cases[9], end=None)
    fork = make_run(store, "fork", cases[:1], kind="fork", created=BEGAN + 9000)
    judge(fork, play(fork, cases[0]), (P, P, P, P))
    return store


DEFAULT_TCR = (1 + 0 + 4.75 / 5.75 + 0 + 1 + 1 + 1) / 7
"""The mean of `make_store` by the default policy: scored and crashed count, infra, cancelled and running do not."""


def _started(case: Case, builder: str, repeat: int, attempt: int) -> EpisodeStarted:
    return EpisodeStarted(
        case_id=case.id,
        persona=case.persona.id,
        builder=builder,
        repeat=repeat,
        attempt=attempt,
        difficulty=case.difficulty,
        turns=15,
        failed_verifies=6,
        verify_steps=8,
        models={"builder": builder},
        system="Build it.",
        scripted=builder.startswith("scripted/"),
    )


def _turn(blobs: BlobStore, turn: int, letter: str, case: Case) -> Iterator[Event]:
    kind = {"C": "clarify", "I": "implement", "V": "verify", "S": "submit"}.get(letter, "malformed")
    yield TurnStarted(message=case.instruction if turn == 1 else f"Go on with turn {turn}.")
    request = (blobs.put(b'{"role":"user"}'),)
    yield ModelCalled(
        role="builder", model="scripted/blind", ordinal=0, request=request, reply=f"I {kind}.", tokens_in=10, tokens_out=5,
        cost=0.25 if letter == "C" else None, seconds=0.5, finish_reason="stop", answered_by="blind",
    )  # fmt: skip
    oddities = (Oddity("unclosed", "boltAction"),) if letter == "M" else ()
    question = "Which name?" if letter == "C" else ""
    criteria = "It shows the name." if letter == "V" else ""
    yield ActionChosen(action=kind, stood=(kind,), question=question, criteria=criteria, oddities=oddities)
    match letter:
        case "C":
            yield ClientReplied(question=question, reply="Crumb.", retrieved=(0,), disclosed=(0, 1), leaked=(1,))
        case "I":
            yield from _implemented(blobs, turn)
        case "V":
            picture = blobs.put(b"picture")
            yield BrowserStepped(
                phase="verify", step=1, action="click", target="Search", thought=keep(blobs, "hm " * 2000), result="ok",
                url="http://site/", picture=picture, marks=blobs.put(b"[]"), marks_count=3, console=("a line",),
                blocked=("http://else/",), dialogs=(Dialog("alert", "hi", "accept"),), seconds=0.1,
            )  # fmt: skip
            yield Verified(path="/", criteria=criteria, status="failed", report="No name.", steps=1, streak=1)
        case "M":
            yield Warned(where="parser", text="nothing to do")
            yield Controlled(what="pause")


def _implemented(blobs: BlobStore, turn: int) -> Iterator[Event]:
    page = f"<h1>Turn {turn}</h1>".encode()
    blob = blobs.put(page)
    manifest = blobs.put(encode_manifest({"index.html": (blob, len(page))}))
    yield FilesChanged(
        manifest=manifest,
        files=1,
        lines=10 * turn,
        changes=(FileChange("index.html", "add", blob, len(page), added=1, removed=0),),
        refused=(Refusal("../x", "outside"),),
    )
    yield CommandRan(command="npm install", refused="not run")
    yield SiteProbed(phase="probe", ok=True, url="http://site/")
