"""Runs every benchmark beside this file and prints one JSON object; exits 1 when a ratio of one run exceeds its limit."""

import importlib.util
import json
import sys
from pathlib import Path
from types import ModuleType

LIMITS = {
    ("cli", "ratio"): ("at most", 3.5),
    ("marks", "ratio"): ("at least", 50.0),
    ("pool", "again_s"): ("at most", 1.0),
    ("archive", "decode_ratio"): ("at most", 1.5),
    ("metrics", "first_ratio"): ("at most", 1.5),
    ("metrics", "drill_ratio"): ("at most", 1.5),
    ("metrics", "filter_ratio"): ("at most", 1.5),
    ("metrics", "peak_mb"): ("at most", 600),
    ("console", "open_ratio_80x24"): ("at most", 2.0),
    ("console", "open_ratio_160x48"): ("at most", 2.0),
    ("console", "step_ratio_p50_80x24"): ("at most", 0.2),
    ("console", "step_ratio_p50_160x48"): ("at most", 0.2),
    ("console", "step_ratio_p95_80x24"): ("at most", 0.6),
    ("console", "step_ratio_p95_160x48"): ("at most", 0.6),
    ("console", "moving_step_bytes_p95_80x24"): ("at most", 2_000),
    ("console", "moving_step_bytes_p95_160x48"): ("at most", 2_000),
    ("console", "page_bytes_p95_80x24"): ("at most", 6_000),
    ("console", "page_bytes_p95_160x48"): ("at most", 6_000),
    ("console", "picture_bytes_p95_80x24"): ("at most", 25_000),
    ("console", "picture_bytes_p95_160x48"): ("at most", 25_000),
    ("console", "live_kb_s_80x24"): ("at most", 5.0),
    ("console", "live_kb_s_160x48"): ("at most", 5.0),
    ("console", "harlequin_ratio"): ("at most", 1.0),
    ("watch", "append_ratio"): ("at most", 1.05),
    ("sql", "first_rows_ratio_80x24"): ("at most", 2.5),
    ("sql", "first_rows_ratio_160x48"): ("at most", 2.5),
    ("sql", "arrow_ratio_80x24"): ("at most", 0.3),
    ("sql", "arrow_ratio_160x48"): ("at most", 0.3),
    ("sql", "stopped_ms_80x24"): ("at most", 1_000),
    ("sql", "stopped_ms_160x48"): ("at most", 1_000),
}
"""(benchmark, figure) -> the bound it must keep. Only what a busy machine changes little has one: ratios and bytes."""

OTHERS = {("console", "harlequin_ratio")}
"""Figures that need a program of others; without it they are not taken."""


def main() -> int:
    figures = {path.stem.removesuffix("_bench"): _load(path).bench() for path in _files()}
    print(json.dumps(figures, indent=2))
    broken = [
        f"{bench}.{figure} is {figures[bench][figure]:.2f}, should be {bound} {limit}"
        for (bench, figure), (bound, limit) in LIMITS.items()
        if (figure in figures[bench] or (bench, figure) not in OTHERS)
        and (figures[bench][figure] > limit if bound == "at most" else figures[bench][figure] < limit)
    ]
    for line in broken:
        print(line, file=sys.stderr)
    return 1 if broken else 0


def _files() -> list[Path]:
    return sorted(Path(__file__).parent.glob("*_bench.py"))


def _load(path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


if __name__ == "__main__":
    sys.exit(main())
