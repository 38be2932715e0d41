"""What a sandbox is told of the user's npm settings: the way to the registry, and no secret."""

from pathlib import Path

from iwtui.web.node import Node, certificates, network_settings


def test_the_way_to_the_registry_and_no_secret(tmp_path: Path) -> None:
    node = Node(tmp_path / "bin/node", tmp_path / "npm.js", "v20.0.0", "11.0.0")
    (tmp_path / "etc").mkdir()
    (tmp_path / "etc/npmrc").write_text("registry=https://global.example/\n")
    (tmp_path / ".npmrc").write_text(
        "//own.example/:_authToken=SECRET\nregistry = https://own.example/\n_password=SECRET\n"
        f"cafile={tmp_path}/ca.pem\nproxy=${{SECRET_PROXY}}\nhttps-proxy=http://user:SECRET@proxy.example\n"
    )
    (tmp_path / "ca.pem").write_text("")
    environ = {"NPM_TOKEN": "SECRET", "HTTPS_PROXY": "http://proxy.example:3128", "http_proxy": "http://u:SECRET@p.example"}
    settings = network_settings(environ, tmp_path, node)
    assert settings == {
        "HTTPS_PROXY": "http://proxy.example:3128",
        "npm_config_registry": "https://own.example/",
        "npm_config_cafile": f"{tmp_path}/ca.pem",
    }
    assert certificates(settings) == (tmp_path / "ca.pem",)
    assert (
        network_settings({"npm_config_registry": "https://e.example/"}, tmp_path, node)["npm_config_registry"]
        == "https://e.example/"
    )
