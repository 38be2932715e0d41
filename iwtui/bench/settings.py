"""How the models of a run are called: the parameters and the limits of each role, and of single models.

In a configuration file a section is flat, `[roles.builder]` or `[models."openai/x"]`: keys of ours and parameters of
LiteLLM side by side. No key of a provider ever stands there: `api_key = "env:NAME"` names the environment variable that
holds it, and `"env:NAME"` may stand for any other text, such as a header. So the settings can be stored with the run.
"""

import difflib
import re
from collections.abc import Iterator, Mapping
from typing import Annotated, Any, Literal

import msgspec

ROLES = ("builder", "copilot", "client", "judge", "intent", "visual")
SEEING = frozenset({"builder", "copilot", "judge", "visual"})
"""Roles that are shown pictures."""

FROM_ENVIRONMENT = "env:"

_DEFAULTS: dict[str, dict[str, Any]] = {"builder": {"temperature": 0.5, "max_tokens": 16_000}}
"""The builder's as in the official harness. The other roles' callers say what they need."""

_OURS_ALONE = frozenset(
    "model messages stream stream_options num_retries max_retries timeout stream_timeout n tools tool_choice functions "
    "function_call drop_params mock_response fallbacks logger_fn".split()
)
_WELL_KNOWN = (
    "temperature top_p top_k min_p max_tokens max_completion_tokens stop seed presence_penalty frequency_penalty "
    "repetition_penalty logit_bias reasoning_effort thinking verbosity response_format service_tier extra_headers "
    "extra_body api_base api_version api_key organization user custom_llm_provider safety_settings metadata"
).split()
_SECRET_NAME = re.compile(r"(key|token|secret|password|credentials?|authorization|cookie)$", re.IGNORECASE)
_SECRET_VALUE = re.compile(
    r"\b(?:sk|pk|gsk|hf|xai|ghp)[-_]\w{8}|\bAIza\w{8}|\bBearer\s|://[^\s/@]+:[^\s/@]+@", re.IGNORECASE
)
_VARIABLE = re.compile(r"[A-Za-z_]\w*", re.ASCII)

Positive = Annotated[int, msgspec.Meta(ge=1)]
Seconds = Annotated[float, msgspec.Meta(gt=0)]
Dollars = Annotated[float, msgspec.Meta(ge=0)]


