from pathlib import Path

import pytest

from iwtui.archive import saved_queries as module
from iwtui.archive.saved_queries import SavedQueryError, delete_query, own_folder, save_query, saved_queries


@pytest.fixture(autouse=True)
def _own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "users_own", lambda room: tmp_path / room)


def test_a_user_may_replace_a_shipped_query_and_have_it_back() -> None:
    shipped = saved_queries()["cost"]
    save_query("cost", "-- Mine\n-- alone\nSELECT 1")
    assert saved_queries()["cost"] == ("Mine alone", "-- Mine\n-- alone\nSELECT 1\n", True, "")
    assert "personas" in saved_queries()
    delete_query("cost")
    assert saved_queries()["cost"] == shipped
    with pytest.raises(SavedQueryError, match="of your own"):
        delete_query("cost")


@pytest.mark.parametrize("name", ["", "../up", "a/b", ".hidden", "Upper", "a b", "x" * 61, "\x1b[2J"])
def test_a_name_cannot_lead_out_of_the_folder(name: str) -> None:
    with pytest.raises(SavedQueryError, match="no name of a query"):
        save_query(name, "SELECT 1")
    assert not own_folder().exists()


def test_nothing_is_no_query() -> None:
    with pytest.raises(SavedQueryError, match="no query"):
        save_query("empty", " \n")


@pytest.mark.parametrize("content", [b"\xff\xfe select", b"-- x\n" + b"x" * (module.LARGEST + 1)])
def test_a_file_that_cannot_be_read_is_told_of_and_hides_no_other(content: bytes) -> None:
    own_folder().mkdir(parents=True)
    (own_folder() / "bad.sql").write_bytes(content)
    (own_folder() / "folder.sql").mkdir()
    saved = saved_queries()
    assert saved["bad"].trouble and saved["folder"].trouble
    assert not saved["cost"].trouble
