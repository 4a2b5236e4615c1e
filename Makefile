# Everything a person or CI does here. A target sets up what it needs: Python >= 3.11 and make are enough to start.

PYTHON ?= python3
TIERS := unit contract integration e2e browser
TESTS ?= $(addprefix tests/,$(TIERS))
ARGS ?=
# Processes the tests run in, each with servers of its own: one more than there are cores, because some wait.
WORKERS ?= $(shell n=$$(getconf _NPROCESSORS_ONLN); echo $$((n < 4 ? n + 1 : 4)))

SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
MAKEFLAGS += --no-builtin-rules --no-print-directory
# Tests start hundreds of processes: without compiled files each would compile all it imports.
export PYTHONDONTWRITEBYTECODE :=

UV_VERSION := 0.13.9
VENV := .venv
BIN := $(VENV)/bin
UV := $(abspath $(BIN))/uv
PIP := $(UV) pip
INTO := --quiet --python $(BIN)/python
HAS_UV := $(VENV)/.stamp-uv-$(UV_VERSION)
CAN_RUN := $(VENV)/.stamp-run
CAN_TEST := $(VENV)/.stamp-dev
# The build hook makes the web app whenever the package is installed; the stamp says from which sources.
WEB := services/web/ui
WEB_BUILT := services/web/dist/.stamp
WEB_SOURCES := $(shell find $(WEB) -type f -not -path '*/node_modules/*' -not -path '*/src/client/*') docs/openapi.json
NPM := PATH="$(abspath $(BIN)):$$PATH" $(BIN)/npm --prefix $(WEB) --no-update-notifier
TYPESCRIPT := services/clients/typescript
# Its tools are the web app's: a second installation of them would only take time.
TYPESCRIPT_TYPES := $(TYPESCRIPT)/src/generated/types.gen.ts
TOOL := PATH="$(abspath $(BIN)):$$PATH" $(abspath $(WEB))/node_modules/.bin
HAS_BROWSER := $(VENV)/.stamp-browser
# The peers of the benchmark live in a place of their own: `pip sync` of .venv would remove them.
BENCH_VENV := .venv-bench
CAN_BENCH := $(BENCH_VENV)/.stamp-bench
# So do the agent frameworks that the client has adapters for.
# OLDEST=1: the oldest versions that services/clients/python allows.
CLIENTS_LOCK := requirements-clients$(if $(OLDEST),-oldest).lock
CLIENTS_VENV := .venv-clients$(if $(OLDEST),-oldest)
CAN_TEST_CLIENTS := $(CLIENTS_VENV)/.stamp-clients
NODE_CLIENTS := tests/clients/node/node_modules/.stamp
# What teaches the bundled reader lives in a place of its own too.
TRAIN_VENV := .venv-train
CAN_TRAIN := $(TRAIN_VENV)/.stamp-train

# Development mode shows every warning in the processes the tests start too; pytest itself makes them errors.
PYTEST := PYTHONWARNINGS=default PYTHONFAULTHANDLER=1 PYTHONUNBUFFERED=1 $(BIN)/python -m pytest -n $(WORKERS) --dist worksteal
DEEP := -m '' --hypothesis-profile=deep

# --python-version: the lock is the same whichever Python made it.
COMPILE := pip compile pyproject.toml --quiet --universal --python-version 3.11 --generate-hashes \
	--no-emit-index-url --no-header
COMPILE_RUN := $(COMPILE) -o requirements.lock
# Only the group: what it shares with the others has their pins.
COMPILE_EMBEDDED := $(subst pyproject.toml,,$(COMPILE)) --group embedded -c requirements.lock -o requirements-embedded.lock
COMPILE_DEV := $(COMPILE) --group dev --group embedded --group milvus-server \
	-c requirements.lock -c requirements-embedded.lock -o requirements-dev.lock
COMPILE_BENCH := $(subst pyproject.toml,,$(COMPILE)) --group bench -c requirements-dev.lock -o requirements-bench.lock
COMPILE_CLIENTS := $(subst pyproject.toml,,$(COMPILE)) --group clients -o requirements-clients.lock
COMPILE_CLIENTS_OLDEST := $(subst pyproject.toml,,$(COMPILE)) --group clients --resolution lowest-direct \
	-o requirements-clients-oldest.lock
