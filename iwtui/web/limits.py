"""What a confined process may use."""

import msgspec


class Limits(msgspec.Struct, frozen=True):
    """`seconds` until a command is ended (None: it may run on). The others hold for all its processes together, but
    `file`, which holds for each file: `memory`, `disk` (of the site's folder) and `file` in bytes."""

    seconds: float | None = None
    memory: int = 3 << 30
    processes: int = 512
    disk: int = 1 << 30
    file: int = 256 << 20
