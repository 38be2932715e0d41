"""Cells of an Arrow table as text: short for the table, cut before they are decoded, and whole for the reader. Pure."""

import json
from typing import Any, NamedTuple

import pyarrow as pa

from iwtui.bench.cells import short, to_json, whole
from iwtui.bench.text import visible

READ = 2_000
"""Bytes of a text, and items of a list, that are decoded for the table."""

ITEMS = 8
"""Items of a list that are seen in the table."""

DEEP = 4
"""Levels of lists and structs that are seen in the table."""

WHOLE = 2_000_000
"""Bytes of a cell that the reader is shown, and that are copied."""

ROW_BYTES = 16


class Whole(NamedTuple):
    """A cell for reading. `left_out` says what is not shown of it, or nothing."""

    text: str
    left_out: str = ""


def is_number(kind: pa.DataType) -> bool:
    """Whether a column of this type stands to the right."""
    return bool(pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_decimal(kind))


def cell_text(scalar: Any) -> str | None:
    """One line about a value, as `iwtui sql` has it; None for NULL. However long the value is, it is quick."""
    value = _bounded(scalar, DEEP)
    return None if value is None else short(value)


def whole_cell(scalar: Any, most: int = WHOLE) -> Whole:
    """The value as text that may be shown: JSON and nested values laid out, a blob in hexadecimal."""
    if not scalar.is_valid:
        return Whole("NULL")
    kind = scalar.type
    if _is_binary(kind):
        return _blob(scalar, most)
    if _is_text(kind):
        content = scalar.as_buffer()
        left = content.size - most
        text = _decoded(content, most)
        if left > 0:
            return Whole(visible(text), f"{left:,} more bytes are not shown")
        return Whole(visible(_laid_out(text)))
    if pa.types.is_nested(kind):
        value = _bounded(scalar, deep=50, items=max(1, most // 20), text=most)
        return Whole(visible(to_json(value, indent=2)))
    return Whole(whole(scalar.as_py()))


def _laid_out(text: str) -> str:
    """JSON on several lines; other text as it is."""
    if text[:1] not in ("{", "["):
        return text
    try:
        return to_json(json.loads(text), indent=2)
    except (ValueError, RecursionError):
        return text


def _blob(scalar: Any, most: int) -> Whole:
    content = scalar.as_buffer()
    shown = content.slice(0, min(content.size, most // 4)).to_pybytes()
    lines = [f"{at:08x}  {shown[at : at + ROW_BYTES].hex(' ')}" for at in range(0, len(shown), ROW_BYTES)]
    left = content.size - len(shown)
    return Whole("\n".join([f"{content.size:,} bytes", *lines]), f"{left:,} more bytes are not shown" if left else "")


def _bounded(scalar: Any, deep: int, items: int = ITEMS, text: int = READ) -> Any:
    """The value in Python, of long ones the beginning."""
    if not scalar.is_valid:
        return None
    kind = scalar.type
    if _is_text(kind):
        return _decoded(scalar.as_buffer(), text)
    if _is_binary(kind):
        return _Blob.of(scalar.as_buffer(), text)
    if not pa.types.is_nested(kind):
        return scalar.as_py()
    if deep == 0:
        return "…"
    if pa.types.is_struct(kind):
        fields = [kind.field(place).name for place in range(min(kind.num_fields, items))]
        value = {name: _bounded(scalar[place], deep - 1, items, text) for place, name in enumerate(fields)}
        return value | ({"…": f"{kind.num_fields - items} more"} if kind.num_fields > items else {})
    if pa.types.is_union(kind):
        return _bounded(scalar.value, deep - 1, items, text)
    values = scalar.values
    found = [_bounded(values[place], deep - 1, items, text) for place in range(min(len(values), items))]
    return found + ([f"… {len(values) - items:,} more"] if len(values) > items else [])


class _Blob(bytearray):
    """The beginning of a blob that knows how long the whole is."""

    size = 0

    @classmethod
    def of(cls, content: Any, most: int) -> "_Blob":
        blob = cls(content.slice(0, min(content.size, most)).to_pybytes())
        blob.size = content.size
        return blob

    def __len__(self) -> int:
        return self.size


def _decoded(content: Any, most: int) -> str:
    beginning: bytes = content.slice(0, min(content.size, most)).to_pybytes()
    return beginning.decode("utf-8", "ignore" if content.size > most else "replace")


def _is_text(kind: pa.DataType) -> bool:
    return bool(pa.types.is_string(kind) or pa.types.is_large_string(kind))


def _is_binary(kind: pa.DataType) -> bool:
    return bool(pa.types.is_binary(kind) or pa.types.is_large_binary(kind) or pa.types.is_fixed_size_binary(kind))


def _has_buffer(kind: pa.DataType) -> bool:
    return _is_text(kind) or _is_binary(kind)