COMPILE_TRAIN := $(subst pyproject.toml,,$(COMPILE)) --group train -c requirements.lock -o requirements-train.lock
RUN_LOCKS := requirements.lock requirements-embedded.lock
LOCKS := $(RUN_LOCKS) requirements-dev.lock requirements-bench.lock requirements-clients.lock \
	requirements-clients-oldest.lock requirements-train.lock

.PHONY: help
help: ## List what can be done (the default)
	@awk 'BEGIN { FS = ":.*## " } \
	  /^##@ / { printf "\n%s\n", substr($$0, 5) } \
	  /^[a-z0-9-]+:.*## / { printf "  make %-18s %s\n", $$1, $$2 }' $(firstword $(MAKEFILE_LIST))
	@printf '\nPYTHON=python3.12 chooses the interpreter; ARGS="…" is handed on; TESTS="tests/unit" narrows `make test`.\n'

##@ Run

.PHONY: run demo doctor env-file image
run: $(CAN_RUN) $(WEB_BUILT) ## Start everything on this machine (memory-center up)
	$(BIN)/memory-center up $(ARGS)

demo: $(CAN_RUN) ## Walk through remembering, seeing and forgetting
	$(BIN)/memory-center demo $(ARGS)

doctor: $(CAN_RUN) ## Say what is wrong with this installation, and what to do
	$(BIN)/memory-center doctor $(ARGS)

env-file: ## Write .env with fresh random secrets for docker compose
	@deploy/docker/make-env

image: ## Build the images of docker-compose.yml, with Docker or Buildah (MEMORY_CENTER_CA_FILE=company.pem)
	@$(PYTHON) deploy/docker/images.py $(ARGS)

##@ Test

.PHONY: test test-slow test-full test-web e2e $(addprefix test-,$(TIERS) chaos)
test: $(CAN_TEST) $(HAS_BROWSER) $(WEB_BUILT) $(TYPESCRIPT_TYPES) ## Check, the web app's own tests, then every tier in order
	@$(MAKE) -j $(WORKERS) --output-sync check test-web
	$(call run_tests,$(TESTS),)

test-slow: $(CAN_TEST) $(HAS_BROWSER) $(WEB_BUILT) $(TYPESCRIPT_TYPES) ## The tests that take seconds each (tests/slow.txt); CI runs them after `make test`
	$(call run_tests,$(TESTS),-m 'slow and not full')

# Ten times as many examples, both languages, Milvus 2.3.5, chaos.
test-full: $(CAN_TEST) $(HAS_BROWSER) $(WEB_BUILT) $(TYPESCRIPT_TYPES) ## `make test` and all that takes long: run it before a release
	@$(MAKE) -j $(WORKERS) --output-sync check test-web
	$(call run_tests,$(TESTS) tests/hosts tests/chaos,$(DEEP))

# Two runs: folders whose tests share servers, and folders whose tests share a running installation (RUNNING). ALONE has
# a run for each folder, in one process: each of its tests starts servers by the dozen. A failing run ends everything.
# With AGAIN=1 failed tests are run once more, with fresh servers, and named: a flake is a defect to be mended, but does
# not hold up everything else.
AGAIN ?=
RUNNING := tests/e2e% tests/browser%
ALONE := tests/hosts% tests/chaos%
define run_tests
@times=''; for tests in '$(filter-out $(RUNNING) $(ALONE),$(1))' '$(filter $(RUNNING),$(1))' $(filter $(ALONE),$(1)); do \
  [ -n "$$tests" ] || continue; \
  printf '\n=== %s ===\n' "$$tests"; began=$$SECONDS; \
  case "$$tests" in tests/hosts*|tests/chaos*) one='-n 0';; *) one=;; esac; \
  $(PYTEST) $$tests $(2) $$one $(ARGS) || { [ -n "$(AGAIN)" ] && \
    printf '\n=== %s: what failed, once more ===\n' "$$tests" && \
    $(PYTEST) $$tests $(2) $$one $(ARGS) --last-failed -rA --no-header; } || exit 1; \
  times+=$$(printf '  %-48s %4d s' "$$tests" $$((SECONDS - began)))$$'\n'; \
