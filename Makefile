# make demo: set up and play the demo.   make test: set up, lint and test.
# make soak: kills, faults and scale.    make bench: timings, as JSON.    make gallery: the README's pictures (needs tmux).

PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
PIP    := $(BIN)/python -m pip --disable-pip-version-check

.PHONY: demo setup test lint soak bench gallery clean

demo: setup
	$(BIN)/iwtui demo

setup: $(VENV)/.user
	$(BIN)/iwtui setup

test: $(VENV)/.dev setup lint
	$(BIN)/python -m pytest -m "not soak" -n 2 --dist worksteal

lint: $(VENV)/.dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/pip-licenses --partial-match --fail-on "Affero;AGPL;UNKNOWN" --summary --order=count

soak: $(VENV)/.dev setup
	$(BIN)/python -m pytest -m soak -s tests/soak tests/e2e

bench: $(VENV)/.dev setup
	$(BIN)/python -m tests.bench.run

gallery: $(VENV)/.dev setup
	$(BIN)/python -m tests.support.gallery

clean:
	rm -rf $(VENV) .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis build dist

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
	  || { echo "iwtui needs Python 3.11 or newer; name one: make PYTHON=python3.12 $(MAKECMDGOALS)"; exit 1; }
	@$(PYTHON) -c 'import ensurepip' 2>/dev/null \
	  || { [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null && apt-get update -qq && apt-get install -y -qq python3-venv; } \
	  || { echo "Python's venv is missing; on Debian and Ubuntu: sudo apt-get install python3-venv"; exit 1; }
	$(PYTHON) -m venv $(VENV)

$(VENV)/.user: $(BIN)/python pyproject.toml .constraints.txt
	$(PIP) install -q -c .constraints.txt -e .
	@touch $@

$(VENV)/.dev: $(VENV)/.user
	$(PIP) install -q -c .constraints.txt -e '.[dev]'
	@touch $@