class CallSettings(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """One section. `parameters` are LiteLLM's, passed on as they are.

    `vision`: `probe` a role that gets pictures before the run, `assume` that it sees them, or send it `none`.
    `max_cost` is in US dollars for the whole run; the prices are US dollars a token, for a model whose price is not known.
    `token_limit` and `call_limit` (seconds) stand in for those of all models.
    """

    vision: Literal["probe", "assume", "none"] | None = None
    requests_per_minute: Positive | None = None
    tokens_per_minute: Positive | None = None
    concurrency: Positive | None = None
    max_cost: Dollars | None = None
    token_limit: Seconds | None = None
    call_limit: Seconds | None = None
    input_cost_per_token: Dollars | None = None
    output_cost_per_token: Dollars | None = None
    parameters: dict[str, Any] = {}

    def over(self, other: "CallSettings") -> "CallSettings":
        """These settings, and the other's where these say nothing."""
        own = {name: value for name, value in msgspec.structs.asdict(self).items() if value is not None}
        return msgspec.structs.replace(other, **own | {"parameters": {**other.parameters, **self.parameters}})


class Settings(msgspec.Struct, frozen=True, omit_defaults=True):
    """The sections of a run, by role and by LiteLLM model string."""

    roles: dict[str, CallSettings] = {}
    models: dict[str, CallSettings] = {}

    def of(self, role: str, model: str) -> CallSettings:
        """What holds for a role that is played by a model: the model's section, then the role's, then the role's default."""
        nothing = CallSettings()
        default = CallSettings(parameters=_DEFAULTS.get(role, {}))
        return self.models.get(model, nothing).over(self.roles.get(role, nothing)).over(default)

    def whole(self) -> "Settings":
        """With the defaults of the roles spelt out, as a run keeps them."""
        spelt = {
            role: self.roles.get(role, CallSettings()).over(CallSettings(parameters=given))
            for role, given in _DEFAULTS.items()
        }
        return Settings(self.roles | spelt, self.models)


_OURS = tuple(name for name in CallSettings.__struct_fields__ if name != "parameters")


def read_section(table: object) -> CallSettings:
    """A section as a file has it. Raises ValueError that says what is wrong, and for an unknown key the nearest one."""
    if not isinstance(table, Mapping):
        raise ValueError(f"a table of settings is wanted, not {table!r}")
    for key in table:
        _check_name(key)
    ours = {key: value for key, value in table.items() if key in _OURS}
    others = {key: value for key, value in table.items() if key not in _OURS}
    for path, value in _leaves(others):
        _check_value(path, value)
    try:
        return msgspec.convert({**ours, "parameters": others}, CallSettings)
    except msgspec.ValidationError as error:
        raise ValueError(str(error)) from None


def misplaced(key: str) -> str:
    """Why a key cannot stand outside of the sections; empty for one that is of no section either."""
    if key in _OURS or key in _WELL_KNOWN:
        return 'belongs into [roles.<role>] or [models."<model>"]'
    if _SECRET_NAME.search(key):
        return "is no setting: a provider's key stands in the environment alone"
    return ""


def section_for_role(role: str) -> str:
    """The role itself. Raises ValueError with the nearest for one that is not there."""
    if role not in ROLES:
        near = difflib.get_close_matches(role, ROLES, 1, 0)
        raise ValueError(f"unknown role {role!r}; the nearest is {near[0]!r}")
    return role


def variables(settings: CallSettings) -> Iterator[str]:
    """The names of the environment variables that the parameters need."""
    for _, value in _leaves(settings.parameters):
        if isinstance(value, str) and value.startswith(FROM_ENVIRONMENT):
            yield value.removeprefix(FROM_ENVIRONMENT)


def resolved(value: Any, environ: Mapping[str, str]) -> Any:
    """The parameters with each `env:NAME` replaced. Raises KeyError with the name of a variable that is not set."""
    if isinstance(value, Mapping):
        return {key: resolved(item, environ) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [resolved(item, environ) for item in value]
    if isinstance(value, str) and value.startswith(FROM_ENVIRONMENT):
        return environ[value.removeprefix(FROM_ENVIRONMENT)]
    return value


def _check_name(key: str) -> None:
    if key in _OURS_ALONE or key == "parameters":
        raise ValueError(f"{key!r} cannot be set")
    if key in _OURS or key in _WELL_KNOWN:
        return
    near = difflib.get_close_matches(key, (*_OURS, *_WELL_KNOWN), 1, 0.85)
    if near:
        raise ValueError(f"unknown key {key!r}; the nearest is {near[0]!r}")


def _check_value(path: str, value: object) -> None:
    """No secret may stand in a file that is copied into the run's folder."""
    if not isinstance(value, str):
        return
    if value.startswith(FROM_ENVIRONMENT):
        if not _VARIABLE.fullmatch(value.removeprefix(FROM_ENVIRONMENT)):
            raise ValueError(f"{path}: 'env:' wants the name of an environment variable after it")
    elif _SECRET_NAME.search(path) or _SECRET_VALUE.search(value):
        raise ValueError(
            f'{path}: a key must not stand in a file; put it into an environment variable and write "env:ITS_NAME" here'
        )


def _leaves(value: object, path: str = "") -> Iterator[tuple[str, object]]:
    if isinstance(value, Mapping):
        for key, item in value.items():
            yield from _leaves(item, f"{path}.{key}" if path else str(key))
    elif isinstance(value, list | tuple):
        for item in value:
            yield from _leaves(item, path)
    else:
        yield path, value