done; printf '\n%s' "$$times"
endef

# Prints its seeds; ARGS="--random-order-seed=N --hypothesis-seed=N" with RUNS=1 plays one of them again.
RUNS ?= 10
.PHONY: test-repeat
test-repeat: $(CAN_TEST) $(HAS_BROWSER) $(WEB_BUILT) ## Look for flakes: the tests RUNS times, each in another order (LOAD=1: beside a busy core)
	@failed=0; load=; \
	if [ -n "$(LOAD)" ]; then stress-ng --quiet --cpu 1 & load=$$!; trap "kill $$load" EXIT; fi; \
	for run in $$(seq $(RUNS)); do \
	  seed=$$RANDOM; printf '\n=== run %s of $(RUNS), seed %s ===\n' "$$run" "$$seed"; \
	  for tests in $(TESTS); do \
	    $(PYTEST) "$$tests" -m 'not full' --random-order-seed=$$seed --hypothesis-seed=$$seed $(ARGS) || failed=$$((failed + 1)); \
	  done; \
	done; \
	echo "$$failed of $$(($(RUNS) * $(words $(TESTS)))) runs failed"; [ $$failed = 0 ]

test-unit: ## Rules and files: no servers
test-contract: ## One suite per port, against every implementation
test-integration: ## Against a real PostgreSQL
test-e2e: ## Real processes over HTTP
test-browser: $(HAS_BROWSER) $(WEB_BUILT) ## Every task in a real Chromium
test-chaos: ## A short seeded run of `make chaos`
$(addprefix test-,$(TIERS) chaos): test-%: $(CAN_TEST)
	$(PYTEST) tests/$* $(ARGS)

test-web: $(CAN_TEST) $(WEB_BUILT) ## The web app's components and rules, in vitest
	$(NPM) test

.PHONY: test-compose
test-compose: $(CAN_TEST) ## docker-compose.yml in containers, by Podman (not part of `make test`; docs/runbooks/docker.md)
	$(PYTEST) -n 0 tests/compose -s $(ARGS)

.PHONY: test-hosts
test-hosts: $(CAN_TEST) ## Two hosts in real processes: restored, in each other's way, killed (part of test-full)
	$(PYTEST) -n 0 tests/hosts tests/contract/test_ledger_book.py tests/integration/test_hosts.py -m '' -s $(ARGS)

# Debian's PgBouncer, in transaction mode.
.PHONY: test-pooler
test-pooler: $(CAN_TEST) $(WEB_BUILT) ## The product behind a connection pooler (installs Debian's pgbouncer, as root)
	@command -v pgbouncer >/dev/null || { [ "$$(id -u)" = 0 ] && apt-get update -qq && apt-get install -y -qq pgbouncer >/dev/null; } || \
	  { echo 'This needs the package pgbouncer.' >&2; exit 1; }
	$(PYTEST) -n 0 tests/pooler -s $(ARGS)

# Real frameworks and a real installation, no vendor: what answers is a script.
.PHONY: test-clients
test-clients: $(CAN_TEST_CLIENTS) $(NODE_CLIENTS) $(CAN_TEST) $(WEB_BUILT) $(TYPESCRIPT_TYPES) ## Every door with the clients and frameworks it is for (OLDEST=1: the oldest versions of them)
	cd services/clients/python && MYPYPATH=. $(abspath $(BIN))/mypy --config-file $(abspath pyproject.toml) \
	  --python-executable $(abspath $(CLIENTS_VENV))/bin/python -p memory_center_client.adapters
	$(CLIENTS_VENV)/bin/python -m pytest -c tests/clients/pytest.toml --confcutdir tests/clients tests/clients $(ARGS)

e2e: test-e2e test-browser ## Everything end to end: over HTTP, and in a browser

# A shim without an interpreter behind it is not found. Each keeps an environment of its own, named by its version.
PYTHONS ?= $(shell for python in python3.11 python3.12 python3.13; do \
  if "$$python" -c '' 2>/dev/null; then echo "$$python"; fi; done)
