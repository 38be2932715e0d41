"""Nothing leaves the store with a key in it, wherever the key stands; and what only looks a little like one may leave."""

import base64
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from iwtui.archive.exporters.bundle import write_bundle
from iwtui.archive.exporters.leaving import SecretsFoundError, gather, look_for_secrets
from iwtui.archive.exporters.secrets import Looker
from iwtui.archive.run_folder import RunFolder
from iwtui.archive.store import Store
from iwtui.bench.events import CommandRan, FilesChanged, ModelCalled, Warned
from iwtui.bench.fold import Message
from iwtui.bench.longtext import keep
from iwtui.bench.manifest import encode_manifest
from tests.support.stores import make_case, make_run, play

MADE_UP = "Ab3" * 20
"""So that no key stands in this file: they are put together here."""

SECRETS = {
    "OpenAI": "sk-" + "proj-" + MADE_UP,
    "Anthropic": "sk-" + "ant-api03-" + MADE_UP,
    "OpenRouter": "sk-" + "or-v1-" + "0a1b2c3d" * 8,
    "Google": "AI" + "za" + "SyA1" + MADE_UP[:31],
    "AWS": "AK" + "IA" + "ABCD1234EFGH5678",
    "GitHub": "gh" + "p_" + MADE_UP[:36],
    "Hugging Face": "h" + "f_" + MADE_UP[:34],
    "Slack": "xo" + "xb-123456789012-" + MADE_UP[:12],
    "Groq": "gs" + "k_" + MADE_UP[:52],
    "a private key": "-----BEGIN RSA " + "PRIVATE KEY-----",
    "a header": "Authorization: " + "Bearer " + "dGhpcyBpcyBh.bG9uZyB0b2tlbg",
    "a header in JSON": '{"authorization": "' + 'Bearer dGhpcyBpcyBh.bG9uZyB0b2tlbg"}',
    "a basic header": "authorization=" + "Basic " + base64.b64encode(b"kim:a long password").decode(),
    "a key header": "x-api-" + "key: 0123456789abcdef0123",
    "an address": "https" + "://kim:hunter22@example.org/v1",
    "the environment": 'an odd value: it\'s "quoted" \\ here',
}
ENVIRON = {"MY_PROVIDER_API_KEY": SECRETS["the environment"], "PATH": "/usr/bin/something", "SHORT_TOKEN": "none"}

HARMLESS = [
    "sk-chase-dot-before sk-fading-circle-animation-delay",
    "a task-2026-for-the-next-twenty-years, desk-1234567890-1234567890",
    "postgres://localhost:5432/db and http://127.0.0.1:8080/@vite/client",
    "Authorization: Bearer ${TOKEN} and Authorization: Bearer <your-token-here>",
    "sha512-" + base64.b64encode(bytes(range(64))).decode(),
    "0a1b2c3d" * 8,
    "/usr/bin/something none",
    "mailto:kim@example.org",
]


def in_log(folder: RunFolder, text: str) -> None:
    with folder.record_episode(folder.episodes()[0]) as log:
        log.append(Warned(where="x", text=text), 1)


def in_long_text(folder: RunFolder, text: str) -> None:
    with folder.record_episode(folder.episodes()[0]) as log:
        log.append(CommandRan(command="env", output=keep(log.blobs, "a line\n" * 2000 + text)), 1)


def in_file(folder: RunFolder, text: str) -> None:
    with folder.record_episode(folder.episodes()[0]) as log:
        page = log.blobs.put(b"x\n" * 5000 + text.encode())
        manifest = log.blobs.put(encode_manifest({".env": (page, 1)}))
        log.append(FilesChanged(manifest=manifest, files=1, lines=1), 1)


def in_request(folder: RunFolder, text: str) -> None:
    with folder.record_episode(folder.episodes()[0]) as log:
        message = log.blobs.put(msgspec.json.encode(Message("user", keep(log.blobs, "y" * 4000 + " " + text))))
        log.append(ModelCalled(role="builder", model="m", ordinal=0, request=(message,)), 1)


