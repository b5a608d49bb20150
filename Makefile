# Two commands do all the set-up themselves: `make play` and `make test`.
PYTHON ?= python3
VENV := .venv
PY := $(VENV)/bin/python
PIP := TABLEE_COMPILE=no $(PY) -m pip --disable-pip-version-check install --quiet --constraint constraints.txt
INSTALL := $(PIP) --no-build-isolation --editable
SOURCES := $(shell grep -rlx --include='*.py' '\# compiled' src)
PLAIN := build/plain

.PHONY: play test chromium check bench contract golden legality fuzz build plain clean

play: build
	$(VENV)/bin/tablee serve --open

test: build plain chromium $(VENV)/tests
	$(PY) -m pytest -n 2
	PYTHONPATH=$(PLAIN) $(PY) -m pytest -n 2 tests/test_contract.py tests/games

# The browser tests drive a real Chromium: the one that CHROMIUM names, or Debian's own, installed here if need be.
chromium:
	@command -v "$${CHROMIUM:-chromium}" > /dev/null || { test "$$(id -u)" = 0 && { apt-get install -y --no-install-recommends chromium || \
	{ apt-get update && apt-get install -y --no-install-recommends chromium; }; }; } || \
	{ echo 'Chromium is missing: install it (apt-get install chromium), or name one with CHROMIUM=/path/to/chromium.'; exit 1; }

check: build $(VENV)/tests
	$(VENV)/bin/ruff format --check .
	$(VENV)/bin/ruff check .
	$(VENV)/bin/mypy
	$(VENV)/bin/lint-imports

bench: build plain chromium $(VENV)/tests
	$(PY) -m bench
	$(PY) -m bench.thinking
	$(PY) -m bench.search
	$(PY) -m bench.strength --quick
	$(PY) -m bench.house

# The long form of the contract: a million actions over all games, seats and options.
contract: build $(VENV)/tests
	$(PY) -m tests.long_contract --actions 1000000

# Writes the golden files anew; look at the difference before you commit it.
golden: build $(VENV)/tests
	$(PY) -m tests.golden.make

# A million choices of players of every level, each held against the rules.
legality: build $(VENV)/tests
	$(PY) -m tests.players.legality --moves 1000000

fuzz: build $(VENV)/fuzz
	$(PY) -m tests.fuzz -max_total_time=300

build: $(VENV)/compiled

# The same modules without their compiled twins, for tests and benchmarks that run both ways.
plain: build
	rm -rf $(PLAIN)
	mkdir -p $(PLAIN)
	cp -R src/tablee $(PLAIN)/
	find $(PLAIN) -name '*.so' -delete

$(VENV)/ready: pyproject.toml constraints.txt
	test -x $(PY) || $(PYTHON) -m venv $(VENV)
	$(PIP) setuptools wheel 'mypy[mypyc]'
	$(INSTALL) .
	touch $@

# What the tests and the benchmarks need besides; OpenSpiel and Ray are not built for every machine.
$(VENV)/tests: $(VENV)/ready
	$(INSTALL) '.[dev,bench,ray]' || { $(INSTALL) '.[dev]' && echo 'OpenSpiel and Ray are not to be had here: what needs them is left out.'; }
	touch $@

# A stale compiled module would win over an edited source: any change compiles anew. Without a compiler nothing is made.
$(VENV)/compiled: $(VENV)/ready setup.py $(SOURCES)
	mkdir -p build
	$(PY) setup.py --quiet build_ext --inplace > build/compile.log 2>&1 || { cat build/compile.log; exit 1; }
	find src -name '*.so' -exec touch {} + ; $(VENV)/bin/tablee --version
	touch $@

$(VENV)/fuzz: $(VENV)/ready
	$(INSTALL) '.[dev,fuzz]'
	touch $@

clean:
	rm -rf $(VENV) build dist
	find src -name '*.so' -delete