.PHONY: test-pythons
test-pythons: ## Unit tests and the demo on each Python found (PYTHONS="/path/to/python3.11 python3.13")
	@test -n "$(strip $(PYTHONS))" || { echo 'No Python found: make test-pythons PYTHONS=/path/to/python3.12' >&2; exit 1; }
	@for python in $(PYTHONS); do \
	  version=$$("$$python" -c 'import platform; print(platform.python_version())'); \
	  printf '\n=== Python %s: %s ===\n' "$$version" "$$python"; \
	  $(MAKE) VENV=".venv-$$version" PYTHON="$$python" test-unit; \
	  $(MAKE) VENV=".venv-$$version" PYTHON="$$python" ARGS= demo; \
	done

.PHONY: screenshots
screenshots: $(CAN_TEST) $(HAS_BROWSER) $(WEB_BUILT) ## Take a picture of every screen, in build/screenshots
	$(BIN)/python -m tests.browser.screenshots $(ARGS)

.PHONY: measure-web
measure-web: $(CAN_TEST) $(HAS_BROWSER) $(WEB_BUILT) ## Measure how screens load over a slow network, and how much they shift
	$(BIN)/python -m tests.browser.loading $(ARGS)

.PHONY: train-reader
train-reader: $(CAN_TRAIN) ## Teach the reader and write its weights to build/reader (about an hour on two cores)
	$(TRAIN_VENV)/bin/python -m tests.training $(ARGS)

.PHONY: embedder-graph
embedder-graph: $(CAN_TRAIN) ## Write the graph that the embedder runs with the published weights
	$(TRAIN_VENV)/bin/python -m tests.training.embedder

.PHONY: train-maps
train-maps: $(CAN_TRAIN) ## Teach what the vectors of questions and statements are moved by (a few minutes)
	$(TRAIN_VENV)/bin/python -m tests.training.maps $(ARGS)

.PHONY: train-habits
train-habits: $(CAN_TRAIN) ## Teach the reader what messages show of their writers (a quarter of an hour)
	$(TRAIN_VENV)/bin/python -m tests.training.habits $(ARGS)

.PHONY: eval-traits
eval-traits: $(CAN_TEST) ## Judge what is inferred about people over months, by authors (DATA=file, ARGS="--people 20 --errors")
	@$(BIN)/python -m tests.evaluation.traits $(DATA) $(ARGS)

.PHONY: eval-habits
eval-habits: $(CAN_TEST) ## Judge what single messages show of their writers, by authors never learned from
	@$(BIN)/python -m tests.evaluation.habits

.PHONY: eval-consent
eval-consent: $(CAN_TEST) ## Judge consent, slices, boundaries and drift (ARGS="--interleavings 1000")
	@$(BIN)/python -m tests.evaluation.consent $(ARGS)

.PHONY: bench-traits
bench-traits: $(CAN_TEST) ## Measure what a reflection costs by how much was observed
	@$(BIN)/python -m tests.bench.reflecting

.PHONY: eval-memory
eval-memory: $(CAN_TEST) ## Judge understanding by independent authors, languages, families (WHO="juniper cedar", WEIGHTS=build/reader; LLM=recorded: a large model's)
	@$(BIN)/python -m tests.evaluation$(if $(LLM),.$(LLM)) $(if $(WEIGHTS),--weights $(WEIGHTS)) $(ARGS) $(WHO)

.PHONY: eval-maps
eval-maps: $(CAN_TEST) ## Judge how well vectors alone find what an answer needs, and what a statement concerns, by authors
	@$(BIN)/python -m tests.evaluation.maps

.PHONY: eval-among
eval-among: $(CAN_TEST) ## Judge how sure the reader must be when it compares a statement with many
	@$(BIN)/python -m tests.evaluation.among

.PHONY: eval-forget
eval-forget: $(CAN_TEST) ## Judge forgetting and correcting by description on the real parts, by author (WHO="juniper gentian", ARGS=--errors)
	$(BIN)/python -m tests.evaluation.forgetting $(ARGS) $(WHO)

