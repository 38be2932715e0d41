"""Which facts of the golden instruction a client's reply gives away: the leak audit. Lexical, so it is repeatable and free.

It errs to the side of silence: a fact counts when its values stand in the reply, or most of its words in one sentence.
Written for languages that put spaces between words; the word lists are English.
"""

import re
from collections import Counter
from collections.abc import Iterable, Sequence

import msgspec

VALUES = 0.25
"""The part of a fact's own values that gives it away, and at least two: of six names with six prices, three."""

COVERED = 0.5
"""The part of a fact's words, each weighed by how few facts have it, that gives it away when it stands in one sentence."""

_QUOTED = re.compile(r'"([^"]{1,200})"|“([^”]{1,200})”|«([^»]{1,200})»')
_WORD = re.compile(r"#[0-9a-fA-F]{3,8}\b|\d+(?:[.,:]\d+)*|[^\W\d_]+(?:['’][^\W\d_]+)?")
_TIME = re.compile(r"(?<![\w.,:])(\d{1,2})(?::(\d\d))?\s*([ap])\.?m\b\.?", re.IGNORECASE)
_SENTENCE_END = re.compile(r"(?<=[.!?…])[\"”»)]*\s+|\n+|;\s+")
_STARTS = re.compile(r"(?:^|[.!?…]\s+|[\"“«(])\W*$")
_REFUSAL = re.compile(
    r"\b(?:rather not|won['’]t|will not|can(?:no|['’])t (?:say|tell|help)|do(?: not|n['’]?t) (?:know|care|mind|want to)|"
    r"no (?:idea|preference|comment|opinion)|not sure|up to you|(?:you|your) (?:decide|choice|call)|whatever you|leave that|"
    r"none of your|never mind|next question|figure it out)\b",
    re.IGNORECASE,
)
_NUMBERS = {
    word: str(number) for number, word in enumerate("two three four five six seven eight nine ten eleven twelve".split(), 2)
}
_STOP = frozenset(
    "a about above after all also always an and any are as at be been below build but by can could do does each "
    "else every exactly for from give given gets had has have having he her here his how i if in into is it its "
    "just keep kept let like main make makes making many may me more most must my need needs no not of on once one "
    "only onto or our out over own page please put she should show shows shown site so some such than that the "
    "their them then there these they thing things this those to too up us use used uses using very want wants was "
    "we website well were what when where which while who whose will with within without would yes you your app web".split()
)
_COLOURS = frozenset(
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


class _Fact(msgspec.Struct, frozen=True):
    """`values`: sequences of normal words that no other fact has; `strong` are those that are not whole numbers."""

    values: frozenset[tuple[str, ...]]
    strong: frozenset[tuple[str, ...]]
    weights: dict[str, float]


def disclosed(facts: Sequence[str], reply: str) -> tuple[int, ...]:
    """The indexes (from 0) of the facts that the reply gives away.

    Values of a fact are its quoted phrases, numbers, times, colours and names, as far as no other fact has them. A fact
    is given away by a quarter of its values (VALUES) and at least two, where it has two; whole numbers alone are not
    enough. Or by half (COVERED) of its words, two at least, in one sentence that neither asks nor refuses; words that the
    best fitting fact of a sentence accounts for do not count for another one.
    """
    known = _known(facts)
    words = _words(reply)
    spoken = set(words)
    found = {place for place, fact in enumerate(known) if _has_values(fact, words, spoken)}
    for sentence in _SENTENCE_END.split(reply):
        if not sentence.rstrip('"”») ').endswith("?") and not _REFUSAL.search(sentence):
            found |= _covered(known, {_stem(word) for word in _words(sentence)})
    return tuple(sorted(found))


def _known(facts: Sequence[str]) -> list[_Fact]:
    texts = [_words(fact) for fact in facts]
    stems = [{_stem(word) for word in words if word not in _STOP} for words in texts]
    sharing = Counter(stem for each in stems for stem in each)
    spread = [set(words) for words in texts]
    known: list[_Fact] = []
    for place, fact in enumerate(facts):
        others = [(texts[i], spread[i]) for i in range(len(facts)) if i != place]
        values = {value for value in _values(fact) if not any(_holds(*other, value) for other in others)}
        strong = {value for value in values if len(value) > 1 or not value[0].isdigit()}
        known.append(_Fact(frozenset(values), frozenset(strong), {stem: 1 / sharing[stem] for stem in stems[place]}))
    return known


def _has_values(fact: _Fact, words: Sequence[str], spoken: set[str]) -> bool:
    matched = {value for value in fact.values if _holds(words, spoken, value)}
    enough = max(VALUES * len(fact.values), min(2, len(fact.values)))
    return len(matched) >= enough and not matched.isdisjoint(fact.strong)


def _covered(known: Sequence[_Fact], stems: set[str]) -> set[int]:
    """The facts whose words stand in a sentence, the best fitting first; each word of the sentence serves one fact."""
    found: set[int] = set()
    left = set(stems)
    candidates = {place for place, fact in enumerate(known) if len(left & fact.weights.keys()) >= 2}
    while candidates:
        share = {place: _share(known[place], left) for place in candidates}
        best = max(candidates, key=lambda place: (share[place], sum(known[place].weights.values()), -place))
        if share[best] < COVERED or len(left & known[best].weights.keys()) < 2:
            break
        found.add(best)
        left -= known[best].weights.keys()
        candidates.discard(best)
    return found


def _share(fact: _Fact, stems: set[str]) -> float:
    return sum(weight for stem, weight in fact.weights.items() if stem in stems) / sum(fact.weights.values())


def _values(fact: str) -> Iterable[tuple[str, ...]]:
    for quoted in _QUOTED.finditer(fact):
        yield tuple(_words(next(filter(None, quoted.groups()))))
    words = _words(fact)
    for place, word in enumerate(words):
        if word in _COLOURS:
            shaded = place > 0 and words[place - 1] in _SHADES
            yield (words[place - 1], word) if shaded else (word,)
        elif word[0].isdigit() or word[0] == "#":
            yield (word,)
    for found in _WORD.finditer(fact):
        name = found[0].casefold()
        if (
            found[0][0].isupper()
            and name not in _STOP
            and not _STARTS.search(fact, max(0, found.start() - 20), found.start())
        ):
            yield (name,)


def _words(text: str) -> list[str]:
    """The words of a text in lower case; numbers, number words and times each in one way of writing."""
    clock = _TIME.sub(lambda time: f"{int(time[1]) % 12 + 12 * (time[3] in 'pP')}:{time[2] or '00'}", text)
    return [_normal(found[0]) for found in _WORD.finditer(clock)]


def _normal(word: str) -> str:
    if not word[0].isdigit():
        return _NUMBERS.get(word.casefold(), word.casefold().removesuffix("'s").removesuffix("’s"))
    hour, colon, minutes = word.partition(":")
    if colon:
        return hour.lstrip("0") or "0" if minutes == "00" else word.lstrip("0")
    whole, comma, part = word.replace(",", ".").partition(".")
    decimals = part.rstrip("0")
    return f"{whole}.{decimals}" if comma and decimals else whole


def _stem(word: str) -> str:
    """A crude stem: the word without plural, tense and adverb endings."""
    for ending in ("ies", "ing", "ed", "es", "ly", "s"):
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            word = word.removesuffix(ending) + ("y" if ending == "ies" else "")
            break
    if len(word) > 4 and word[-1] == word[-2]:
        word = word[:-1]
    return word.removesuffix("e") if len(word) > 3 else word


def _holds(words: Sequence[str], spoken: set[str], value: tuple[str, ...]) -> bool:
    """Whether the words stand there, one after the other."""
    if not value or not spoken.issuperset(value):
        return False
    return any(tuple(words[i : i + len(value)]) == value for i in range(len(words) - len(value) + 1))
