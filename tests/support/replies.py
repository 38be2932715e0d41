"""Replies of models, as a test gives them."""

from iwtui.models.call import Reply


def said(text: str) -> Reply:
    """A whole answer, with nothing known of its cost."""
    return Reply(
        text=text,
        reasoning="",
        finish_reason="stop",
        answered_by=None,
        tokens_in=None,
        tokens_out=None,
        cost=None,
        seconds=0.0,
    )
