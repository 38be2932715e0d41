"""What the judges of intent and looks measured, in the files of the official ones. What was not measured stands nowhere."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec

from iwtui.archive.exporters.played import Played, Texts
from iwtui.bench.events import EpisodeMeasured
from iwtui.bench.judges import INTENT, VISUAL
from iwtui.bench.status import Status

INTENT_FILE, LOOKS_FILE = "intent_ask_evaluation.json", "api_aesthetic_evaluation.json"
_LOOKS = {"visual_layout": "layout", "creative_alignment": "creative_alignment", "overall_aesthetics": "aesthetics"}
_NOT_COMPUTED = {"correlation": None, "p_value": None, "status": "not computed by this export"}


def write_measures(episodes: Sequence[Played], texts: Texts, model: Path) -> None:
    """Write both files of a builder, each if any of its episodes was measured so. CHR stands there in percent."""
    intent = [(episode, found) for episode in episodes if (found := _measured(episode, INTENT))]
    looks = [(episode, found) for episode in episodes if (found := _measured(episode, VISUAL))]
    if intent:
        (model / INTENT_FILE).write_bytes(msgspec.json.encode(_intent_file([_intent(*each, texts) for each in intent])))
    if looks:
        (model / LOOKS_FILE).write_bytes(msgspec.json.encode(_looks_file([_looks(*each, texts) for each in looks])))


def _measured(episode: Played, judge: str) -> list[EpisodeMeasured]:
    """The measures of the latest judging by a judge that came to an end."""
    theirs = [
        judging
        for judging in episode.judgings.values()
        if judging.started and judging.started.judge == judge and judging.ended and judging.ended.status == Status.SCORED
    ]
    return list(max(theirs, key=lambda judging: judging.began).measures) if theirs else []


def _whole(found: Sequence[EpisodeMeasured], metric: str) -> EpisodeMeasured | None:
    return next((m for m in reversed(found) if m.slot is None and m.metric.lower() == metric), None)


def _value(found: Sequence[EpisodeMeasured], metric: str) -> float | None:
    measured = _whole(found, metric)
    return measured.value if measured else None


def _reason(found: Sequence[EpisodeMeasured], metric: str, texts: Texts) -> str:
    measured = _whole(found, metric)
    return texts(measured.reason) if measured else ""


def _intent(episode: Played, found: Sequence[EpisodeMeasured], texts: Texts) -> dict[str, Any]:
    rate = _value(found, "chr")
    hits = [
        {"constraint_index": m.slot + 1, "reasoning": texts(m.reason), "hit": bool(m.value)}
        for m in found
        if m.slot is not None and m.value is not None and m.metric.lower() == "chr_hit"
    ]
    files = next((turn.files for turn in reversed(episode.state.turns) if turn.files), None)
    flag = episode.score.hallucinated
    return {
        "task_id": episode.name.case,
        "persona": episode.case.persona.id if episode.case else "",
        "chr": None if rate is None else 100 * rate,
        "chr_details": {"evaluations": hits} if hits else None,
        "ias": _value(found, "ias"),
        "ias_reasoning": _reason(found, "ias", texts),
        "questions_asked": len(episode.state.dialogue),
        "loc": files.lines if files else 0,
        "hallu_triggered": None if flag is None else int(flag),
    }


def _intent_file(details: list[dict[str, Any]]) -> dict[str, Any]:
    personas = {detail["persona"]: [d for d in details if d["persona"] == detail["persona"]] for detail in details}
    asked = sum(detail["questions_asked"] > 0 for detail in details)
    overall = _averages(details)
    return {
        "aggregate_overall": {
            "avg_chr": overall["chr"],
            "avg_ias": overall["ias"],
            "avg_loc": overall["loc"],
            "avg_hallu_rate": overall["hallu_triggered"],
            "ask_rate": f"{100 * asked / len(details):.1f}%",
        },
        "spearman_correlation": _NOT_COMPUTED,
        "aggregate_by_persona": {persona: _persona(theirs) for persona, theirs in personas.items()},
        "details": details,
    }


def _persona(details: list[dict[str, Any]]) -> dict[str, Any]:
    means = _averages(details)
    return {
        "avg_chr": "N/A" if means["chr"] is None else means["chr"],
        "avg_ias": means["ias"],
        "avg_loc": means["loc"],
        "hallu_rate": "N/A" if means["hallu_triggered"] is None else means["hallu_triggered"],
        "valid_ask_tasks": sum(detail["chr"] is not None for detail in details),
        "total_tasks": len(details),
    }


def _averages(details: list[dict[str, Any]]) -> dict[str, float | None]:
    return {field: _mean([detail[field] for detail in details]) for field in ("chr", "ias", "loc", "hallu_triggered")}


def _mean(values: Sequence[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return sum(known) / len(known) if known else None


def _looks(episode: Played, found: Sequence[EpisodeMeasured], texts: Texts) -> dict[str, Any]:
    bug = _value(found, "vbr")
    return {
        "task_id": episode.name.case,
        "has_visual_bug": None if bug is None else bool(bug),
        **{field: _value(found, metric) for field, metric in _LOOKS.items()},
        "reasoning": _reason(found, "vbr", texts),
    }


def _looks_file(details: list[dict[str, Any]]) -> dict[str, Any]:
    means = {field: _mean([detail[field] for detail in details]) for field in _LOOKS}
    bugs = _mean([None if d["has_visual_bug"] is None else float(d["has_visual_bug"]) for d in details])
    known = [mean for mean in means.values() if mean is not None]
    return {
        "aggregate_metrics": {
            "evaluated_samples": len(details),
            "vbr_percentage": None if bugs is None else 100 * bugs,
            **{f"avg_{field}": mean for field, mean in means.items()},
            "total_las_score": sum(known) if len(known) == len(_LOOKS) else None,
        },
        "trajectory_details": details,
    }