# DATA is a file in LoCoMo's format, which is never copied here; SAMPLES=n takes the first n only.
.PHONY: eval-recall
eval-recall: $(CAN_TEST) ## Judge recall by conversations with known evidence, beside mem0 (DATA=file SAMPLES=n)
	@$(BIN)/python -m tests.evaluation.recall $(if $(DATA),"$(DATA)") $(if $(SAMPLES),--samples $(SAMPLES))

.PHONY: bench-recall
bench-recall: $(CAN_TEST) ## Measure how recall grows, write docs/benchmarks-recall.md (ARGS="--quick --explain")
	$(BIN)/python -m tests.bench.recalling $(ARGS)

.PHONY: bench-describing
bench-describing: $(CAN_TEST) ## Measure what describing costs by how much was said, write docs/benchmarks-describing.md (ARGS="--quick")
	$(BIN)/python -m tests.bench.describing $(ARGS)

.PHONY: walk
walk: $(CAN_TEST) ## Trace which files a forget, and learning one sentence, enter
	@$(BIN)/python -m tests.bench.walk

.PHONY: bench-export
bench-export: $(CAN_TEST) ## Measure exporting and importing an account, write docs/benchmarks-export.md (ARGS="--quick")
	$(BIN)/python -m tests.bench.exporting $(ARGS)

.PHONY: bench-waiting
bench-waiting: $(CAN_TEST) $(WEB_BUILT) ## Measure how long one person waits beside another's 2,000 turns, under attack (ARGS=5000)
	$(BIN)/python -m tests.e2e.test_waiting $(ARGS)

.PHONY: bench-live
bench-live: $(CAN_TEST) $(WEB_BUILT) ## Measure what 2,000 open pages cost while nothing happens (ARGS=500)
	$(BIN)/python -m tests.bench.live $(ARGS)

.PHONY: bench-purge
bench-purge: $(CAN_TEST) $(WEB_BUILT) ## Measure how long requests wait while a purge rewrites a million messages (ARGS="--people 50")
	$(BIN)/python -m tests.bench.purging $(ARGS)

.PHONY: bench-capacity
bench-capacity: $(CAN_TEST) $(WEB_BUILT) ## Measure what things cost and what many people need, write docs/capacity.md (ARGS="--users 50000")
	@$(BIN)/python -m tests.bench.capacity $(ARGS)

.PHONY: bench-proxy
bench-proxy: $(CAN_TEST) $(WEB_BUILT) ## Measure what memory costs a request, beside direct ones (ARGS="--rounds 10")
	$(BIN)/python -m tests.bench.proxying $(ARGS)

.PHONY: bench-hostile
bench-hostile: $(CAN_TEST) ## Measure what an attacker without credentials costs others (ARGS="--tree CHECKOUT" compares)
	$(BIN)/python -m tests.bench.hostile $(ARGS)

.PHONY: bench-erasure
bench-erasure: $(CAN_BENCH) ## Measure erasure beside its peers, write docs/benchmarks.md (ARGS="--quick")
	$(BENCH_VENV)/bin/python -m tests.bench $(ARGS)

# SEEDS=n plays n seeds; SEED=n starts at a seed that was printed; ARGS="--break fence" must end in a violation.
.PHONY: chaos
chaos: $(CAN_TEST) ## Kill, stop and restart everything while people remember and forget (about 25 minutes)
	$(BIN)/python -m tests.chaos $(if $(SEEDS),--seeds $(SEEDS)) $(if $(SEED),--seed $(SEED)) $(ARGS)

##@ Quality

CHECKS := check-format check-lint check-types check-imports check-migrations check-lock check-client check-typescript check-web
.PHONY: check $(CHECKS) client-typescript format
check: $(CHECKS) ## Format, lint, types, import contracts, migrations, locks, the web app

check-format: $(CAN_TEST) ## The formatter would change nothing
	$(BIN)/ruff format --check .

check-client: $(CAN_TEST) ## The Python client is what its generator makes
	$(BIN)/python services/clients/python/generate.py --check

check-lint: $(CAN_TEST) ## Ruff's rules
	$(BIN)/ruff check .

