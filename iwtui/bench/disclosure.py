"""Which facts of the golden instruction a client's reply gives away: the leak audit. Lexical, so it is repeatable and free.

It errs to the side of silence: a fact counts when its values stand in the reply, or most of its words in one sentence.
It reads words as `lexical` does: for languages that put spaces between words; the word lists are English.
"""

import re
from collections import Counter
from collections.abc import Sequence

import msgspec

from iwtui.bench.lexical import SENTENCE_END, holds, stem, stems_of, values_of, words_of

VALUES = 0.25
"""The part of a fact's own values that gives it away, and at least two: of six names with six prices, three."""

COVERED = 0.5
"""The part of a fact's words, each weighed by how few facts have it, that gives it away when it stands in one sentence."""

_REFUSAL = re.compile(
    r"\b(?:rather not|won['’]t|will not|can(?:no|['’])t (?:say|tell|help)|do(?: not|n['’]?t) (?:know|care|mind|want to)|"
    r"no (?:idea|preference|comment|opinion)|not sure|up to you|(?:you|your) (?:decide|choice|call)|whatever you|leave that|"
    r"none of your|never mind|next question|figure it out)\b",
    re.IGNORECASE,
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
    words = words_of(reply)
    spoken = set(words)
    found = {place for place, fact in enumerate(known) if _has_values(fact, words, spoken)}
    for sentence in SENTENCE_END.split(reply):
        if not sentence.rstrip('"”») ').endswith("?") and not _REFUSAL.search(sentence):
            found |= _covered(known, {stem(word) for word in words_of(sentence)})
    return tuple(sorted(found))


def _known(facts: Sequence[str]) -> list[_Fact]:
    texts = [words_of(fact) for fact in facts]
    stems = [stems_of(fact) for fact in facts]
    sharing = Counter(found for each in stems for found in each)
    spread = [set(words) for words in texts]
    known: list[_Fact] = []
    for place, fact in enumerate(facts):
        others = [(texts[i], spread[i]) for i in range(len(facts)) if i != place]
        values = {value for value in values_of(fact) if not any(holds(*other, value) for other in others)}
        strong = {value for value in values if len(value) > 1 or not value[0].isdigit()}
        known.append(_Fact(frozenset(values), frozenset(strong), {found: 1 / sharing[found] for found in stems[place]}))
    return known


def _has_values(fact: _Fact, words: Sequence[str], spoken: set[str]) -> bool:
    matched = {value for value in fact.values if holds(words, spoken, value)}
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
    return sum(weight for word, weight in fact.weights.items() if word in stems) / sum(fact.weights.values())
