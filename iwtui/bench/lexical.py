"""The words of a text in one way of writing, their stems, and the values among them: the ground of the lexical audits.

Written for languages that put spaces between words; the word lists are English.
"""

import re
from collections.abc import Iterable, Sequence

_QUOTED = re.compile(r'"([^"]{1,200})"|“([^”]{1,200})”|«([^»]{1,200})»')
_WORD = re.compile(r"#[0-9a-fA-F]{3,8}\b|\d+(?:[.,:]\d+)*|[^\W\d_]+(?:['’][^\W\d_]+)?")
_TIME = re.compile(r"(?<![\w.,:])(\d{1,2})(?::(\d\d))?\s*([ap])\.?m\b\.?", re.IGNORECASE)
SENTENCE_END = re.compile(r"(?<=[.!?…])[\"”»)]*\s+|\n+|;\s+")
_STARTS = re.compile(r"(?:^|[.!?…]\s+|[\"“«(])\W*$")
NUMERALS = "two three four five six seven eight nine ten eleven twelve".split()
_NUMBERS = {word: str(number) for number, word in enumerate(NUMERALS, 2)}
STOP = frozenset(
    "a about above after all also always an and any are as at be been below build but by can could do does each "
    "else every exactly for from give given gets had has have having he her here his how i if in into is it its "
    "just keep kept let like main make makes making many may me more most must my need needs no not of on once one "
    "only onto or our out over own page please put she should show shows shown site so some such than that the "
    "their them then there these they thing things this those to too up us use used uses using very want wants was "
    "we website well were what when where which while who whose will with within without would yes you your app web".split()
)
COLOURS = frozenset(
    "amber aqua aquamarine azure beige bisque black blue blush bronze brown burgundy chartreuse chocolate copper "
    "coral cornflower cream crimson cyan emerald fuchsia gold goldenrod gray green grey honeydew indigo ivory khaki "
    "lavender lemon lilac lime linen magenta maroon mauve mint moccasin navy ochre olive orange orchid peach pink "
    "plum purple red rose ruby rust salmon sand scarlet seashell sepia sienna silver slate snow tan teal terracotta "
    "thistle tomato turquoise vermilion violet wheat white yellow".split()
)
_SHADES = frozenset(
    "alice antique baby bright cadet dark deep dim dodger floral forest hot hunter indian lawn light medium "
    "midnight misty old pale pastel powder rosy royal sandy sea sky soft spring steel".split()
)

_RARE = frozenset("almond blanched chiffon cornsilk gainsboro lace papaya peru puff whip".split())
"""Words of the CSS colours that mostly mean something else: values only where a text is about colour."""


def values_of(fact: str) -> Iterable[tuple[str, ...]]:
    """The values of a text, each as its words: quoted phrases, colours, numbers and names."""
    for quoted in _QUOTED.finditer(fact):
        yield tuple(words_of(next(filter(None, quoted.groups()))))
    words = words_of(fact)
    for place, word in enumerate(words):
        if word in COLOURS:
            shaded = place > 0 and words[place - 1] in _SHADES
            yield (words[place - 1], word) if shaded else (word,)
        elif word[0].isdigit() or word[0] == "#":
            yield (word,)
    for found in _WORD.finditer(fact):
        name = found[0].casefold()
        if (
            found[0][0].isupper()
            and name not in STOP
            and not _STARTS.search(fact, max(0, found.start() - 20), found.start())
        ):
            yield (name,)


def words_of(text: str) -> list[str]:
    """The words of a text in lower case; numbers, number words and times each in one way of writing."""
    clock = _TIME.sub(lambda time: f"{int(time[1]) % 12 + 12 * (time[3] in 'pP')}:{time[2] or '00'}", text)
    found: list[str] = _WORD.findall(clock)
    normal = {word: _normal(word) for word in set(found)}
    return [normal[word] for word in found]


def _normal(word: str) -> str:
    if not word[0].isdigit():
        return _NUMBERS.get(word.casefold(), word.casefold().removesuffix("'s").removesuffix("’s"))
    hour, colon, minutes = word.partition(":")
    if colon:
        return hour.lstrip("0") or "0" if minutes == "00" else word.lstrip("0")
    whole, comma, part = word.replace(",", ".").partition(".")
    decimals = part.rstrip("0")
    return f"{whole}.{decimals}" if comma and decimals else whole


def stems_of(text: str) -> set[str]:
    """The stems of the words that carry meaning."""
    return {stem(word) for word in words_of(text) if word not in STOP}


def colours_of(text: str) -> list[tuple[str, ...]]:
    """The colours that a text names, each as its words, in their order."""
    found: list[tuple[str, ...]] = []
    run: list[str] = []
    for word in [*words_of(text), ""]:
        if word in COLOURS or word in _SHADES or word in _RARE:
            run.append(word)
            continue
        if any(part in COLOURS or part in _RARE for part in run):
            found.append(tuple(run))
        run = []
    return found


def stem(word: str) -> str:
    """A crude stem: the word without plural, tense and adverb endings."""
    for ending in ("ies", "ing", "ed", "es", "ly", "s"):
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            word = word.removesuffix(ending) + ("y" if ending == "ies" else "")
            break
    if len(word) > 4 and word[-1] == word[-2]:
        word = word[:-1]
    return word.removesuffix("e") if len(word) > 3 else word


def holds(words: Sequence[str], spoken: set[str], value: tuple[str, ...]) -> bool:
    """Whether the words stand there, one after the other."""
    if not value or not spoken.issuperset(value):
        return False
    return any(tuple(words[i : i + len(value)]) == value for i in range(len(words) - len(value) + 1))
