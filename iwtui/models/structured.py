"""Answers of a given shape, from models that can be held to one."""

from collections.abc import Mapping
from typing import Any

from iwtui.bench.plan import is_scripted


def response_format(litellm: Any, model: str, schema: Mapping[str, Any] | None) -> dict[str, Any] | None:
    """What to ask the provider for so that the answer fits a JSON schema; None where the model is not known to do that."""
    if schema is None or is_scripted(model) or not litellm.supports_response_schema(model=model):
        return None
    return {"type": "json_schema", "json_schema": {"name": "answer", "strict": True, "schema": dict(schema)}}
