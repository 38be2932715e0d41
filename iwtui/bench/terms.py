"""The terms on which the client answers: how much it is ready to be asked, and how long it holds on to clashing wishes."""

from typing import Annotated

import msgspec

NO_TIME = "I have no more time for questions. Please go by what I have told you."
"""What the client says when the questions that it has time for are used up."""


class Terms(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """`questions`: how many the client answers, None for any number; what comes after is told NO_TIME.

    `question_cost`: what an answered question costs, in points of TCR (0 to 1); it stands beside TCR and never in it.
    `conflict_challenges`: how often the client must be told that a wish clashes before it gives it up; 1 as in the paper.
    """

    questions: Annotated[int, msgspec.Meta(ge=0)] | None = None
    question_cost: Annotated[float, msgspec.Meta(ge=0, le=1)] = 0.0
    conflict_challenges: Annotated[int, msgspec.Meta(ge=1)] = 1

    def for_builder(self) -> str:
        """What the builder is told of them, as lines of its rules; empty where there is nothing to tell."""
        lines: list[str] = []
        if self.questions is not None:
            lines.append(
                f"- The client has time for {self.questions} question{'' if self.questions == 1 else 's'} in all.\n"
            )
        if self.question_cost:
            lines.append(f"- Each question that the client answers costs {100 * self.question_cost:g} points of 100.\n")
        return "".join(lines)
