"""The columns of an episode as SQL, and the values that are handed to a query beside its text."""

from collections.abc import Collection

_CASE = "LEFT JOIN cases AS c ON c.run = a.run AND c.case_id = a.case_id"
_RUN = "LEFT JOIN runs AS r ON r.run = a.run"
_JUDGING = "LEFT JOIN judgings AS j ON j.episode = a.episode AND j.is_primary AND j.status = 'scored'"
_NEGATIVE = """LEFT JOIN (
    SELECT episode, bool_or(verdict <> 'passed') AS missed
    FROM verdicts WHERE is_primary AND assertion = 'NEGATIVE' GROUP BY episode
) AS n ON n.episode = a.episode"""

_ELSEWHERE = {
    "application_type": ("c.application_type", _CASE),
    "category": ("c.category", _CASE),
    "kind": ("r.kind", _RUN),
    "passed": ("j.passed", _JUDGING),
    "slots": ("j.passed + j.failed + j.unobserved + j.unjudged", _JUDGING),
    "negative_missed": ("n.missed", _NEGATIVE),
    "tokens": ("a.tokens_in + a.tokens_out", ""),
    "priced": ("a.cost IS NOT NULL", ""),
    "submits": ("contains(a.actions, 'S')", ""),
    "asked_first": ("position('C' IN a.actions) BETWEEN 1 AND position('I' IN a.actions || 'I') - 1", ""),
}
"""Of a column that is no column of `attempts`: the SQL, and the join that it needs.

`passed` of `slots` are None until judged; `negative_missed`: a NEGATIVE slot was not passed, by the primary judging;
`priced`: its cost is known; `submits`: it submitted; `asked_first`: it asked before it wrote any code.
"""


class Bound:
    """Values that a query is given beside its text, so that none is ever read as SQL."""

    def __init__(self) -> None:
        self.values: dict[str, object] = {}

    def __call__(self, value: object) -> str:
        """What stands in the text for the value."""
        name = f"v{len(self.values)}"
        self.values[name] = value
        return f"${name}"


def column(name: str) -> str:
    """The SQL of a column of the episodes `a`."""
    return _ELSEWHERE[name][0] if name in _ELSEWHERE else f"a.{name}"


def joins(names: Collection[str]) -> str:
    """What the episodes `a` must be joined with for these columns."""
    needed = {_ELSEWHERE[name][1]: None for name in sorted(names) if name in _ELSEWHERE}
    return " ".join(needed)
