"""The frames of an episode as PNG files under the names that the official harness gives them."""

import io
from functools import lru_cache
from pathlib import Path

from iwtui.archive.blobs import BlobStore
from iwtui.bench.events import Blob

MAX_PIXELS = 40_000_000


class Frames:
    """Collects the frames of one episode; a Verify writes over those of the one before, as the harness does."""

    def __init__(self, blobs: BlobStore, logs: Path) -> None:
        self._blobs = blobs
        self._logs = logs
        self._named: dict[Path, Blob] = {}
        self._over: set[Blob] = set()
        self.left_out: list[str] = []

    @property
    def judge_folder(self) -> Path:
        """Where the judge's own files stand."""
        return self._logs / "eval_webvoyager" / f"task{self._logs.name}_eval"

    def verify_frame(self, number: int, picture: Blob | None) -> str:
        """The frame of a Verify's step (from 0); its path within the task's folder, "" without one."""
        return self._name(self._logs / f"visual_step_{number}.png", picture)

    def final_frame(self, picture: Blob | None) -> str:
        """The frame of the site as it was handed in."""
        return self._name(self._logs / "visual_step_final_eval.png", picture)

    def judge_frame(self, number: int, picture: Blob | None) -> None:
        """The frame of a step of the judge (from 1)."""
        self._name(self.judge_folder / f"screenshot{number}.png", picture)

    def _name(self, path: Path, picture: Blob | None) -> str:
        if picture is None:
            return ""
        if path in self._named and self._named[path] != picture:
            self._over.add(self._named[path])
        self._named[path] = picture
        return path.name

    def content(self, picture: Blob) -> bytes | None:
        """A picture as it is stored; None, and told, when it is lost."""
        try:
            return self._blobs.get(picture)
        except LookupError as error:
            self.left_out.append(str(error))
            return None

    def write(self) -> None:
        """Write all that were named."""
        as_png = lru_cache(maxsize=8)(self._as_png)
        for path, picture in self._named.items():
            content = as_png(picture)
            if content is not None:
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(content)
        if gone := self._over - set(self._named.values()):
            self.left_out.append(f"{len(gone)} frames of Verifies were written over by later ones")

    def _as_png(self, picture: Blob) -> bytes | None:
        from PIL import Image, UnidentifiedImageError

        content = self.content(picture)
        if content is None or content.startswith(b"\x89PNG"):
            return content
        try:
            with Image.open(io.BytesIO(content), formats=["WEBP", "JPEG"]) as image:
                if image.width * image.height > MAX_PIXELS:
                    raise ValueError(f"more than {MAX_PIXELS:,} pixels")
                made = io.BytesIO()
                image.save(made, "PNG", compress_level=1)
        except (UnidentifiedImageError, OSError, ValueError, SyntaxError, Image.DecompressionBombError) as error:
            self.left_out.append(f"picture {picture[:12]} cannot be read: {error}")
            return None
        return made.getvalue()
