"""What sites are served with on this machine: a sandbox, Node, and the modules that are kept."""

from functools import cached_property
from pathlib import Path

from iwtui.web import node, sandbox
from iwtui.web.modules import Modules
from iwtui.web.node import Node
from iwtui.web.sandbox import Sandbox


class Grounds:
    """Found when first needed: a static site needs none of it. `wanted`: auto, bubblewrap or reaper.

    `ready`: seconds until a dev server must have answered.
    """

    def __init__(self, cache: Path, wanted: str = "auto", ready: float = 60.0) -> None:
        self.ready = ready
        self._cache = cache
        self._wanted = wanted

    @cached_property
    def sandbox(self) -> Sandbox:
        """Raises SandboxMissingError when the one that is wanted does not run."""
        return sandbox.choose(self._wanted)

    @cached_property
    def node(self) -> Node | None:
        return node.find()

    @cached_property
    def modules(self) -> Modules | None:
        """None without Node."""
        return Modules(self._cache / "node_modules", self.sandbox, self.node) if self.node else None
