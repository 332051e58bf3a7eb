# Everything runs in .venv, which the first target that needs it makes. Needs Python 3.11 to 3.13 and make.
PYTHON ?= python3
BIN := .venv/bin
PIP := $(BIN)/pip install --quiet --disable-pip-version-check --constraint constraints.txt

.PHONY: help demo test lint types imports pytest test-slow docs bench format clean

help:  ## Show this list
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 12

.venv/core: pyproject.toml constraints.txt
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(PIP) --editable .
	touch $@

.venv/train: .venv/core
	$(PIP) --editable '.[train]'
	touch $@

.venv/dev: .venv/core
	$(PIP) --editable '.[dev,train]'
	touch $@

demo: .venv/train  ## The main job in miniature, on a toy language pair
	PATH="$(CURDIR)/$(BIN):$$PATH" sh scripts/demo.sh

test: lint types imports pytest  ## All checks and tests; what CI runs

lint: .venv/dev  ## Layout and lint (ruff)
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .

types: .venv/dev  ## Types (mypy --strict)
	$(BIN)/mypy

imports: .venv/dev  ## The order of the rooms (import-linter)
	$(BIN)/lint-imports

# Compiled code is invisible to coverage, so the tests of kernels run once more as plain Python.
pytest: .venv/dev  ## Tests with branch coverage
	$(BIN)/coverage erase
	$(BIN)/coverage run -m pytest -m 'not slow' -n auto --dist worksteal
	NUMBA_DISABLE_JIT=1 $(BIN)/coverage run -m pytest -m 'kernel and not slow' -W 'ignore:overflow encountered:RuntimeWarning'
	$(BIN)/coverage combine --quiet
	$(BIN)/coverage report

test-slow: .venv/dev  ## Tests that take minutes
	$(BIN)/pytest -m slow

docs: .venv/dev  ## Write docs/commands.md from --help
	$(BIN)/python scripts/make_commands.py

bench: .venv/dev  ## Benchmarks; those on real data need ../shared/data
	for script in benchmarks/tokens.py benchmarks/surface.py benchmarks/prepare.py benchmarks/sentence_bleu.py benchmarks/embeddings.py; do \
		$(BIN)/python $$script --write || exit 1; done

format: .venv/dev  ## Put the layout right
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

clean:  ## Remove what can be made again, compiled kernels too
	rm -rf .venv demo .mypy_cache .pytest_cache .ruff_cache .import_linter_cache .coverage*
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
