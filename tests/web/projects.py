"""Projects that need no registry: servers in plain Node, as a package.json and a script."""

import json
from collections.abc import Mapping
from pathlib import Path

PAGE = "<!doctype html><title>a project</title><h1>It runs</h1>"
HTTP = "const http = require('http');\n"
ANSWER = f"(q, a) => {{ a.setHeader('content-type', 'text/html'); a.end({PAGE!r}); }}"
SERVER = HTTP + f"http.createServer({ANSWER}).listen(process.env.PORT);\n"


def project(root: Path, server: str = SERVER, scripts: Mapping[str, str] | None = None, **more: object) -> Path:
    """A folder with a `server.js` that its dev script starts."""
    root.mkdir(parents=True, exist_ok=True)
    about = {"name": "p", "scripts": {"dev": "node server.js"} if scripts is None else scripts, **more}
    (root / "package.json").write_text(json.dumps(about))
    (root / "server.js").write_text(server)
    return root
