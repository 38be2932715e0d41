"""The comparison of two episodes as one JSON object."""

from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:
    from iwtui.analysis.compare_episodes import Moment
    from iwtui.analysis.compare_logs import EpisodeComparison, EpisodeRead


def episodes_object(found: "EpisodeComparison") -> dict[str, object]:
    """Who was compared, where they part, which files differ, which pictures belong together, and what was said."""
    parting = found.divergence
    return {
        "a": _episode(found.a),
        "b": _episode(found.b),
        "warnings": found.warnings,
        "unread": found.unread,
        "divergence": None
        if parting is None
        else {
            "equal": parting.equal,
            "differs": parting.differs,
            "a": _moment(parting.a),
            "b": _moment(parting.b),
        },
        "files": msgspec.to_builtins(found.files),
        "files_at_divergence": msgspec.to_builtins(found.files_then),
        "pictures": msgspec.to_builtins(found.pictures),
        "dialogue": [
            {"turn": turn, "a": msgspec.to_builtins(a), "b": msgspec.to_builtins(b)} for turn, a, b in found.dialogue
        ],
    }


def _episode(episode: "EpisodeRead") -> dict[str, object]:
    started = episode.state.started
    return {
        "episode": str(episode.name),
        "builder": started.builder if started else None,
        "status": episode.status,
        "turns": episode.state.turn,
        "judging": episode.judging_name or None,
        "scripted": started.scripted if started else None,
    }


def _moment(moment: "Moment | None") -> dict[str, object] | None:
    if moment is None:
        return None
    return {
        "event": moment.seq,
        "in_judging": moment.judging,
        "turn": moment.turn,
        "kind": moment.kind,
        "parts": dict(moment.parts),
        "told": moment.told,
    }