check-types: $(CAN_TEST) ## mypy, strict
	$(BIN)/mypy

check-imports: $(CAN_TEST) ## The architecture: who may import whom
	$(BIN)/lint-imports --no-logo --config importlinter.toml

check-migrations: $(CAN_TEST) ## Migrations form one line
	@$(BIN)/python -c 'from alembic.script import ScriptDirectory; \
	  heads = ScriptDirectory("migrations").get_heads(); \
	  assert len(heads) == 1, f"migrations must have one head, not {heads}"; \
	  print(f"migrations: one head, {heads[0]}")'

# Compiled again in a copy, from the pins already there: only a real difference fails, an unreachable registry does not.
check-lock: $(CAN_TEST) ## The locks say what pyproject.toml asks for
	@copy=$$(mktemp -d); trap 'rm -rf "$$copy"' EXIT; \
	cp pyproject.toml $(LOCKS) "$$copy"; \
	if ! (cd "$$copy" && $(UV) $(COMPILE_RUN) && $(UV) $(COMPILE_EMBEDDED) && $(UV) $(COMPILE_DEV) && $(UV) $(COMPILE_BENCH) \
	  && $(UV) $(COMPILE_CLIENTS) && $(UV) $(COMPILE_CLIENTS_OLDEST) && $(UV) $(COMPILE_TRAIN)) \
	  >"$$copy/out" 2>&1; then \
	  if grep -qiE 'error sending request|failed to fetch|dns error|network (was|connectivity is) disabled' "$$copy/out"; then \
	    echo 'locks: NOT CHECKED, no package registry answers'; exit 0; \
	  fi; \
	  cat "$$copy/out"; echo 'locks: pyproject.toml does not resolve'; exit 1; \
	fi; \
	for lock in $(LOCKS); do \
	  cmp -s "$$lock" "$$copy/$$lock" && continue; \
	  diff "$$lock" "$$copy/$$lock" | grep -v -- --hash= | head -n 30 || :; \
	  echo "$$lock is out of date: make lock"; exit 1; \
	done; \
	echo 'locks: up to date'

check-typescript: $(CAN_TEST) $(TYPESCRIPT_TYPES) ## The TypeScript client: types, format, and its own tests
	cd $(TYPESCRIPT) && $(TOOL)/tsc -p . && $(TOOL)/prettier --check src test README.md
	$(BIN)/node --test $(TYPESCRIPT)/test/client.test.ts

$(TYPESCRIPT_TYPES): docs/openapi.json $(WEB_BUILT)
	cd $(TYPESCRIPT) && $(TOOL)/openapi-ts --silent
	@touch $@

client-typescript: check-typescript ## Check the TypeScript client and compile it to services/clients/typescript/dist
	cd $(TYPESCRIPT) && $(TOOL)/tsc -p tsconfig.build.json

check-web: $(CAN_TEST) $(WEB_BUILT) ## The web app's types, lint, format and texts
	$(NPM) run check

format: $(CAN_TEST) ## Format, and fix what Ruff can fix
	$(BIN)/ruff check --fix-only .
	$(BIN)/ruff format .
	$(NPM) run format

##@ Maintenance

.PHONY: setup lock openapi client clean
setup: $(CAN_TEST) ## Install everything for development into .venv

lock: $(HAS_UV) ## Write the locks again; ARGS="--upgrade" moves the pins
	$(UV) $(COMPILE_RUN) $(ARGS)
	$(UV) $(COMPILE_EMBEDDED) $(ARGS)
	$(UV) $(COMPILE_DEV) $(ARGS)
	$(UV) $(COMPILE_BENCH) $(ARGS)
	$(UV) $(COMPILE_CLIENTS) $(ARGS)
	$(UV) $(COMPILE_CLIENTS_OLDEST)
	$(UV) $(COMPILE_TRAIN) $(ARGS)

openapi: $(CAN_RUN) ## Write docs/openapi.json and docs/schemas from the code (then: make client)
	$(BIN)/memory-center openapi > $(VENV)/openapi.json
	mv $(VENV)/openapi.json docs/openapi.json
	$(BIN)/memory-center schemas docs/schemas

