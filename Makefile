# Two commands do all the set-up themselves: `make play` and `make test`.
PYTHON ?= python3
VENV := .venv
PY := $(VENV)/bin/python
PIP := TABLEE_COMPILE=no $(PY) -m pip --disable-pip-version-check install --quiet --constraint constraints.txt
INSTALL := $(PIP) --no-build-isolation --editable
SOURCES := $(shell grep -rlxE --include='*.py' '\# compiled( unchecked)?' src)
PLAIN := build/plain
CHECKED := build/checked
BOUNDS_TESTS := tests/test_bounds.py tests/gym/test_batch.py tests/players/test_network.py tests/players/test_learning.py tests/players/test_study.py tests/players/test_batches.py tests/players/tabaijana tests/players/tablan

.PHONY: docs site site-try site-kill site-test play test quick mutate chromium check bench contract golden previews gallery legality fuzz prove soak crowd build plain checked clean

play: build
	$(VENV)/bin/tablee serve --open

test: build plain checked chromium $(VENV)/tests
	$(PY) -m pytest -n 2 --dist worksteal --durations=30 --ignore tests/site --ignore tests/wasm
	$(PY) -m tests.quick --most 1440 $(SITE_TESTS)
	PYTHONPATH=$(CHECKED) $(PY) -m pytest -n 2 --dist worksteal $(BOUNDS_TESTS)
	PYTHONPATH=$(PLAIN) $(PY) -m pytest -n 2 --dist worksteal tests/test_contract.py tests/games
	$(PY) -m tests.prove --small

# The library in a browser tab: built, played in Chromium and under node. Six minutes of two cores are 720 s of processor time; it fails above
# them, and `make test` above twice as much: a machine may be slower.
SITE_TESTS := -n 2 --dist worksteal --durations=10 tests/site tests/wasm
site-test: build chromium $(VENV)/tests
	$(PY) -m tests.quick --most 720 $(SITE_TESTS)

# The tests to run every few minutes, in a minute of processor time: rules, a small contract, tables, store, basics of the players.
# Those that play at random for long, kill processes, need PostgreSQL or move whole stores are left to `make test`. It fails above the minute.
# With fewer actions than these the contract does not see every paragraph refuse something.
QUICK := tests/games tests/test_contract.py tests/test_core.py tests/test_values.py tests/tables tests/store \
	tests/players/test_stop.py tests/players/test_alphabeta.py tests/players/test_mcts.py tests/players/test_mind.py \
	tests/mutation/test_mutation.py::test_every_fault_fits_the_source \
	--ignore tests/tables/test_machine.py --ignore tests/store/test_kill.py --ignore tests/store/test_faults.py \
	--ignore tests/store/test_moving.py --ignore tests/store/test_postgres.py --ignore tests/tables/test_view_changes.py -k "not postgres"
quick: build $(VENV)/tests
	@TABLEE_CONTRACT_ACTIONS=1200 $(PY) -m tests.quick -n 2 -x $(QUICK)

# Plants each fault of tests/mutation/faults in a copy of the source, and names those that no test notices. CORES=1 leaves room for other work.
mutate: build $(VENV)/tests
	$(PY) -m tests.mutation $(if $(CORES),--cores $(CORES))

# The browser tests drive a real Chromium: the one that CHROMIUM names, or Debian's own, installed here if need be.
chromium:
	@command -v "$${CHROMIUM:-chromium}" > /dev/null || { test "$$(id -u)" = 0 && { apt-get -o DPkg::Lock::Timeout=300 install -y --no-install-recommends chromium || \
	{ apt-get update && apt-get -o DPkg::Lock::Timeout=300 install -y --no-install-recommends chromium; }; }; } || \
	{ echo 'Chromium is missing: install it (apt-get install chromium), or name one with CHROMIUM=/path/to/chromium.'; exit 1; }

check: build $(VENV)/tests
	$(VENV)/bin/ruff format --check .
	$(VENV)/bin/ruff check .
	$(VENV)/bin/mypy
	$(VENV)/bin/lint-imports

