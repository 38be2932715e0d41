"""The themes: those that ship with the program and the user's own, each a TOML file in Textual's terms."""

import dataclasses
import tomllib
from pathlib import Path
from typing import Annotated

import msgspec
from textual.color import Color, ColorParseError
from textual.theme import Theme

from iwtui.config import ConfigError
from iwtui.resources import shipped, users_own

SHIPPED = ("dark", "light", "contrast")
ROOM = "themes"


class _File(msgspec.Struct, forbid_unknown_fields=True):
    name: Annotated[str, msgspec.Meta(pattern=r"^[A-Za-z0-9_-]{1,40}$")]
    dark: bool = True
    primary: str | None = None
    secondary: str | None = None
    accent: str | None = None
    foreground: str | None = None
    background: str | None = None
    surface: str | None = None
    panel: str | None = None
    success: str | None = None
    warning: str | None = None
    error: str | None = None
    variables: dict[str, str] = {}


def stylesheet() -> Path:
    """The console's style sheet."""
    return shipped(ROOM) / "console.tcss"


def load_themes() -> dict[str, Theme]:
    """All themes by name, the shipped ones first. Raises ConfigError for a file that cannot be used."""
    themes: dict[str, Theme] = {}
    for name in SHIPPED:
        themes[name] = read_theme(shipped(ROOM) / f"{name}.toml", themes)
    own = users_own(ROOM)
    for file in sorted(own.glob("*.toml")) if own.is_dir() else ():
        theme = read_theme(file, themes)
        themes[theme.name] = theme
    return themes


def choose_theme(named: str, themes: dict[str, Theme]) -> Theme:
    """The theme of that name, or in that file. Raises ConfigError."""
    if named in themes:
        return themes[named]
    file = Path(named).expanduser()
    if file.suffix == ".toml":
        theme = read_theme(file, themes)
        themes[theme.name] = theme
        return theme
    raise ConfigError(f"there is no theme {named!r}; there are {', '.join(themes)}, or name a .toml file")


def read_theme(file: Path, known: dict[str, Theme]) -> Theme:
    """A theme of a file; what it leaves out is the shipped dark or light theme's. Raises ConfigError."""
    try:
        given = msgspec.convert(tomllib.loads(file.read_text("utf-8")), _File)
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError, msgspec.ValidationError) as error:
        raise ConfigError(f"{file}: {error}") from error
    base = known.get("dark" if given.dark else "light")
    colours = {key: value for key, value in msgspec.structs.asdict(given).items() if value is not None}
    for key, value in [*colours.items(), *given.variables.items()]:
        if isinstance(value, str) and value.startswith("#"):
            _check_colour(file, key, value)
    if base is None:
        if given.primary is None:
            raise ConfigError(f"{file}: a theme needs a primary colour")
        return Theme(**colours)
    return dataclasses.replace(base, **{**colours, "variables": base.variables | given.variables})


def _check_colour(file: Path, key: str, value: str) -> None:
    try:
        Color.parse(value)
    except ColorParseError as error:
        raise ConfigError(f"{file}: {key} = {value!r} is no colour") from error
