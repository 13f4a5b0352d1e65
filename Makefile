# Developers and CI use the same commands. ARGS="..." passes arguments: make play ARGS="--port 9000 --no-browser"

VENV := .venv
BIN := $(VENV)/bin
OTHERS := $(VENV)-others
ARGS ?=
SPARRING := $(BIN)/sparring
PIP := $(BIN)/python -m pip --disable-pip-version-check --no-input --quiet
PYTEST := $(BIN)/python -m pytest
# The first suitable Python of these is used; PYTHON=/path/to/python overrides them.
PYTHONS := $(PYTHON) python3 python3.14 python3.13 python3.12 python3.11

.DEFAULT_GOAL := help
.PHONY: help play install test test-slow test-others soak mutations lint bench pace bench-limits bench-peers bench-web-peers rivals load faults studio docs pictures generated lock clean

help:
	@echo "Play"
	@echo "  make play             install, then play in the browser (ARGS=--lan lets friends on your network join)"
	@echo "  make install          only install into $(VENV)"
	@echo "  make clean            delete $(VENV), $(OTHERS), caches and built docs"
	@echo "Develop"
	@echo "  make test             run the quick tests (seven minutes)"
	@echo "  make test-slow        run the tests that use browsers, servers, databases or compiled rules"
	@echo "  make test-others      run packages that learn on our environments, in a separate environment"
	@echo "  make soak             run the long tests: all seeds, kills, fuzzing"
	@echo "  make mutations        plant faults one by one and check that a quick test notices each"
	@echo "  make lint             check style, format, types and security"
	@echo "  make docs             build the docs as HTML"
	@echo "  make pictures         retake the pictures of README and docs (needs Chromium)"
	@echo "  make generated        after a change of rules: write tables of the docs, recorded matches and so on again"
	@echo "  make lock             update all package versions and pin them with hashes"
	@echo "Measure"
	@echo "  make bench            measure how fast the games run"
	@echo "  make pace             measure how long players wait at tables, in a browser (an hour; needs Chromium)"
	@echo "  make rivals           play the search bot against baselines at equal CPU time, in all games (hours)"
	@echo "  make load             measure how many tables the web server can carry, and which limit it reaches first"
	@echo "  make faults           play an operator's faults against servers under load (minutes; ARGS=\"9 15\" only these)"
	@echo "  make studio           measure how soon the studio shows a key press and the strength of a card"
	@echo "  make bench-limits     compare play and search with C++ written by hand and with another commit (needs g++)"
	@echo "  make bench-peers      compare environments and searches with OpenSpiel, pgx and PettingZoo"
	@echo "  make bench-web-peers  compare the web server with boardgame.io's (needs Node.js and npm)"

play: $(VENV)/play.stamp
	@$(SPARRING) play $(ARGS)

install: $(VENV)/play.stamp

# Containers often disable bytecode caching, which would make every test process recompile all modules and tests.
test test-slow test-others soak mutations: export PYTHONDONTWRITEBYTECODE :=

# Three processes, even on two cores: two keep the cores busy, and the third runs tests that mostly wait. More would only
# compete: with six, the same tests take up to a third more CPU time. Tests of a group share a process (tests/conftest.py).
PARALLEL := --numprocesses 3 --dist loadgroup --no-loadscope-reorder
SLOW := browser or compiled or server or postgres or journey

test: $(VENV)/dev.stamp
	$(PYTEST) $(PARALLEL) -m "not (soak or $(SLOW))" $(ARGS)
	@echo "make test-slow adds browsers, servers, databases and compiled rules; it needs Chromium, PostgreSQL, nginx and Caddy:"
	@echo "apt-get install chromium-headless-shell postgresql nginx caddy"

test-slow: $(VENV)/dev.stamp
	$(PYTEST) $(PARALLEL) -m "($(SLOW)) and not soak" $(ARGS)

# Without the shared fixtures and options of the other tests, which need other packages.
test-others: $(OTHERS)/stamp
	$(OTHERS)/bin/python -m pytest --noconftest --override-ini addopts= --override-ini filterwarnings= tests/others $(ARGS)

soak: $(VENV)/dev.stamp
	$(PYTEST) -m soak $(ARGS)

mutations: $(VENV)/dev.stamp
	@$(BIN)/python tests/mutations/run.py $(ARGS)

lint: $(VENV)/dev.stamp
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/bandit --quiet --configfile pyproject.toml --recursive src
	$(BIN)/codespell src tests docs examples README.md CONTRIBUTING.md CHANGELOG.md
	@if command -v hadolint >/dev/null; then hadolint deploy/Containerfile; fi
	@if docker compose version >/dev/null 2>&1; then \
	    SPARRING_PASSWORD=x SPARRING_JOBS_PASSWORD=x docker compose --file deploy/compose.yaml config --quiet; \
	fi

bench: $(VENV)/play.stamp
	@$(SPARRING) bench $(ARGS)
	@echo "How long players wait at tables is measured in a browser: make pace"

