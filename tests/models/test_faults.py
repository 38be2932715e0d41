"""Kinds of faults, and what may be said about them."""

import pytest

from iwtui.models.errors import MAX_MESSAGE, fault_of, redacted


class _LibraryError(Exception):
    def __init__(self, text: str, status_code: int | None = None) -> None:
        super().__init__(text)
        self.status_code = status_code


@pytest.mark.parametrize(
    "text",
    [
        "invalid key sk-proj-abcdefghijklmnop",
        "Authorization: Bearer abcdefghijkl0123",
        "api_key=abcdefghijkl0123 is wrong",
        '{"api-key": "abcdefghijkl0123"}',
        "GET https://user:abcdefghijkl0123@host/v1 failed",
        "token eyJhbGciOiJI.eyJzdWIiOiIx.c2lnbmF0dXJl expired",
        "key AIzaSyAbcdefghijkl0123 is not known",
    ],
)
def test_what_looks_like_a_key_is_hidden(text: str) -> None:
    shown = redacted(text)
    assert "[key]" in shown
    for secret in ("abcdefghijkl", "eyJhbGci", "AIzaSy"):
        assert secret not in shown


def test_a_key_of_any_shape_is_hidden_when_it_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOME_PROVIDER_API_KEY", "plainwordkey")
    assert redacted("no such key: plainwordkey") == "no such key: [key]"
    assert redacted("no such key: another-one", ("another-one",)) == "no such key: [key]"


def test_ordinary_words_stay() -> None:
    text = "The model sk is unknown; ask-me-anything has no authorization"
    assert redacted(text) == text


def test_a_message_is_one_bounded_line_without_control_characters() -> None:
    shown = redacted("a\x1b[31m\nb" + "c" * 10_000)
    assert len(shown) <= MAX_MESSAGE
    assert "\n" not in shown
    assert "\x1b" not in shown


@pytest.mark.parametrize(
    ("text", "status", "kind"),
    [
        ("rate limited, context length irrelevant", 429, "rate limit"),
        ("maximum context length is 4096", 500, "context overflow"),
        ("overloaded", 529, "server"),
        ("no route", None, "server"),
        ("Cannot connect to host", None, "connection"),
        ("Connection error.", 500, "connection"),
        ("unsupported parameter", 422, "refused request"),
        ("request timed out", 408, "timeout"),
        ("Missing credentials. Please pass an `api_key`, or set the `OPENAI_API_KEY`", 500, "authentication"),
        ("Missing Gemini API key. Set the GEMINI_API_KEY", None, "authentication"),
    ],
)
def test_status_and_wording_tell_the_kind(text: str, status: int | None, kind: str) -> None:
    found = fault_of(_LibraryError(text, status), 1.5)
    assert (found.kind, found.status, found.seconds) == (kind, status, 1.5)
    assert str(found) == f"{kind}: {found.message}"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("litellm.AuthenticationError: AuthenticationError: OpenAIException - Incorrect key", "Incorrect key"),
        ("litellm.APIError: AzureException APIError - Missing credentials", "Missing credentials"),
        ("litellm.BadRequestError: LLM Provider NOT provided", "LLM Provider NOT provided"),
        ("litellm.X: Missing Gemini API key.\nTraceback (most recent call last):\n  File", "Missing Gemini API key."),
        ("OurError: as it came - whole", "OurError: as it came - whole"),
    ],
)
def test_the_providers_own_words_are_told_without_the_librarys(text: str, said: str) -> None:
    assert fault_of(_LibraryError(text, 400), 0.0).message == said


def test_a_call_without_a_key_was_never_sent_and_cost_nothing() -> None:
    assert fault_of(_LibraryError("Missing credentials.", 500), 0.0).cost == 0
    assert fault_of(_LibraryError("no route", 500), 0.0).cost is None
