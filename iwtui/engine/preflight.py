"""Before the first case: does every model answer, and does it see pictures where its role is shown some?

Tables of what models can do are wrong both ways, so a picture with a word is sent, and the word must come back.
"""

import asyncio
import base64
import io
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from PIL import Image, ImageDraw, ImageFont

from iwtui.bench.plan import is_scripted
from iwtui.bench.settings import SEEING
from iwtui.bench.text import one_line
from iwtui.models.call import Call, Listener, Models
from iwtui.models.errors import ModelFaultError

WORDS = (
    "ANCHOR BARREL CANDLE DRAGON FALCON GARDEN HAMMER ISLAND JACKET KETTLE LADDER MARBLE NEEDLE ORANGE PEPPER RABBIT "
    "SADDLE TEMPLE VELVET WALNUT BUCKET CAMERA DESERT FEATHER GUITAR HARBOR LANTERN MIRROR PENCIL ROCKET SILVER TURTLE"
).split()
"""Short words that no model takes for another."""

_SIZE = (448, 160)
_FONT = 64

_TINY = "Answer with the one word: ready"
_PROBE = "The picture shows one word in capital letters. Answer with that word and nothing else."


@dataclass(frozen=True)
class Checked:
    """What came of one role's model. `text` is a sentence for people; `cost` (US dollars) is None when unknown."""

    role: str
    model: str
    outcome: Literal["ok", "no vision", "fault"]
    text: str
    fault: ModelFaultError | None = None

    @property
    def ok(self) -> bool:
        return self.outcome == "ok"


class _Waits(Listener):
    """Says of a check what keeps it waiting."""

    def __init__(self, role: str, model: str, say: Callable[[str], None]) -> None:
        self._who = f"{role} {model}"
        self._say = say

    def waits(self, why: str, seconds: float) -> None:
        self._say(f"{self._who}: waiting for {why}, {seconds:.0f} s")

    def failed(self, fault: ModelFaultError, attempt: int, wait: float) -> None:
        self._say(f"{self._who}: {fault.kind}; attempt {attempt + 1} in {wait:.0f} s")


async def preflight(
    models: Models,
    players: Sequence[tuple[str, str]],
    say: Callable[[str], None] = lambda _: None,
    chosen: Callable[[], str] = lambda: random.choice(WORDS),  # noqa: S311 - no secret
) -> list[Checked]:
    """Try each (role, model), all at once; scripted models are passed over. `say` is told of waits. Raises BudgetSpentError.

    `Plan.models` names the players. A fault is a result, not an error.
    """
    real = [(role, model) for role, model in dict.fromkeys(players) if not is_scripted(model)]
    try:
        async with asyncio.TaskGroup() as group:
            checks = [group.create_task(_check(models, role, model, say, chosen())) for role, model in real]
    except ExceptionGroup as several:
        raise several.exceptions[0] from None
    return [check.result() for check in checks]


def drawn(word: str) -> bytes:
    """A PNG of the word, large, black on white."""
    picture = Image.new("RGB", _SIZE, "white")
    ImageDraw.Draw(picture).text((_SIZE[0] / 2, _SIZE[1] / 2), word, "black", ImageFont.load_default(_FONT), anchor="mm")
    buffer = io.BytesIO()
    picture.save(buffer, "PNG")
    return buffer.getvalue()


async def _check(models: Models, role: str, model: str, say: Callable[[str], None], word: str) -> Checked:
    listener = _Waits(role, model, say)
    vision = models.settings.of(role, model).vision
    try:
        await models.ask(_call(role, model, _TINY), listener)
    except ModelFaultError as fault:
        return Checked(role, model, "fault", _sentence(role, model, fault), fault)
    if role not in SEEING or vision in ("assume", "none"):
        unprobed = {"assume": ", and is taken to see pictures", "none": ", and is sent no pictures"}.get(vision or "", "")
        return Checked(role, model, "ok", f"{role} {model} answers{unprobed if role in SEEING else ''}")
    try:
        reply = await models.ask(_call(role, model, _PROBE, drawn(word)), listener)
    except ModelFaultError as fault:
        if fault.kind != "refused request":
            return Checked(role, model, "fault", _sentence(role, model, fault), fault)
        return Checked(role, model, "no vision", _blind(role, model, f"it refused a picture: {fault.message}"), fault)
    if word.lower() in reply.text.lower():
        return Checked(role, model, "ok", f"{role} {model} answers and sees pictures")
    answer = one_line(reply.text, 80)
    return Checked(role, model, "no vision", _blind(role, model, f"shown the word {word}, it answered “{answer}”"))


def _call(role: str, model: str, text: str, picture: bytes | None = None) -> Call:
    content: Any = text
    if picture is not None:
        url = f"data:image/png;base64,{base64.b64encode(picture).decode()}"
        content = [{"type": "text", "text": text}, {"type": "image_url", "image_url": {"url": url}}]
    return Call(role=role, model=model, messages=[{"role": "user", "content": content}])


def _blind(role: str, model: str, why: str) -> str:
    return (
        f'{role} {model} does not see pictures: {why}. If it does, set vision = "assume" in [roles.{role}] of iwtui.toml; '
        f'vision = "none" plays it without any'
    )


def _sentence(role: str, model: str, fault: ModelFaultError) -> str:
    advice = {
        "authentication": "" if "environment" in fault.message else "; is its key in the environment?",
        "quota": "; the account has no money left",
        "connection": "; is api_base right, and is the server up?",
        "refused request": "; is the model's name right?",
    }.get(fault.kind, "")
    return f"{role} {model} gives no answer: {fault.kind}: {fault.message}{advice}"
