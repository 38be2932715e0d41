"""Shell lines of builders: what is npm's, what is ours, what is run."""

import pytest

from iwtui.web.commands import GLOBAL, INSTALLED, OURS, Step, steps


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("npm install", [Step("npm install", refused=INSTALLED)]),
        ("npm i -D vite@5 @a/b", [Step("npm i -D vite@5 @a/b", npm=("install", "-D", "--", "vite@5", "@a/b"))]),
        ("yarn add --dev a", [Step("yarn add --dev a", npm=("install", "--save-dev", "--", "a"))]),
        ("npm uninstall a", [Step("npm uninstall a", npm=("uninstall", "a"))]),
        ("npm install -g serve", [Step("npm install -g serve", refused=GLOBAL)]),
        ("npm i --registry=http://evil a", [Step("npm i --registry=http://evil a", npm=("install", "--", "a"))]),
        ("npm run dev", [Step("npm run dev", refused=OURS)]),
        ("npx vite --port 3000 &", [Step("npx vite --port 3000", refused=OURS)]),
        ("npm run build", [Step("npm run build")]),
        ("npx vite build", [Step("npx vite build")]),
        ("npm ci && npm start", [Step("npm ci", refused=INSTALLED), Step("npm start", refused=OURS, needs_last=True)]),
        ("cd /home/project && mkdir a; touch 'a/b;c && d'", [Step("mkdir a", needs_last=True), Step("touch 'a/b;c && d'")]),
        ("# set up\nnode gen.js > out.txt 2>&1", [Step("node gen.js > out.txt 2>&1")]),
        ("cd sub && npm install x", [Step("cd sub && npm install x")]),
        ("echo \"it's", [Step("echo \"it's")]),
        ("", []),
    ],
)
def test_a_line_is_taken_apart(text: str, expected: list[Step]) -> None:
    assert steps(text) == expected
