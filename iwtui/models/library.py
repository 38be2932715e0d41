"""LiteLLM, made quiet. It takes seconds to import, so that is done when it is first needed, and once."""

import os
import threading
from functools import cache
from typing import Any

_BEFORE_IMPORT = {
    "LITELLM_LOCAL_MODEL_COST_MAP": "True",  # else the import fetches a price list from the network
    "LITELLM_LOG": "CRITICAL",
    "REPEATED_STREAMING_CHUNK_LIMIT": "1000000",  # 100 equal chunks are no fault
}
_importing = threading.Lock()


def litellm() -> Any:
    """The module, with the scripted models as one of its providers."""
    with _importing:
        return _prepared()


@cache
def _prepared() -> Any:
    for name, value in _BEFORE_IMPORT.items():
        os.environ.setdefault(name, value)
    import litellm

    from iwtui.models.scripted.provider import NAME, ScriptedModels

    litellm.suppress_debug_info = True  # else it prints to stdout on every error
    litellm.telemetry = False
    others = [entry for entry in litellm.custom_provider_map if entry["provider"] != NAME]
    litellm.custom_provider_map = [*others, {"provider": NAME, "custom_handler": ScriptedModels()}]
    return litellm
