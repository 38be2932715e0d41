"""How long a provider asks to wait: in a header, in seconds or as a date, or in the words of the error."""

import re
import time
from collections.abc import Mapping
from email.utils import parsedate_to_datetime
from typing import Any

_WORDS = re.compile(
    r"(?:(?:try again|retry)\s+(?:in|after)|retryDelay\W+)\s*(?:(\d+)\s*m(?!s))?\s*(?:(\d+(?:\.\d+)?)\s*(ms|s))?",
    re.IGNORECASE,
)


def retry_after(error: Any, now: float | None = None) -> float | None:
    """Seconds to wait, never negative; None when the provider says nothing that can be read."""
    for fault in (error, getattr(error, "original_exception", None)):
        headers = getattr(getattr(fault, "response", None), "headers", None) or getattr(fault, "headers", None)
        if isinstance(headers, Mapping):
            found = _from_headers({str(name).lower(): str(value) for name, value in headers.items()}, now)
            if found is not None:
                return found
    return _from_words(str(error))


def _from_headers(headers: Mapping[str, str], now: float | None) -> float | None:
    for name, unit in (("retry-after-ms", 0.001), ("retry-after", 1.0)):
        text = headers.get(name, "").strip()
        if not text:
            continue
        try:
            return max(0.0, min(float(text) * unit, 1e9))
        except ValueError:
            pass
        try:
            return max(0.0, parsedate_to_datetime(text).timestamp() - (time.time() if now is None else now))
        except ValueError:
            continue
    return None


def _from_words(text: str) -> float | None:
    """Such as "Please try again in 6m0s", "retry after 12 seconds", "retryDelay": "24s"."""
    for minutes, number, unit in _WORDS.findall(text):
        if minutes or number:
            return float(minutes or 0) * 60 + float(number or 0) * (0.001 if unit.lower() == "ms" else 1)
    return None
