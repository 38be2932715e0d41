"""A store whose logs are written out by hand, with fixed times, so that outputs can be compared by bytes."""

from collections.abc import Callable, Sequence
from pathlib import Path

from click.testing import Result

from iwtui.archive.store import Store
from iwtui.bench.case import Assertion, Case, Persona, Slot, SlotKind
from iwtui.bench.codec import encode
from iwtui.bench.events import (
    ActionChosen,
    BrowserStepped,
    ClientReplied,
    CommandRan,
    Dialog,
    EpisodeEnded,
    EpisodeStarted,
    FileChange,
    FilesChanged,
    JudgingEnded,
    JudgingStarted,
    Known,
    ModelCalled,
    Oddity,
    Record,
    Refusal,
    SiteProbed,
    SlotJudged,
    TurnStarted,
    Verified,
    Warned,
)
from iwtui.bench.longtext import keep
from iwtui.bench.manifest import encode_manifest
from iwtui.bench.plan import Plan, Roles

BEGAN = 1_800_000_000.0
Happening = tuple[int, Known]
"""An event with its turn."""

Command = Callable[..., Result]
"""Runs a command: its arguments as texts."""

SLOTS = (
    Slot(component="Heading", expected="shows the name", assertion=Assertion.POSITIVE, kind=SlotKind.CONTENT, c_tech=1),
    Slot(component="Search", expected="narrows the list", assertion=Assertion.POSITIVE, kind=SlotKind.INTERACTION, c_tech=2),
    Slot(component="Extra", expected="nothing else", assertion=Assertion.NEGATIVE, kind=SlotKind.UNREQUESTED, c_tech=1),
)


def make_case(seed: str, persona: str, text: str = "") -> Case:
    return Case(
        id=f"{seed}_{persona}",
        seed=seed,
        persona=Persona(persona, "minimal" + text, "Be brief."),
        instruction=f"Make a site for my {seed}.{text}",
        golden="It has a name. A search narrows the list.",
        facts=(f"It has a name.{text}", "A search narrows the list."),
        slots=SLOTS,
        difficulty="easy",
        pack="test",
        title=f"The {seed}",
    )


class Scribe:
    """Writes logs into a store."""

    def __init__(self, root: Path) -> None:
        self.store = Store(root)

    def run(
        self, name: str, cases: Sequence[Case], builders: Sequence[str] = ("scripted/blind",), kind: str = "run"
    ) -> None:
        plan = Plan(
            run=name,
            kind=kind,
            pack="test",
            builders=tuple(builders),
            roles=Roles(copilot="scripted/copilot", client="scripted/client"),
            case_ids=tuple(case.id for case in cases),
            created=BEGAN,
        )
        self.store.create_run(plan, cases)

    def episode(self, run: str, stem: str, happenings: Sequence[Happening]) -> None:
        self._write(self.store.run(run).path / "episodes" / f"{stem}.jsonl", happenings)

    def judging(self, run: str, stem: str, happenings: Sequence[Happening]) -> None:
        self._write(self.store.run(run).path / "judgings" / f"{stem}.checks.jsonl", happenings)

    def _write(self, path: Path, happenings: Sequence[Happening]) -> None:
        records = [Record(seq, BEGAN + seq, turn, event) for seq, (turn, event) in enumerate(happenings)]
        path.write_bytes(b"".join(encode(record) for record in records))


def started(case: Case, builder: str = "scripted/blind", attempt: int = 1, text: str = "") -> Happening:
    return 0, EpisodeStarted(
        case_id=case.id,
        persona=case.persona.id,
        builder=builder,
        repeat=1,
        attempt=attempt,
        difficulty=case.difficulty,
        turns=15,
        failed_verifies=6,
        verify_steps=8,
        models={"builder": builder},
        system="You build." + text,
        scripted=True,
    )


