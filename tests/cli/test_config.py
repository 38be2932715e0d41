"""Settings: which source wins, and what is said about a wrong one."""

from pathlib import Path

import pytest

from iwtui import config
from iwtui.config import Config, ConfigError, load_config


@pytest.fixture(autouse=True)
def users_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    file = tmp_path / "home" / "iwtui.toml"
    file.parent.mkdir()
    monkeypatch.setattr(config, "users_own", lambda name: file.parent / name)
    return file


@pytest.fixture
def here(tmp_path: Path) -> Path:
    folder = tmp_path / "here"
    folder.mkdir()
    return folder


def test_without_any_source_the_defaults_hold(here: Path) -> None:
    assert load_config(here, {}) == Config()


def test_each_source_overrules_the_ones_below(here: Path, users_file: Path) -> None:
    users_file.write_text("jobs = 3\n")
    assert load_config(here, {}).jobs == 3
    (here / "iwtui.toml").write_text("jobs = 4\n")
    assert load_config(here, {}).jobs == 4
    assert load_config(here, {"IWTUI_JOBS": "5"}).jobs == 5
    assert load_config(here, {"IWTUI_JOBS": "5"}, jobs=6).jobs == 6
    assert load_config(here, {"IWTUI_JOBS": ""}, jobs=None).jobs == 4


def test_sources_complete_one_another(here: Path, users_file: Path) -> None:
    users_file.write_text('client = "a/b"\n')
    (here / "iwtui.toml").write_text('builders = ["x/y"]\ncall_limit = 5\n')
    found = load_config(here, {"IWTUI_CHROMIUM": "/opt/chrome"}, judge="checks")
    assert (found.client, found.builders, found.call_limit, found.browser) == ("a/b", ("x/y",), 5, "/opt/chrome")


def test_paths_in_a_file_are_relative_to_it(here: Path) -> None:
    (here / "iwtui.toml").write_text('store = "data"\nbrowser = "/usr/bin/chromium"\n')
    found = load_config(here, {})
    assert (found.store, found.browser) == (str(here / "data"), "/usr/bin/chromium")


def test_several_builders_in_the_environment(here: Path) -> None:
    assert load_config(here, {"IWTUI_BUILDERS": "a/b, c/d"}).builders == ("a/b", "c/d")


def test_an_unknown_key_names_the_file_and_the_nearest_key(here: Path) -> None:
    (here / "iwtui.toml").write_text("bilders = ['x']\n")
    with pytest.raises(ConfigError, match="nearest is 'builders'") as caught:
        load_config(here, {})
    assert str(here / "iwtui.toml") in str(caught.value)


@pytest.mark.parametrize("text", ["jobs = 'many'", "jobs = 0", "token_limit = -1", "builders = []", "= 1", "store = 3"])
def test_a_wrong_value_names_the_file(here: Path, text: str) -> None:
    (here / "iwtui.toml").write_text(text + "\n")
    with pytest.raises(ConfigError, match=r"iwtui\.toml"):
        load_config(here, {})


def test_a_file_that_is_no_text_names_itself(here: Path) -> None:
    (here / "iwtui.toml").write_bytes(b"\xff\xfe")
    with pytest.raises(ConfigError, match=r"iwtui\.toml"):
        load_config(here, {})


def test_a_wrong_variable_names_itself(here: Path) -> None:
    with pytest.raises(ConfigError, match="IWTUI_JOBS"):
        load_config(here, {"IWTUI_JOBS": "many"})


def test_a_wrong_option_names_the_command_line(here: Path) -> None:
    with pytest.raises(ConfigError, match="command line"):
        load_config(here, {}, jobs=0)


def test_sections_of_roles_and_models_join_key_by_key(here: Path, users_file: Path) -> None:
    users_file.write_text('[roles.builder]\ntemperature = 0.3\nconcurrency = 2\n[roles.judge]\nvision = "none"\n')
    (here / "iwtui.toml").write_text(
        'visual = "a/eye"\n[roles.builder]\ntemperature = 0.7\n[models."a/b"]\napi_key = "env:MINE"\n'
    )
    found = load_config(here, {})
    builder = found.settings.of("builder", "a/b")
    assert (builder.concurrency, builder.parameters["temperature"], builder.parameters["api_key"]) == (2, 0.7, "env:MINE")
    assert found.settings.of("judge", "a/c").vision == "none"
    assert found.visual == "a/eye"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[roles.bilder]", r"\[roles.bilder\]: unknown role 'bilder'; the nearest is 'builder'"),
        ("[roles.judge]\ntemperatur = 1", r"\[roles.judge\]: unknown key 'temperatur'; the nearest is 'temperature'"),
        ('[models."a/b"]\napi_key = "abc"', r"\[models.a/b\]: api_key: a key must not stand in a file"),
        ("roles = 3", "roles: a table is wanted"),
        ("[roles]\njudge = 3", r"\[roles.judge\]: a table of settings is wanted"),
    ],
)
def test_a_wrong_section_names_its_file_and_itself(here: Path, text: str, said: str) -> None:
    (here / "iwtui.toml").write_text(text + "\n")
    with pytest.raises(ConfigError, match=r"iwtui\.toml: " + said):
        load_config(here, {})
