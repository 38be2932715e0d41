"""A real sshd on loopback, for one user and one key, gone with the test."""

import os
import pwd
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

PROGRAM = "/usr/sbin/sshd"


def missing() -> str:
    """Why there can be none here; empty when there can."""
    if not Path(PROGRAM).exists() or not shutil.which("ssh") or not shutil.which("ssh-keygen"):
        return "NOT RUN: sshd, ssh and ssh-keygen are needed"
    return "" if os.geteuid() == 0 else "NOT RUN: sshd lets a user in who is not root only with PAM set up"


class Door(NamedTuple):
    """Where the sshd listens, and how one gets in."""

    port: int
    key: Path

    def command(self, remote: Sequence[str], environ: Mapping[str, str]) -> list[str]:
        """An ssh that runs a command in a terminal of the other side, with these variables."""
        words = ["env", *(f"{name}={value}" for name, value in environ.items()), *remote]
        quoted = " ".join("'" + word.replace("'", "'\\''") + "'" for word in words)
        options = ["StrictHostKeyChecking=no", "UserKnownHostsFile=/dev/null", "LogLevel=ERROR", "IdentitiesOnly=yes"]
        said = [part for option in options for part in ("-o", option)]
        user = pwd.getpwuid(os.geteuid()).pw_name
        return ["ssh", "-tt", "-F", "none", *said, "-i", str(self.key), "-p", str(self.port), f"{user}@127.0.0.1", quoted]


@contextmanager
def door(folder: Path) -> Iterator[Door]:
    """An sshd that listens while the block runs; its keys are in `folder`."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    Path("/run/sshd").mkdir(mode=0o755, exist_ok=True)
    for name in ("host", "user"):
        subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", str(folder / name)], check=True)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    config = folder / "config"
    config.write_text(
        f"Port {port}\nListenAddress 127.0.0.1\nHostKey {folder / 'host'}\nAuthorizedKeysFile {folder / 'user.pub'}\n"
        "PidFile none\nStrictModes no\nUsePAM no\nPermitRootLogin prohibit-password\nPasswordAuthentication no\n"
    )
    server = subprocess.Popen([PROGRAM, "-D", "-f", str(config), "-E", str(folder / "log")])
    try:
        _listens(port, server)
        yield Door(port, folder / "user")
    finally:
        server.terminate()
        server.wait()


def _listens(port: int, server: "subprocess.Popen[bytes]") -> None:
    ends = time.monotonic() + 10
    while True:
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
        except OSError:
            assert server.poll() is None, "sshd did not start"
            assert time.monotonic() < ends, "sshd does not listen"
            time.sleep(0.02)
        else:
            return