def whole_episode(scribe: Scribe, case: Case, text: str = "") -> list[Happening]:
    """An episode in which everything happens once. `text` is added wherever others can put a text of theirs."""
    blobs = scribe.store.blobs
    page = blobs.put(b"<h1>Crumb</h1>")
    manifest = blobs.put(encode_manifest({"index.html": (page, 14)}))
    change = FileChange(path="index.html" + text, op="add", blob=page, size=14, added=12, removed=0, elided=True)
    dialog = Dialog("alert", "Saved" + text, "accepted" + text)
    return [
        started(case, text=text),
        (0, Warned(where="log" + text, text="a torn line was set aside" + text)),
        (1, TurnStarted(message=case.instruction)),
        (
            1,
            ModelCalled(
                role="builder", model="m" + text, ordinal=0, request=(), reply="…", tokens_in=10, tokens_out=5, cost=0.25
            ),
        ),
        (
            1,
            ActionChosen(
                action="clarify",
                stood=("clarify", "implement"),
                question="Which colour?" + text,
                prose="Hm." + text,
                reasoning="I wonder." + text,
                oddities=(Oddity("unclosed", "boltAction" + text),),
                cut=True,
            ),
        ),
        (1, ClientReplied(question="Which colour?", reply="Ivory." + text, retrieved=(0,), disclosed=(0, 1), leaked=(1,))),
        (2, TurnStarted(message="Ivory.")),
        (2, ModelCalled(role="builder", model="m", ordinal=0, request=(), fault="timeout" + text, fault_kind="timeout")),
        (2, ActionChosen(action="implement", stood=("implement",), files=("index.html",))),
        (
            2,
            FilesChanged(
                manifest=manifest,
                files=1,
                lines=12,
                changes=(change,),
                more_changes=3,
                refused=(Refusal("../x" + text, "outside" + text),),
            ),
        ),
        (2, CommandRan(command="npm install" + text, exit_code=1, output=keep(blobs, ("a line" + text + "\n") * 900))),
        (2, CommandRan(command="rm -rf /", refused="not allowed" + text)),
        (
            2,
            SiteProbed(
                phase="implement",
                ok=True,
                title="Crumb" + text,
                seconds=0.25,
                console=("warn" + text,),
                blocked=("http://cdn.example/x.js" + text,),
            ),
        ),
        (3, TurnStarted(message="It runs.")),
        (3, ActionChosen(action="verify", stood=("verify",), path="/", criteria="The search works" + text)),
        (
            3,
            BrowserStepped(
                phase="verify",
                step=1,
                action="click",
                target='[1] button "Go"' + text,
                thought="Try." + text,
                result="clicked" + text,
                dialogs=(dialog,),
                console=("error" + text,),
                blocked=("http://a/" + text,),
            ),
        ),
        (
            3,
            Verified(
                path="/",
                criteria="The search works",
                status="failed",
                report="It does not narrow." + text,
                steps=1,
                streak=2,
            ),
        ),
        (4, TurnStarted(message="Audit failed.")),
        (4, ActionChosen(action="malformed", stood=())),
        (4, Warned(where="parser" + text, text="half a surrogate" + text)),
        (5, TurnStarted(message="Unusable.")),
        (5, ActionChosen(action="submit", stood=("submit",))),
        (5, EpisodeEnded(status="played", stop_reason="submitted", text="Done." + text)),
    ]


def whole_judging(text: str = "", manifest: str = "0" * 64) -> list[Happening]:
    return [
        (5, JudgingStarted(judge="checks", slots=3, manifest=manifest, turn_judged=5)),
        (
            5,
            BrowserStepped(
                phase="judging", step=1, action="see", target='heading "Crumb"' + text, result="there" + text, slot=0
            ),
        ),
        (5, SlotJudged(slot=0, verdict="passed", reason="The heading says Crumb." + text, evidence=1)),
        (
            5,
            BrowserStepped(
                phase="judging", step=1, action="fill", target="searchbox", result="no such element" + text, slot=1
            ),
        ),
        (5, SlotJudged(slot=1, verdict="failed", reason="There is no search box." + text, evidence=3)),
        (5, JudgingEnded(status="scored", text="All slots were looked at." + text)),
    ]


def add_whole(scribe: Scribe, run: str, text: str = "") -> str:
    case = make_case("bakery", "P-MIN", text)
    scribe.run(run, [case])
    stem = "bakery_P-MIN.scripted-blind.r1.a1"
    scribe.episode(run, stem, whole_episode(scribe, case, text))
    scribe.judging(run, stem, whole_judging(text))
    return f"{run}/{stem}"