def in_annotation(folder: RunFolder, text: str) -> None:
    annotations = folder.path.parent.parent / "annotations"
    annotations.mkdir()
    (annotations / "kim.jsonl").write_bytes(msgspec.json.encode({"episode": f"{folder.name}/x", "note": text}) + b"\n")


def in_plan(folder: RunFolder, text: str) -> None:
    plan = msgspec.json.decode((folder.path / "run.json").read_bytes())
    (folder.path / "run.json").write_bytes(msgspec.json.encode({**plan, "versions": {"odd": text}}))


PLACES: dict[str, Callable[[RunFolder, str], None]] = {
    place.__name__: place for place in (in_log, in_long_text, in_file, in_request, in_annotation, in_plan)
}


@pytest.fixture
def folder(tmp_path: Path) -> RunFolder:
    made = make_run(Store(tmp_path / "store"), "r", [make_case()])
    play(made, make_case(), end=None)
    return made


@pytest.mark.parametrize("kind", SECRETS)
@pytest.mark.parametrize("place", ["in_log", "in_file"])
def test_each_kind_is_found(folder: RunFolder, kind: str, place: str) -> None:
    PLACES[place](folder, f"before {SECRETS[kind]} after")
    with pytest.raises(SecretsFoundError) as found:
        look_for_secrets(gather(folder), ENVIRON)
    assert SECRETS[kind][6:20] not in str(found.value)


@pytest.mark.parametrize("place", PLACES)
def test_each_place_is_looked_at_and_named(folder: RunFolder, place: str) -> None:
    PLACES[place](folder, SECRETS["OpenAI"])
    with pytest.raises(SecretsFoundError) as found:
        look_for_secrets(gather(folder), {})
    (secret,) = found.value.secrets
    wanted = {"in_annotation": "annotations/kim.jsonl", "in_plan": "run.json"}.get(place, "episodes/")
    assert wanted in secret.place and "OpenAI" in secret.kind


def test_the_variables_that_a_run_took_its_keys_from_are_looked_for(folder: RunFolder) -> None:
    plan = msgspec.json.decode((folder.path / "run.json").read_bytes())
    settings = {"roles": {"builder": {"parameters": {"extra_headers": {"X-Lab": "env:ODD_NAME"}}}}}
    (folder.path / "run.json").write_bytes(msgspec.json.encode({**plan, "settings": settings}))
    in_log(folder, "it says open sesame to everybody")
    assert look_for_secrets(gather(folder), {"OTHER_NAME": "open sesame"}).found == 0
    with pytest.raises(SecretsFoundError, match="ODD_NAME"):
        look_for_secrets(gather(folder), {"ODD_NAME": "open sesame"})


def test_what_is_harmless_may_leave(folder: RunFolder, tmp_path: Path) -> None:
    for text in HARMLESS:
        in_log(folder, text)
    in_file(folder, "\n".join(HARMLESS))
    leaving = gather(folder)
    scanned = look_for_secrets(leaving, ENVIRON)
    assert scanned.found == 0 and scanned.bytes > 10_000 and scanned.files > 4
    contents = write_bundle(leaving, scanned, tmp_path / "b.zip")
    assert contents.scanned.for_ == Looker({}).kinds and "authorization header" in contents.scanned.for_


def test_what_is_allowed_is_counted(folder: RunFolder) -> None:
    in_log(folder, SECRETS["AWS"])
    in_log(folder, SECRETS["GitHub"])
    assert look_for_secrets(gather(folder), {}, allowed=True).found == 2


def test_a_picture_is_not_read_as_text(folder: RunFolder) -> None:
    with folder.record_episode(folder.episodes()[0]) as log:
        picture = log.blobs.put(b"RIFF\x00\x00\x00\x00WEBP" + SECRETS["AWS"].encode())
        manifest = log.blobs.put(encode_manifest({"a.webp": (picture, 1)}))
        log.append(FilesChanged(manifest=manifest, files=1, lines=1), 1)
    assert look_for_secrets(gather(folder), {}).found == 0
