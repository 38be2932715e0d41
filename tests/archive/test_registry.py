import os
import subprocess
import sys
import threading
from pathlib import Path

import msgspec
import pytest

from iwtui.archive import registry
from iwtui.archive.registry import Registration, Runner, live_runs

REGISTER = """
import sys
from pathlib import Path
from iwtui.archive.registry import Registration
with Registration(Path(sys.argv[1]), "other", Path(sys.argv[1])):
    print("there", flush=True)
    sys.stdin.read()
"""


def rewrite(folder: Path, **changes: object) -> None:
    for live in live_runs(folder):
        live.file.write_bytes(msgspec.json.encode(msgspec.structs.replace(live.runner, **changes)))


def test_a_run_is_there_while_it_lasts(tmp_path: Path) -> None:
    with Registration(tmp_path / "store", "r", tmp_path / "live"):
        (live,) = live_runs(tmp_path / "live")
        assert (live.runner.run, live.runner.pid, live.alive) == ("r", os.getpid(), True)
        assert live.runner.store == str(tmp_path / "store")
        assert live.silence < registry.SILENT
    assert live_runs(tmp_path / "live") == []


def test_a_runner_tells_why_it_is_paused(tmp_path: Path) -> None:
    with Registration(tmp_path / "store", "r", tmp_path / "live") as registration:
        registration.say("the key was refused" + "!" * registry.MAX_SAID)
        (live,) = live_runs(tmp_path / "live")
        assert live.runner.paused.startswith("the key was refused!")
        assert len(live.runner.paused) == registry.MAX_SAID
        registration.say("")
        assert [live.runner.paused for live in live_runs(tmp_path / "live")] == [""]


def test_a_killed_runner_is_dead_and_swept_by_the_next(tmp_path: Path) -> None:
    runner = subprocess.Popen(
        [sys.executable, "-c", REGISTER, str(tmp_path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert runner.stdout is not None
    assert runner.stdout.readline() == "there\n"
    assert [live.alive for live in live_runs(tmp_path)] == [True]
    runner.kill()
    runner.communicate()
    assert [live.alive for live in live_runs(tmp_path)] == [False]
    with Registration(tmp_path, "r", tmp_path):
        assert [(live.runner.run, live.alive) for live in live_runs(tmp_path)] == [("r", True)]


@pytest.mark.parametrize(
    ("changes", "alive"),
    [({"born": 1.0}, False), ({"boot": "another"}, False), ({"host": "another"}, None), ({"pid": 2**22 + 1}, False)],
)
def test_what_is_not_the_process_it_was(tmp_path: Path, changes: dict[str, object], alive: bool | None) -> None:
    with Registration(tmp_path, "r", tmp_path):
        rewrite(tmp_path, **changes)
        assert [live.alive for live in live_runs(tmp_path)] == [alive]


def test_a_silent_process_is_neither_alive_nor_dead(tmp_path: Path) -> None:
    with Registration(tmp_path, "r", tmp_path) as registration:
        (live,) = live_runs(tmp_path)
        os.utime(live.file, (0, 0))
        assert [live.alive for live in live_runs(tmp_path)] == [None]
        registration.beat()
        assert [live.alive for live in live_runs(tmp_path)] == [True]
        live.file.unlink()
        registration.beat()
        assert [live.runner for live in live_runs(tmp_path)] == [registration.runner]


def test_it_beats_by_itself(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "BEAT", 0.001)
    beats: list[None] = []
    done = threading.Event()

    class Counted(Registration):
        def beat(self) -> None:
            super().beat()
            beats.append(None)
            if len(beats) == 3:
                done.set()

    with Counted(tmp_path, "r", tmp_path):
        assert done.wait(5)


def test_files_that_are_no_registration_are_left_out(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text("{")
    (tmp_path / "b.json").write_text('{"pid": "x"}')
    assert live_runs(tmp_path) == []
    assert live_runs(tmp_path / "none") == []
    assert Runner.__struct_fields__[:2] == ("store", "run")
