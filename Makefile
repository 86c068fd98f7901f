# `make play` plays, `make test` tests; each makes the virtual environment it needs.
PYTHON ?= python3
BIN := .venv/bin

.PHONY: play test test-long lint clean

play: .venv/play
	@$(BIN)/nimatron play

# Three workers for two cores: some tests wait for a browser, or for a port.
test: .venv/test
	$(BIN)/python -m pytest -n 3 --no-loadscope-reorder

test-long: export NIMATRON_LONG = 1
test-long: test

lint: .venv/lint
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

.venv/play: pyproject.toml
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --editable .
	@touch $@

.venv/test: .venv/play
	$(BIN)/python -m pip install --quiet --editable '.[test]'
	@touch $@

.venv/lint: .venv/play
	$(BIN)/python -m pip install --quiet --editable '.[lint]'
	@touch $@

clean:
	rm -rf .venv dist
