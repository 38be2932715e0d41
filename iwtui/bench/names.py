"""Names of runs, episodes and judgings, as folders and files bear them."""

import hashlib
import re

import msgspec

_UNSAFE = re.compile(r"[^A-Za-z0-9_+-]+")
_EPISODE = re.compile(r"(?P<case>[A-Za-z0-9_+-]+)\.(?P<builder>[A-Za-z0-9_+.-]+)\.r(?P<repeat>\d+)\.a(?P<attempt>\d+)")


class EpisodeName(msgspec.Struct, frozen=True, order=True):
    """`<run>/<case>.<builder>.r<repeat>.a<attempt>`, the parts made safe for a file name."""

    run: str
    case: str
    builder: str
    repeat: int
    attempt: int

    def __str__(self) -> str:
        return f"{self.run}/{self.stem}"

    @property
    def stem(self) -> str:
        """The name without its run."""
        return f"{self.case}.{self.builder}.r{self.repeat}.a{self.attempt}"

    @property
    def played(self) -> tuple[str, str, str, int]:
        """What all attempts of it share."""
        return (self.run, self.case, self.builder, self.repeat)


LONGEST = 80
"""Characters of a part of a name; a longer one is cut and ends in a hash of the whole."""


def slug(text: str, dots: bool = False) -> str:
    """The text with every run of characters that a file name should not hold turned into a dash."""
    safe = "-".join(_UNSAFE.sub("-", part) for part in text.split(".")) if not dots else _dotted(text)
    safe = safe.strip("-.") or "x"
    if len(safe) <= LONGEST:
        return safe
    return f"{safe[: LONGEST - 9]}-{hashlib.sha256(text.encode()).hexdigest()[:8]}"


def _dotted(text: str) -> str:
    return ".".join(filter(None, (_UNSAFE.sub("-", part) for part in text.split("."))))


def episode_name(run: str, case_id: str, builder: str, repeat: int, attempt: int) -> EpisodeName:
    """The name of an episode; a model string like `openai/qwen3.6-plus` keeps its dots, a case id does not."""
    return EpisodeName(run, slug(case_id), slug(builder, dots=True), repeat, attempt)


def parse_stem(run: str, stem: str) -> EpisodeName | None:
    """The name that a file stem within a run stands for, or None."""
    found = _EPISODE.fullmatch(stem)
    if not found:
        return None
    return EpisodeName(run, found["case"], found["builder"], int(found["repeat"]), int(found["attempt"]))


def parse_name(name: str) -> EpisodeName | None:
    """The name that a text `<run>/<stem>` stands for, or None."""
    run, _, stem = name.partition("/")
    return parse_stem(run, stem)


def matching(wanted: str, names: list[str]) -> list[str]:
    """The names that `wanted` may stand for: an exact one, else those with it as a prefix, a suffix, or a part."""
    if wanted in names:
        return [wanted]
    for fits in (str.startswith, str.endswith, str.__contains__):
        found = [name for name in names if fits(name, wanted)]
        if found:
            return found
    return []
