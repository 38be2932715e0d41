"""What calls cost, in US dollars: by the settings, else by LiteLLM's own price list; None when neither knows."""

from typing import Any

import msgspec

from iwtui.bench.plan import is_scripted
from iwtui.bench.settings import CallSettings
from iwtui.models.library import litellm


class Price(msgspec.Struct, frozen=True):
    """US dollars a token. `context` is how many tokens a request may have, `output` an answer; None when nobody can tell."""

    input: float
    output: float
    context: int | None = None
    output_limit: int | None = None


FREE = Price(0.0, 0.0)


def price(model: str, settings: CallSettings) -> Price | None:
    """The price of a model's tokens; None when it is not known. Imports LiteLLM, for any but a scripted model."""
    if is_scripted(model):
        return FREE
    try:
        listed: dict[str, Any] = dict(litellm().get_model_info(model))
    except Exception:  # whatever the library raises for a model that is not on its list
        listed = {}
    given, written = settings.input_cost_per_token, settings.output_cost_per_token
    if given is None:
        given = listed.get("input_cost_per_token")
    if written is None:
        written = listed.get("output_cost_per_token")
    if given is None or written is None:
        return None
    return Price(given, written, listed.get("max_input_tokens"), listed.get("max_output_tokens"))


def cost_of(model: str, usage: Any, settings: CallSettings) -> float | None:
    """What a call cost by the usage that its answer came with."""
    if is_scripted(model):
        return 0.0
    if usage is None:
        return None
    if settings.input_cost_per_token is not None and settings.output_cost_per_token is not None:
        return float(
            (getattr(usage, "prompt_tokens", 0) or 0) * settings.input_cost_per_token
            + (getattr(usage, "completion_tokens", 0) or 0) * settings.output_cost_per_token
        )
    library = litellm()
    try:
        answer = library.ModelResponse(model=model, usage=usage)
        return float(library.completion_cost(completion_response=answer, model=model))
    except Exception:  # whatever the library raises for a model that has no price
        return None