client: $(CAN_TEST) ## Write the derived parts of the Python client again, from docs/openapi.json
	$(BIN)/python services/clients/python/generate.py

clean: ## Remove .venv and caches; memories in data/ stay
	rm -rf $(VENV) $(VENV)-* dist build services/web/dist $(WEB)/node_modules $(WEB)/src/client .mypy_cache .pytest_cache .ruff_cache .import_linter_cache .hypothesis .schemathesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# A stamp is written last, so whatever was interrupted is done again.

$(HAS_UV):
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || \
	  { echo 'Memory Center needs Python 3.11 or newer; `$(PYTHON)` is not. Try: make PYTHON=/path/to/python3.11 …' >&2; exit 1; }
	@$(BIN)/python -c 'import sys, pip; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && $(UV) --version >/dev/null 2>&1 || \
	  $(PYTHON) -m venv --clear $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check uv==$(UV_VERSION)
	@touch $@

$(CAN_RUN): $(HAS_UV) $(RUN_LOCKS) pyproject.toml
	$(PIP) install $(INTO) --require-hashes $(addprefix -r ,$(RUN_LOCKS))
	$(PIP) install $(INTO) --no-deps -e .
	@touch $@

$(CAN_TEST): $(HAS_UV) requirements-dev.lock pyproject.toml
	$(PIP) sync $(INTO) --require-hashes requirements-dev.lock
	$(PIP) install $(INTO) --no-deps -e .
	@touch $@ $(CAN_RUN)

$(WEB_BUILT): $(WEB_SOURCES) | $(HAS_UV)
	$(PIP) install $(INTO) --no-deps -e .
	@touch $@

# A browser and letters for Chinese; both are Debian packages, so elsewhere they must be there already.
$(HAS_BROWSER): $(CAN_TEST)
	@if ! command -v chromium-headless-shell chromium google-chrome >/dev/null || ! fc-list :lang=zh | grep -q .; then \
	  if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
	    apt-get update -qq && export DEBIAN_FRONTEND=noninteractive; \
	    apt-get install -y -qq chromium-headless-shell fonts-noto-cjk >/dev/null || \
	      apt-get install -y -qq chromium fonts-noto-cjk >/dev/null; \
	  else \
	    echo 'The browser tests need Chromium and a Chinese font: install the packages chromium and fonts-noto-cjk.' >&2; exit 1; \
	  fi; \
	fi
	@touch $@

$(CAN_TRAIN): $(HAS_UV) requirements-train.lock
	@test -x $(TRAIN_VENV)/bin/python || $(UV) venv --quiet --python $(BIN)/python $(TRAIN_VENV)
	$(PIP) sync --quiet --python $(TRAIN_VENV)/bin/python --require-hashes requirements-train.lock
	@touch $@

$(NODE_CLIENTS): tests/clients/node/package-lock.json $(CAN_TEST)
	cd tests/clients/node && PATH="$(abspath $(BIN)):$$PATH" $(abspath $(BIN))/npm ci --ignore-scripts
	@touch $@

$(CAN_TEST_CLIENTS): $(HAS_UV) $(CLIENTS_LOCK) services/clients/python/pyproject.toml
	@test -x $(CLIENTS_VENV)/bin/python || $(UV) venv --quiet --python $(BIN)/python $(CLIENTS_VENV)
	$(PIP) sync --quiet --python $(CLIENTS_VENV)/bin/python --require-hashes $(CLIENTS_LOCK)
	$(PIP) install --quiet --python $(CLIENTS_VENV)/bin/python --no-deps -e services/clients/python
	@touch $@

$(CAN_BENCH): $(HAS_UV) requirements-dev.lock requirements-bench.lock pyproject.toml
	@test -x $(BENCH_VENV)/bin/python || $(UV) venv --quiet --python $(BIN)/python $(BENCH_VENV)
	$(PIP) sync --quiet --python $(BENCH_VENV)/bin/python --require-hashes requirements-dev.lock requirements-bench.lock
	$(PIP) install --quiet --python $(BENCH_VENV)/bin/python --no-deps -e .
	@touch $@
