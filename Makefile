# The same commands here and in CI. ARGS="..." is handed on: make play ARGS="--port 9000 --no-browser"

VENV := .venv
BIN := $(VENV)/bin
ARGS ?=
SPARRING := $(BIN)/sparring
PIP := $(BIN)/python -m pip --disable-pip-version-check --no-input --quiet
PYTEST := $(BIN)/python -m pytest
# Where to look for a Python, in this order; PYTHON=/path/to/python goes first.
PYTHONS := $(PYTHON) python3 python3.14 python3.13 python3.12 python3.11

.DEFAULT_GOAL := help
.PHONY: help play install test soak lint bench bench-peers bench-web-peers rivals load studio docs playthroughs lock clean

help:
	@echo "make play     install, then open the table in the browser; make play ARGS=--lan lets friends in your network join"
	@echo "make install  install into $(VENV) only"
	@echo "make test     all tests but the long ones        make soak   the long ones"
	@echo "make lint     style, format and types            make bench  how fast the games run"
	@echo "make docs     the papers as pages                make lock   pin all packages anew"
	@echo "make rivals   the search against what it was and against others, at equal time, in all games (hours)"
	@echo "make load     how many tables the web server carries, and which limit is met first"
	@echo "make studio   how soon the studio shows what a key does, and what a set is worth"
	@echo "make bench-peers    the games that OpenSpiel has too, beside it"
	@echo "make bench-web-peers   tic-tac-toe at our server beside boardgame.io's (needs Node.js and npm)"
	@echo "make clean    remove what was built and installed"
	@echo "make playthroughs   write the matches that the tests read anew"

play: $(VENV)/play.stamp
	@$(SPARRING) play $(ARGS)

install: $(VENV)/play.stamp

# Containers often forbid to keep bytecode; then every process would read all modules and all tests as source again.
test soak: export PYTHONDONTWRITEBYTECODE :=

# Three processes also on two cores: two that are busy, and one for what waits (tests/conftest.py). More of them would only
# be in each other's way: with six, the same tests take up to a third more processor time.
test: $(VENV)/dev.stamp
	$(PYTEST) --numprocesses 3 --dist loadscope $(ARGS)

soak: $(VENV)/dev.stamp
	$(PYTEST) -m soak $(ARGS)

lint: $(VENV)/dev.stamp
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/bandit --quiet --configfile pyproject.toml --recursive src

bench: $(VENV)/play.stamp
	@$(SPARRING) bench $(ARGS)

bench-peers: $(VENV)/peers.stamp
	@$(BIN)/python examples/peers.py $(ARGS)

bench-web-peers: $(VENV)/play.stamp
	@$(BIN)/python examples/web_peers/compare.py $(ARGS)

rivals: $(VENV)/play.stamp
	@$(BIN)/python -m sparring.lab.benchmarks.head_to_head $(ARGS)

load: $(VENV)/play.stamp
	@$(BIN)/python -m sparring.web.load $(ARGS)

studio: $(VENV)/dev.stamp
	@PYTHONPATH=tests $(BIN)/python -m web.studio.response_times $(ARGS)

docs: $(VENV)/dev.stamp
	$(BIN)/sphinx-build --fail-on-warning --keep-going --quiet -b html docs docs/_build/html
	@echo "The pages are in docs/_build/html/index.html"

playthroughs: $(VENV)/dev.stamp
	@$(BIN)/python -m tests.playthroughs.write $(ARGS)

# All locks hold for every system and every Python that we support; no index of this machine's own comes into them.
LOCK := $(BIN)/uv pip compile --no-config --universal --generate-hashes --upgrade --no-header --no-annotate --quiet
EXTRAS := --extra test --extra lint --extra docs --extra postgres --extra many --extra lab --extra cluster --extra train --extra print

lock: $(VENV)/dev.stamp
	$(LOCK) pyproject.toml --group build -o requirements/play.txt
	$(LOCK) pyproject.toml --group build --group lock $(EXTRAS) -c requirements/play.txt -o requirements/dev.txt
	$(LOCK) pyproject.toml --group build --extra postgres --extra many -c requirements/dev.txt -o requirements/serve.txt
	$(LOCK) pyproject.toml --extra peers -c requirements/dev.txt -o requirements/peers.txt

clean:
	rm -rf $(VENV) docs/_build .mypy_cache .pytest_cache .ruff_cache .hypothesis

# A stamp says that what its lock pins is installed; it grows old when the lock or the project's own table changes.
$(VENV)/play.stamp: requirements/play.txt pyproject.toml | $(BIN)/pip
	@echo "Installing Sparring into $(VENV) ..."
	@$(PIP) install --require-hashes -r requirements/play.txt
	@$(PIP) install --no-deps --no-build-isolation -e .
	@touch $@

$(VENV)/dev.stamp: $(VENV)/play.stamp requirements/dev.txt
	@echo "Installing what the tests need into $(VENV) ..."
	@$(PIP) install --require-hashes -r requirements/dev.txt
	@touch $@

$(VENV)/peers.stamp: $(VENV)/play.stamp requirements/peers.txt
	@echo "Installing OpenSpiel into $(VENV) ..."
	@$(PIP) install --require-hashes -r requirements/peers.txt
	@touch $@

$(BIN)/pip:
	@for python in $(PYTHONS); do \
	    if $$python -c 'import sys; sys.exit(not (3, 11) <= sys.version_info < (3, 15))' 2>/dev/null; then \
	        $$python -m venv $(VENV); exit; \
	    fi; \
	done; \
	echo "Sparring needs Python 3.11, 3.12, 3.13 or 3.14, and none was found here; install one and try again." >&2; exit 1
