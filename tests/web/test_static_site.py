"""The static server gives what stands in its folder, and nothing else."""

import asyncio
import socket
from pathlib import Path

import aiohttp
import pytest

from iwtui.web.static import StaticSite


async def raw(url: str, target: str) -> bytes:
    """The answer to a request whose target no client library has tidied."""
    host, port = url.removeprefix("http://").rstrip("/").split(":")
    reader, writer = await asyncio.open_connection(host, int(port))
    writer.write(f"GET {target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n".encode())
    answer = await asyncio.wait_for(reader.read(), 5)
    writer.close()
    return answer


async def test_files_have_their_types_and_are_not_to_be_kept(tmp_path: Path) -> None:
    for name in ("index.html", "app.mjs", "s.css", "i.SVG", "f.woff2", "unknown.bin", "sub/index.html", "é x.txt"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(name)
    types = {
        "": "text/html; charset=utf-8",
        "index.html": "text/html; charset=utf-8",
        "app.mjs": "text/javascript; charset=utf-8",
        "s.css": "text/css; charset=utf-8",
        "i.SVG": "image/svg+xml; charset=utf-8",
        "f.woff2": "font/woff2",
        "unknown.bin": "application/octet-stream",
        "sub/": "text/html; charset=utf-8",
        "é x.txt?query=1": "text/plain; charset=utf-8",
    }
    async with StaticSite(tmp_path) as site, aiohttp.ClientSession() as session:
        for path, expected in types.items():
            async with session.get(site.url + path) as answer:
                assert (answer.status, answer.headers["Content-Type"]) == (200, expected), path
                assert answer.headers["Cache-Control"] == "no-store"
        async with session.get(site.url + "sub?q=1") as answer:
            assert (
                answer.url.path == "/sub/" and answer.url.query_string == "q=1" and await answer.text() == "sub/index.html"
            )
        async with session.post(site.url) as answer:
            assert answer.status == 405
    with pytest.raises(aiohttp.ClientConnectionError):
        async with aiohttp.ClientSession() as session:
            await session.get(site.url)


@pytest.mark.parametrize(
    "target",
    [
        "/../secret",
        "/%2e%2e/secret",
        "/a/%2e%2e/%2e%2e/secret",
        "/..%2fsecret",
        "/link",
        "/folder/secret",
        "//secret",
        "/a%00b",
        "/missing",
        "/empty/",
        "/empty",
        "/loop",
        "/" + "n" * 300,
        "/indexed/",
    ],
)
async def test_nothing_outside_the_folder_is_given(tmp_path: Path, target: str) -> None:
    (tmp_path / "secret").write_text("SECRET")
    root = tmp_path / "site"
    (root / "empty").mkdir(parents=True)
    (root / "indexed").mkdir()
    (root / "link").symlink_to(tmp_path / "secret")
    (root / "folder").symlink_to(tmp_path)
    (root / "loop").symlink_to("loop")
    (root / "indexed/index.html").symlink_to(tmp_path / "secret")
    async with StaticSite(root) as site:
        answer = await raw(site.url, target)
        assert b" 404 " in answer.split(b"\r\n")[0] and b"SECRET" not in answer


async def test_a_given_port_is_used_and_a_taken_one_is_an_error(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port = taken.getsockname()[1]
        taken.listen()
        with pytest.raises(OSError):
            async with StaticSite(tmp_path, port):
                pass
    async with StaticSite(tmp_path, port) as site:
        assert site.url == f"http://127.0.0.1:{port}/"
