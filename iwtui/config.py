"""The user's settings: command line > environment > ./iwtui.toml > the user's own iwtui.toml > defaults."""

import difflib
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated, Literal

import msgspec

from iwtui.bench.settings import CallSettings, Settings, misplaced, read_section, section_for_role
from iwtui.bench.terms import Terms
from iwtui.resources import users_own

FILE = "iwtui.toml"
_LISTS = {"builders"}
_SECTIONS = ("roles", "models")
_TABLES = {"keys", *_SECTIONS}
"""Settings that only a file can hold."""
_PATHS = {"store", "browser"}


class ConfigError(ValueError):
    """A setting that cannot be used; the message names the file or the variable it stands in."""


class Config(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The settings of every command and of the console.

    `builders`, `copilot`, `client`, `judge`, `intent` and `visual` are LiteLLM model strings (`judge` may be a judge without
    a model); `second_sweep` lets a judge with a model look at slots that it never looked at. `roles` and `models` say how
    a role or a model is called. `questions`, `question_cost` and
    `conflict_challenges` are the client's terms.

    `jobs`: episodes played at a time. `token_limit`: seconds to wait for the next token; `call_limit`: for a whole call;
    `attempts`: how often a call is made that fails by a fault that may pass; `patience`: seconds after which it is not made
    again. `max_cost`: US dollars after which a run makes no further call. `preflight`: whether the models are asked
    for a sign of life before a run. `sandbox`: what sites with a package.json are
    kept in.
    `theme`, `images` and `keys` (keys by the id of an action) are the console's. `author`: the name under which verdicts
    and notes are kept; without it that of the account.
    """

    store: str | None = None
    browser: str | None = None
    jobs: Annotated[int, msgspec.Meta(ge=1, le=64)] = 4
    builders: Annotated[tuple[str, ...], msgspec.Meta(min_length=1)] = ("scripted/blind", "scripted/clarifier")
    copilot: str = "scripted/copilot"
    client: str = "scripted/client"
    judge: str = "checks"
    second_sweep: bool = False
    intent: str | None = None
    visual: str | None = None
    questions: Annotated[int, msgspec.Meta(ge=0)] | None = None
    question_cost: Annotated[float, msgspec.Meta(ge=0, le=1)] = 0.0
    conflict_challenges: Annotated[int, msgspec.Meta(ge=1)] = 1
    roles: dict[str, CallSettings] = {}
    models: dict[str, CallSettings] = {}
    token_limit: Annotated[float, msgspec.Meta(gt=0)] = 60
    call_limit: Annotated[float, msgspec.Meta(gt=0)] = 600
    attempts: Annotated[int, msgspec.Meta(ge=1, le=100)] = 8
    patience: Annotated[float, msgspec.Meta(ge=0)] = 900
    max_cost: Annotated[float, msgspec.Meta(gt=0)] | None = None
    preflight: bool = True
    sandbox: Literal["auto", "bubblewrap", "reaper"] = "auto"
    theme: str = "dark"
    images: Literal["auto", "kitty", "sixel", "halfcell", "off"] = "auto"
    keys: dict[str, str] = {}
    author: Annotated[str, msgspec.Meta(min_length=1, max_length=80)] | None = None

    @property
    def terms(self) -> Terms:
        """The terms on which the client answers."""
        return Terms(
            questions=self.questions, question_cost=self.question_cost, conflict_challenges=self.conflict_challenges
        )

    @property
    def settings(self) -> Settings:
        """How the models of a run are called."""
        return Settings(self.roles, self.models)


def variable(key: str) -> str:
    """The environment variable of a key."""
    return "IWTUI_CHROMIUM" if key == "browser" else f"IWTUI_{key.upper()}"


def load_config(folder: Path, environ: Mapping[str, str], **given: object) -> Config:
    """The settings for a command that is run in `folder`; `given` (None: not given) is its command line.

    Raises ConfigError.
    """
    merged: dict[str, object] = {}
    for file in (users_own(FILE), folder / FILE):
        merged |= _joined(merged, _from_file(file))
    for key, value in _from_environment(environ):
        merged[key] = value
    merged |= {key: value for key, value in given.items() if value is not None}
    return _checked(merged, "command line")


def _from_file(file: Path) -> dict[str, object]:
    try:
        settings = tomllib.loads(file.read_text("utf-8-sig"))
    except FileNotFoundError:
        return {}
    except OSError as error:
        raise ConfigError(f"{file}: {error.strerror}") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ConfigError(f"{file}: {error}") from error
    for key in settings.keys() - set(Config.__struct_fields__):
        if why := misplaced(key):
            raise ConfigError(f"{file}: {key!r} {why}")
        near = difflib.get_close_matches(key, Config.__struct_fields__, 1, 0)
        raise ConfigError(f"{file}: unknown key {key!r}; the nearest is {near[0]!r}")
    for name in _SECTIONS:
        if name in settings:
            settings[name] = _sections(name, settings[name], file)
    _checked(settings, str(file))
    for key in _PATHS & settings.keys():
        settings[key] = str(file.parent / Path(settings[key]).expanduser())
    return settings


def _sections(name: str, tables: object, file: Path) -> dict[str, CallSettings]:
    """The tables `[roles.<role>]` or `[models."<model>"]`."""
    if not isinstance(tables, dict):
        raise ConfigError(f"{file}: {name}: a table is wanted")
    found: dict[str, CallSettings] = {}
    for key, table in tables.items():
        try:
            found[section_for_role(key) if name == "roles" else key] = read_section(table)
        except ValueError as error:
            raise ConfigError(f"{file}: [{name}.{key}]: {error}") from None
    return found


def _joined(below: Mapping[str, object], above: Mapping[str, object]) -> dict[str, object]:
    """The settings of two files; of a section that stands in both, the upper file's keys win one by one."""
    joined = dict(above)
    for name in _SECTIONS:
        under, over = below.get(name), above.get(name)
        if isinstance(under, dict) and isinstance(over, dict):
            both = {key: section.over(under[key]) if key in under else section for key, section in over.items()}
            joined[name] = under | both
    return joined


def _from_environment(environ: Mapping[str, str]) -> Iterator[tuple[str, object]]:
    for key in (key for key in Config.__struct_fields__ if key not in _TABLES):
        name = variable(key)
        text = environ.get(name, "")
        if text:
            value = [part.strip() for part in text.split(",")] if key in _LISTS else text
            _checked({key: value}, name)
            yield key, value


def _checked(settings: dict[str, object], source: str) -> Config:
    try:
        return msgspec.convert(settings, Config, strict=False)
    except msgspec.ValidationError as error:
        raise ConfigError(f"{source}: {error}") from error
