# Needs Python 3.11 or later, git and make. Everything else is installed into .venv in this folder, once, and again
# when pyproject.toml changes.
#
#   PYTHON=python3.12   the interpreter to make .venv with
#   VENV=DIR            use this environment as it is and install nothing
#   ARGS="T1 --trace"   passed on to the command that the target runs
#   JOBS=2              processes that run the tests, try the mutants, or compare transitions

PYTHON ?=
ARGS ?=
JOBS ?= 2

.DEFAULT_GOAL := help
.NOTPARALLEL:
.PHONY: help theory vectors prove test test-slow foreign mutants stability lint benchmark benchmark-reference clean exhaustive

help:
	$(info make prove      prove the claims and show the table (ARGS="T1 --trace" for one of them))
	$(info make test       run the tests that CI runs)
	$(info make test-slow  run the tests that take minutes)
	$(info make foreign    compare the exports with z3's Horn solver and, where it is installed, with SPIN)
	$(info make mutants    break model, pruners and checker on purpose, and see each break noticed)
	$(info make stability  settle claims under several seeds and orders of assertions, and see that no answer flips)
	$(info make exhaustive  compare the reference with the model in every transition of two tools)
	$(info make lint       mypy, ruff, import-linter)
	$(info make benchmark  time the checker against the frozen baseline)
	$(info make benchmark-reference  time the reference implementation, also beside LangChain)
	$(info make vectors    make the conformance vectors anew from the model and the counterexamples on file)
	$(info make theory     make the tables and numbers of docs/theory.md anew from the claims)
	$(info make clean      remove .venv and caches)
	@:

ifeq ($(origin VENV),command line)
bin := $(abspath $(VENV))/bin
export PYTHONPATH := $(CURDIR)/model:$(CURDIR)/proofs:$(CURDIR)/reference_impl
base :=
full :=
else
bin := .venv/bin
base := .venv/ready-base
full := .venv/ready-full
endif

prove: $(base)
	@$(bin)/python -m ghostproof prove $(ARGS)

test: $(full)
	@$(bin)/python -m pytest -n $(JOBS) -m 'not slow' $(ARGS)

test-slow: $(full)
	@$(bin)/python -m pytest -n $(JOBS) -m slow $(ARGS)

foreign: $(full)
	@command -v spin >/dev/null && command -v gcc >/dev/null || echo "NOT COMPARED WITH SPIN: spin or gcc is missing (Debian: apt install spin gcc)"
	@$(bin)/python -m pytest tests/export $(ARGS)

mutants: $(full)
	@PYTHONPATH="$${PYTHONPATH:+$$PYTHONPATH:}tests" $(bin)/python -m mutants --jobs $(JOBS) $(ARGS)

stability: $(full)
	@PYTHONPATH="$${PYTHONPATH:+$$PYTHONPATH:}tests" $(bin)/python -m stability $(ARGS)

exhaustive: $(full)
	@PYTHONPATH="$${PYTHONPATH:+$$PYTHONPATH:}tests" $(bin)/python -m differential --jobs $(JOBS) $(ARGS)

lint: $(full)
	@$(bin)/python -m ruff check
	@$(bin)/python -m ruff format --check
	@$(bin)/lint-imports
	@$(bin)/python -m mypy

benchmark: $(base)
	@$(bin)/python benchmarks/run.py $(ARGS)

benchmark-reference: $(full)
	@$(bin)/python benchmarks/reference.py $(ARGS)

vectors: $(base)
	@$(bin)/python -m ghostproof.conformance.generate

theory: $(full)
	@PYTHONPATH="$${PYTHONPATH:+$$PYTHONPATH:}tests" $(bin)/python -m repository.theory

clean:
	rm -rf .venv dist build .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# --- the environment ---------------------------------------------------------------------------------------------

# An environment that was made in another folder, or whose interpreter is gone, is made anew.
stale := $(shell [ -x .venv/bin/python ] && [ -f .venv/made-in ] && read -r made_in < .venv/made-in && [ "$$made_in" = "$(CURDIR)" ] || echo stale)
ifneq ($(stale),)
.PHONY: .venv/ready-base .venv/ready-full
endif

.venv/ready-base: pyproject.toml
	@$(environment)
	@$(install) -e .
	@: > $@

.venv/ready-full: pyproject.toml
	@$(environment)
	@.venv/bin/python -c 'import tomllib; print(*tomllib.load(open("pyproject.toml", "rb"))["dependency-groups"]["dev"], sep="\n")' > .venv/dev.txt
	@$(install) -e '.[demo,langchain,pydantic-ai]' -r .venv/dev.txt
	@: > .venv/ready-base
	@: > $@

install = PIP_USER=0 .venv/bin/python -m pip install --quiet --disable-pip-version-check

# Keeps an environment of this folder that has pip and a Python that is new enough (one made by uv may have no pip).
define environment
usable() { [ -x .venv/bin/python ] && .venv/bin/python -c 'import pip, sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; }; \
moved() { [ -f .venv/made-in ] && read -r made_in < .venv/made-in && [ "$$made_in" != "$(CURDIR)" ]; }; \
say() { echo "ghostproof: $$1" >&2; }; \
if ! usable || moved; then \
    new=; complete=; \
    for python in $(or $(PYTHON),python3.13 python3.12 python3.11 python3); do \
        "$$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || continue; \
        [ -n "$$new" ] || new=$$python; \
        "$$python" -c 'import ensurepip, venv' 2>/dev/null || continue; \
        complete=$$python; break; \
    done; \
    if [ -n "$$complete" ]; then \
        say "setting up .venv with $$complete (once)"; \
        "$$complete" -m venv --clear .venv || exit 1; \
    elif command -v uv >/dev/null; then \
        say "setting up .venv with uv (once)"; \
        uv venv --quiet --clear --seed --python "$${new:->=3.11}" .venv || exit 1; \
    elif [ -n "$$new" ]; then \
        say "$$new cannot make environments: install its venv module (Debian, Ubuntu: apt install python3-venv) or uv"; exit 1; \
    else \
        say "needs Python 3.11 or later, and $(or $(PYTHON),python3) is not: install one, or name one with PYTHON=/path/to/python"; exit 1; \
    fi; \
fi; \
echo "$(CURDIR)" > .venv/made-in
endef
