# Everything runs in .venv; `make run` on a fresh machine needs Python 3.11 or later and nothing else.
PYTHON ?= python3
BIN := .venv/bin

.PHONY: run test test-long check bench install install-dev clean

run: .venv/installed
	$(BIN)/python serve.py

install: .venv/installed
install-dev: .venv/installed-dev

.venv/bin/python:
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or later is needed: make run PYTHON=python3.12")'
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --upgrade pip

.venv/installed: requirements.txt | .venv/bin/python
	$(BIN)/python -m pip install --quiet -r requirements.txt
	touch $@

.venv/installed-dev: requirements.txt requirements-dev.txt | .venv/bin/python
	$(BIN)/python -m pip install --quiet -r requirements-dev.txt
	touch .venv/installed $@

check: .venv/installed-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

test: .venv/installed-dev
	HF_HUB_OFFLINE=1 $(BIN)/python -m pytest -m "not long" -n 2 --dist loadfile --no-loadscope-reorder

test-long: .venv/installed-dev
	HF_HUB_OFFLINE=1 $(BIN)/python -m pytest -m long --timeout=3600

bench: .venv/installed-dev
	$(BIN)/python -m benchmarks

clean:
	rm -rf .venv .mypy_cache .ruff_cache .pytest_cache artifacts
