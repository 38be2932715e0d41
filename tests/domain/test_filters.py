"""The filter grammar: what it reads, and what it says about what it cannot read."""

import re

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from iwtui.bench.filters import FIELDS, FLAGS, FieldKind, FilterError, Term, Value, parse, written


def test_terms_stand_side_by_side() -> None:
    assert parse("persona:P-MIN  status:scored,crashed builder:qwen* tcr<0.3 -seed:bakery") == (
        Term("persona", "=", (Value("P-MIN"),)),
        Term("status", "=", (Value("scored"), Value("crashed"))),
        Term("builder", "=", (Value("qwen*"),)),
        Term("tcr", "<", (Value("0.3"),)),
        Term("seed", "=", (Value("bakery"),), negated=True),
    )


def test_nothing_is_no_term() -> None:
    assert parse("") == parse("  \n ") == ()


def test_quotes_hold_spaces_commas_and_quotes_and_make_a_value_literal() -> None:
    (term,) = parse(r'builder:"a, b*",c,"say \"hi\" \\"')
    assert term.values == (Value("a, b*", literal=True), Value("c"), Value('say "hi" \\', literal=True))


def test_case_is_short_for_case_id() -> None:
    assert parse("case:bakery_P-MIN")[0].field == "case_id"


@pytest.mark.parametrize("op", ["<", "<=", ">", ">=", "="])
def test_numbers_are_compared(op: str) -> None:
    assert parse(f"turns{op}12")[0].op == op


def test_none_means_unknown_unless_in_quotes() -> None:
    bare, quoted = parse('cost:none builder:"none"')
    assert bare.values[0].unknown
    assert not quoted.values[0].unknown


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("persone:P-MIN", "nearest is 'persona'"),
        ("stat:scored", "nearest is 'status'"),
        ("bakery", "field:value"),
        ("persona:", "value is missing"),
        ("persona:a,,b", "value is missing"),
        ("persona:a,", "value is missing"),
        ('builder:"a', "not closed"),
        ('builder:"a"b', "comma"),
        ("tcr<high", "'high' is no number"),
        ("tcr<0.1,0.2", "one number"),
        ("tcr<none", "one number"),
        ("persona<P-MIN", "persona is a text"),
        ("sr:maybe", "yes, no or none"),
        (":x", "field:value"),
    ],
)
def test_errors_name_the_term_and_what_is_wrong(text: str, says: str) -> None:
    with pytest.raises(FilterError, match=re.escape(says)) as caught:
        parse(f"status:scored {text}")
    assert text.split()[0][:8] in str(caught.value)


@settings(deadline=None)
@given(st.text())
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        parse(text)
    except FilterError as error:
        assert str(error)


@settings(deadline=None)
@given(st.text(min_size=1).filter(lambda text: text.isprintable()))
def test_any_value_can_be_quoted(value: str) -> None:
    quoted = value.replace("\\", "\\\\").replace('"', '\\"')
    (term,) = parse(f'builder:"{quoted}"')
    assert term.values == (Value(value, literal=True),)
    assert term.values[0].parts == (value,)


@settings(deadline=None, suppress_health_check=[HealthCheck.filter_too_much])
@given(
    st.sampled_from(sorted(FIELDS)),
    st.one_of(st.none(), st.text(), st.integers(-(2**53), 2**53), st.booleans(), st.floats(0, 1e9)),
)
def test_what_is_written_is_read_as_that_one_value(field: str, value: object) -> None:
    """Whatever a value holds, its term keeps it and nothing else."""
    fits: dict[FieldKind, tuple[type, ...]] = {
        FieldKind.TEXT: (str,),
        FieldKind.FLAG: (bool,),
        FieldKind.NUMBER: (int, float),
    }
    kind = FIELDS[field]
    assume(value is None or (isinstance(value, fits[kind]) and (kind is FieldKind.FLAG) == isinstance(value, bool)))
    (term,) = parse(written(field, value))
    (read,) = term.values
    assert (term.field, term.op, term.negated) == (field, "=", False)
    assert read.unknown == (value is None)
    match value:
        case bool():
            assert FLAGS[read.text] is value
        case int() | float():
            assert float(read.text) == float(value)
        case str():
            assert read.parts == (value,)


@pytest.mark.parametrize("text", ["tcr<nan", "cost>inf", "turns:1e999"])
def test_a_number_is_a_finite_one(text: str) -> None:
    with pytest.raises(FilterError, match="is no number"):
        parse(text)