pace: $(VENV)/dev.stamp
	@$(BIN)/python -m benchmarks.pace $(ARGS)

bench-limits: $(VENV)/dev.stamp
	@$(BIN)/python -m benchmarks.limits $(ARGS)

bench-peers: $(VENV)/peers.stamp
	@$(BIN)/python -m benchmarks.peer_environments
	@$(BIN)/python -m benchmarks.peers $(ARGS)

bench-web-peers: $(VENV)/play.stamp
	@$(BIN)/python -m benchmarks.web_peers.compare $(ARGS)

rivals: $(VENV)/play.stamp
	@$(BIN)/python -m benchmarks.head_to_head $(ARGS)

load: $(VENV)/play.stamp
	@$(BIN)/python -m benchmarks.load $(ARGS)

faults: $(VENV)/dev.stamp
	@PYTHONPATH=tests $(BIN)/python -m faults $(ARGS)

studio: $(VENV)/dev.stamp
	@PYTHONPATH=tests $(BIN)/python -m benchmarks.studio $(ARGS)

docs: $(VENV)/dev.stamp
	$(BIN)/sphinx-build --fail-on-warning --keep-going --quiet -b html docs docs/_build/html
	@echo "Built docs/_build/html/index.html"

pictures: $(VENV)/dev.stamp
	@$(BIN)/python -m benchmarks.pictures

generated: $(VENV)/dev.stamp
	@PYTHONPATH=tests $(BIN)/python -m generated.write $(ARGS)

# Locks are valid for every supported system and Python version; --no-config ignores this machine's package index.
LOCK := $(BIN)/uv pip compile --no-config --universal --generate-hashes --upgrade --no-header --no-annotate --quiet
EXTRAS := --extra test --extra lint --extra docs --extra postgres --extra notify --extra lab --extra cluster --extra train --extra print --extra research --extra data --extra sheets

lock: $(VENV)/dev.stamp
	$(LOCK) pyproject.toml --group build --extra sheets -o requirements/play.txt
	$(LOCK) pyproject.toml --group build --group lock $(EXTRAS) -c requirements/play.txt -o requirements/dev.txt
	$(LOCK) pyproject.toml --group build --extra postgres --extra notify --extra sheets -c requirements/dev.txt -o requirements/serve.txt
	$(LOCK) pyproject.toml --extra peers -c requirements/dev.txt -o requirements/peers.txt
	$(LOCK) pyproject.toml --extra others --group build -c requirements/dev.txt -o requirements/others.txt

clean:
	rm -rf $(VENV) $(OTHERS) docs/_build .mypy_cache .pytest_cache .ruff_cache .hypothesis

# A stamp file records that a lock's packages are installed, until the lock or pyproject.toml changes.
$(VENV)/play.stamp: requirements/play.txt pyproject.toml | $(BIN)/pip
	@echo "Installing Sparring into $(VENV) ..."
	@$(PIP) install --require-hashes -r requirements/play.txt
	@$(PIP) install --no-deps --no-build-isolation -e .
	@touch $@

$(VENV)/dev.stamp: $(VENV)/play.stamp requirements/dev.txt
	@echo "Installing the test tools into $(VENV) ..."
	@$(PIP) install --require-hashes -r requirements/dev.txt
	@touch $@

$(VENV)/peers.stamp: $(VENV)/play.stamp requirements/peers.txt
	@echo "Installing OpenSpiel, PettingZoo and pgx into $(VENV) ..."
	@$(PIP) install --require-hashes -r requirements/peers.txt
	@touch $@

# PyTorch for CUDA, as locked, takes gigabytes. On a CPU, first install its CPU build into $(OTHERS): it stays, and its
# version then differs from the lock's.
$(OTHERS)/stamp: requirements/others.txt pyproject.toml | $(BIN)/pip
	@echo "Installing packages that learn into $(OTHERS) ..."
	@$(BIN)/python -m venv $(OTHERS)
	@omit=' '; if $(OTHERS)/bin/pip show torch 2>/dev/null | grep -q '[+]cpu'; then omit='^(torch|triton|cuda-.*|nvidia-.*)=='; fi; \
	awk -v omit="$$omit" '/^[a-z]/ { kept = $$1 !~ omit } kept' requirements/others.txt >$(OTHERS)/lock.txt
	@$(OTHERS)/bin/pip install --disable-pip-version-check --no-input --quiet --require-hashes -r $(OTHERS)/lock.txt
	@$(OTHERS)/bin/pip install --disable-pip-version-check --no-input --quiet --no-deps --no-build-isolation -e .
	@touch $@

$(BIN)/pip:
	@for python in $(PYTHONS); do \
	    if $$python -c 'import sys; sys.exit(not (3, 11) <= sys.version_info < (3, 15))' 2>/dev/null; then \
	        $$python -m venv $(VENV); exit; \
	    fi; \
	done; \
	echo "Sparring needs Python 3.11, 3.12, 3.13 or 3.14, but found none. Install one, or set PYTHON=/path/to/python." >&2; exit 1
