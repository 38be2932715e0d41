"""Whose fault a failed install is."""

import pytest

from iwtui.web.npm_faults import error_code, fault


@pytest.mark.parametrize(
    "code", "E404 ERESOLVE EJSONPARSE ETARGET EINVALIDPACKAGENAME ENOENT EUNSUPPORTEDPROTOCOL 1".split()
)
@pytest.mark.parametrize("word", ["npm error", "npm ERR!"])
def test_what_the_site_asked_for_is_the_sites(code: str, word: str) -> None:
    assert fault(f"npm warn x\n{word} code {code}\n{word} 404 Not Found") == "site"


@pytest.mark.parametrize("code", "ENOTFOUND ETIMEDOUT EAI_AGAIN ECONNRESET E500 E503 E429 ENOSPC CERT_HAS_EXPIRED".split())
@pytest.mark.parametrize("word", ["npm error", "npm ERR!"])
def test_what_network_registry_and_machine_do_is_ours(code: str, word: str) -> None:
    assert fault(f"{word} code {code}\n{word} network request failed") == "infra"


def test_words_of_a_package_are_no_code() -> None:
    text = "banner: npm error code ETIMEDOUT\n> npm error code ENOTFOUND"
    assert (error_code(text), fault(text)) == ("", "site")
