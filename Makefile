# `make play` plays, `make test` tests, `make docs` builds the site; each makes the virtual environment it needs.
PYTHON ?= python3
BIN := .venv/bin
# Tests start hundreds of processes: the first compiles for all.
export PYTHONDONTWRITEBYTECODE :=

.PHONY: play test test-long marathon coverage mutants bench docs pictures font platforms lint ratchet clean

play: .venv/play
	@$(BIN)/nimatron play

# Four workers for two cores: many tests wait, for a browser or for a port. BARE=1 then runs what may
# need a browser, a MicroPython image and so on once more without all of that.
PYTEST := -n 4 --no-loadscope-reorder
test: export PATH := $(PATH):/usr/sbin
test: .venv/test
	$(BIN)/python -m pytest $(PYTEST)
	$(if $(BARE),$(BIN)/python tests/bare.py $(PYTEST))

# Its tests are in random order; the first line tells the seed, and SEED=N repeats it.
test-long: export NIMATRON_LONG = 1
test-long: PYTEST += -p randomly$(if $(SEED), --randomly-seed=$(SEED))
test-long: test

# An hour of attract and ten games on each MicroPython image, with the referee of darkness watching.
marathon: export NIMATRON_LONG = 1
marathon: export NIMATRON_MARATHON = 60 10
marathon: .venv/test
	$(BIN)/python -m pytest -n 2 tests/emulator/test_marathon.py

# Which lines and branches of the firmware the tests on the simulated Pico do not reach. An older
# Python does not trace what follows an exception thrown into a coroutine, which each press is.
coverage: .venv/coverage
	@$(BIN)/python -c 'import sys; sys.version_info < (3, 12) and print("Python before 3.12 hides what a press reaches, see docs/contributing/evidence.md; make clean, then make coverage PYTHON=python3.12")'
	$(BIN)/python -m coverage run -m pytest -q -p no:xdist $(foreach kind,emulator vm host wiring,--ignore=tests/$(kind))
	$(BIN)/python -m coverage report

# Mistakes in the pure core that no test notices: half an hour, or with ONLY="nim match" less.
mutants: .venv/test
	PYTHONPATH=tests $(BIN)/python tests/mutants.py $(ONLY)

# Writes docs/contributing/benchmarks.md.
# ONLY=words writes the page again from the figures of the last run.
bench: .venv/test
	PYTHONPATH=tests:tests/emulator:tests/host/kiosk $(BIN)/python -m bench $(ONLY)

# The documentation site, in dist/docs: open dist/docs/index.html. It is made from nothing, because
# Sphinx would keep a page whose generated part has changed.
docs: .venv/docs
	rm -rf dist/docs
	$(BIN)/python -m sphinx -W --keep-going -q -b html -c docs . dist/docs

# New pictures of the README and of the site, into the folder TO.
TO ?= docs/pictures
pictures: .venv/test
	PYTHONPATH=tests:tests/host/terminal:tests/host/kiosk $(BIN)/python docs/take_pictures.py $(TO)

# The page's font: Jost from npm, with the letters of European languages only, and its licence.
PAGE := host/nimatron_host/kiosk/page
JOST := .venv/font/node_modules/@fontsource-variable/jost
font: .venv/play
	$(BIN)/python -m pip install --quiet 'fonttools[woff]>=4.60'
	npm install --prefix .venv/font --no-save --no-package-lock @fontsource-variable/jost@5.3.0
	$(BIN)/fonttools varLib.instancer $(JOST)/files/jost-latin-wght-normal.woff2 wght=400:700 \
		--no-recalc-timestamp --output .venv/font/jost.ttf
	$(BIN)/fonttools subset .venv/font/jost.ttf --flavor=woff2 --output-file=$(PAGE)/jost.woff2 \
		--no-recalc-timestamp --no-hinting --layout-features=kern,mark \
		--unicodes=20-7E,A0-FF,152-153,2013-2014,2018-201E,2026,2039-203A
	cp $(JOST)/LICENSE $(PAGE)/jost-licence.txt

# The page of platforms, from what the package index answers.
platforms: .venv/test
	$(BIN)/python tests/platforms.py > docs/reference/platforms.md.new
	@mv docs/reference/platforms.md.new docs/reference/platforms.md

lint: .venv/test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/codespell
	$(BIN)/mypy
	$(BIN)/python tests/judges/subjects.py

# Lower the counts of the prose check after a rewrite. It never raises their totals.
ratchet: .venv/test
	$(BIN)/python tests/judges/prose.py --ratchet

.venv/play: pyproject.toml
	@echo 'Installing Nimatron and its libraries into .venv; this takes about a minute.'
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --editable '.[kiosk,pico]'
	@touch $@

# The second emulator is npm's: without npm, its tests are skipped. Without a network, so are those
# that need a MicroPython image.
.venv/test: .venv/play
	$(BIN)/python -m pip install --quiet --editable '.[test]'
	$(BIN)/python -m pip install --quiet --no-deps microdriver==0.0.6 InteractiveHtmlBom==2.12.0
	-@if command -v npm >/dev/null; then PYTHONPATH=tests $(BIN)/python -m judges.rp2040js.package | sh; fi
	-@$(BIN)/nimatron image
	@touch $@

# What drives Firefox: npm's, because Playwright wants a Firefox of its own.
.venv/firefox: .venv/play
	npm install --prefix .venv/firefox --no-save --no-package-lock puppeteer-core@24

.venv/coverage: .venv/test
	$(BIN)/python -m pip install --quiet --editable '.[coverage]'
	@touch $@

.venv/docs: .venv/play
	$(BIN)/python -m pip install --quiet --editable '.[docs]'
	@touch $@

clean:
	rm -rf .venv dist