# STRICT=--strict ends with status 1 where a target is missed. What it can be compared with is installed where it can be had.
bench: build plain checked chromium $(VENV)/tests $(VENV)/pgx
	$(PY) -m bench $(STRICT)
	$(PY) -m bench.starting $(STRICT)
	$(PY) -m bench.states $(STRICT)
	$(PY) -m bench.thinking
	$(PY) -m bench.search
	$(PY) -m bench.network
	$(PY) -m bench.strength --quick $(STRICT)
	$(PY) -m bench.house $(STRICT)
	$(PY) -m bench.move --games traboulet,tabale,tabaijana,tablan,tabu
	$(PY) -m bench.promptness
	$(PY) -m bench.gym $(STRICT)
	$(PY) -m bench.offline $(STRICT)

# The long form of the contract: a million actions over all games, seats and options.
contract: build $(VENV)/tests
	$(PY) -m tests.long_contract --actions 1000000

# What the house promises, the figure asked and the figure reached; at most an hour.
prove: build $(VENV)/tests
	$(PY) -m tests.prove

# Half an hour at half of what the machine can do: 10,000 games, and memory must stay flat.
soak: build $(VENV)/tests
	$(PY) -m tests.web.soak --minutes 30 --games 10000

# Moves a second, processor time, waits and memory with many tables, beside boardgame.io in the same run.
crowd: build $(VENV)/tests
	$(PY) -m bench.crowd --tables 10,100,1000,4000 --paced 50,200,1000 --seconds 15 --sockets 1000 --live 10000

# Writes the golden files anew; look at the difference before you commit it.
golden: build $(VENV)/tests
	$(PY) -m tests.golden.make

# Draws the pictures beside links and the touch icon anew; look at them before you commit them.
previews: build chromium $(VENV)/tests
	$(PY) -m tests.browser.previews

# Pictures of every game at its start, a refusal, a hint, a throw, in the middle and at its end, on a desktop and a telephone, by day and dark: artefacts/gallery.
gallery: build chromium $(VENV)/tests
	$(PY) -m tests.browser.gallery

# A million choices of players of every level, each held against the rules.
legality: build $(VENV)/tests
	$(PY) -m tests.players.legality --moves 1000000

# The handbook as files in build/docs, in both languages; a dead link, a missing option, paragraph or name fails. A house serves the same pages under /docs.
docs: build
	$(PY) -m tablee.web.handbook_site build/docs

# The library as static files in build/site-files: put them on any web host. site-try serves them on this machine and opens a browser.
site: build
	$(VENV)/bin/tablee site build/site-files

site-try: build
	$(VENV)/bin/tablee site build/site-files --try 8090

# Kills the tab twenty times during play: nothing confirmed may be lost, nothing doubled.
site-kill: build chromium $(VENV)/tests
	TABLEE_KILLS=20 $(PY) -m pytest -n 0 tests/site/test_kill.py

fuzz: build $(VENV)/fuzz
	$(PY) -m tests.fuzz -max_total_time=300

build: $(VENV)/compiled

# The same modules without their compiled twins, for tests and benchmarks that run both ways.
plain: build
	rm -rf $(PLAIN)
	mkdir -p $(PLAIN)
	cp -R src/tablee $(PLAIN)/
	find $(PLAIN) -name '*.so' -delete

# The same modules compiled with every bounds check: the tests show that no index is out of range where these checks are left out.
checked: $(VENV)/checked

$(VENV)/checked: $(VENV)/compiled
	rm -rf $(CHECKED)
	mkdir -p $(CHECKED)
	cp -R src/tablee $(CHECKED)/
	find $(CHECKED) -name '*.so' -delete
	TABLEE_CHECKED=yes $(PY) setup.py --quiet build_ext --build-lib $(CHECKED) --build-temp build/checked-objects \
	> build/checked.log 2>&1 || { cat build/checked.log; exit 1; }
	touch $@

$(VENV)/ready: pyproject.toml constraints.txt
	test -x $(PY) || $(PYTHON) -m venv $(VENV)
	$(PIP) setuptools wheel 'mypy[mypyc]'
	$(INSTALL) '.[web]'
	touch $@

# What the tests and the benchmarks need besides; OpenSpiel, PettingZoo and Ray are not built for every machine.
$(VENV)/tests: $(VENV)/ready
	$(INSTALL) '.[dev,gym,bench,ray]' || { $(INSTALL) '.[dev]' && echo 'OpenSpiel, PettingZoo and Ray cannot be installed here: what needs them is left out.'; }
	touch $@

$(VENV)/pgx: $(VENV)/tests
	$(INSTALL) '.[pgx]' && touch $@ || echo 'pgx and jax cannot be installed here: Batch is not compared with them.'

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
