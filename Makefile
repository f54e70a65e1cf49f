# Two commands to know. Each does everything from nothing but Python 3.11 or newer, git and make:
#
#   make verify   play a billion rounds of every game and judge its published figures
#   make test     lint, format, types and the fast tests
#
# Also: make test-all (with the long statistical runs), make test-lowest (the fast tests with the
# oldest versions of everything that pyproject.toml allows), make coverage (how much of the program
# the fast tests run), make results (the reports in results/, at ROUNDS=1e10 each: a quarter of an
# hour of two cores), make clean.
# ARGS reaches the command: make verify ARGS="classic-blackjack --rounds 1e8"

VENV := .venv
BIN := $(VENV)/bin
INSTALLED := $(VENV)/.installed
CONSTRAINTS := constraints.txt
EXTRAS := test,lint
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check -c $(CONSTRAINTS)
# One process a core, each with whole files; what times itself is not for company.
PYTEST := $(BIN)/python -m pytest -n logical --dist loadfile -p no:benchmark
USABLE := import ensurepip, sys, venv; sys.exit(sys.version_info < (3, 11))
ARGS ?=
RESULTS ?= results
ROUNDS ?= 1e10

.DEFAULT_GOAL := help
.PHONY: help verify test test-all test-lowest fast-tests coverage results notebooks lint clean

help:
	@sed -n 's/^# \{0,1\}//p' Makefile

verify: $(INSTALLED)
	@$(BIN)/rtpsim verify $(ARGS)

test: lint
	$(PYTEST) $(ARGS)

test-all: lint
	$(PYTEST) -m "slow or not slow" $(ARGS)

# The oldest Python comes first; where there is none, the oldest packages are tried on another.
test-lowest:
	@$(MAKE) --no-print-directory fast-tests VENV=.venv-lowest CONSTRAINTS=constraints-lowest.txt \
	  EXTRAS=test PYTHON="$(or $(PYTHON),python3.11)"

fast-tests: $(INSTALLED)
	$(PYTEST) $(ARGS)

# Kernels are seen where they run as plain Python: tests of a few rounds do that apart.
coverage: $(INSTALLED)
	$(BIN)/coverage erase
	NUMBA_DISABLE_JIT=1 $(BIN)/python -m pytest -m interpreted -W ignore::RuntimeWarning \
	  -p no:benchmark --cov --cov-report= --cov-fail-under=0
	$(PYTEST) --cov --cov-append --cov-report= --cov-fail-under=0 $(ARGS)
	$(BIN)/coverage combine --append --quiet || true # what ended after its test
	$(BIN)/coverage report --skip-covered

# A verdict other than PASS ends the reports only if it is a fault of the command (status 2 and up).
notebooks: $(INSTALLED)
	@$(BIN)/python notebooks/execute.py $(ARGS)

results: $(INSTALLED)
	@for game in $$($(BIN)/python -c "from rtpsim.games import game_names; print(*game_names())"); do \
	  $(BIN)/rtpsim verify $$game --rounds $(ROUNDS) --report $(RESULTS)/$$game $(ARGS); status=$$?; \
	  [ $$status -le 1 ] || [ $$status -eq 3 ] || exit $$status; \
	  rm -f $(RESULTS)/$$game/$$game.pdf; \
	done
	@$(BIN)/python -m rtpsim.report.index $(RESULTS)

lint: $(INSTALLED)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

# The stamp makes the second call start at once; a changed dependency installs again.
# An environment whose Python is gone (moved, upgraded) is made anew.
$(INSTALLED): pyproject.toml $(CONSTRAINTS)
	@$(BIN)/python -m pip --version >/dev/null 2>&1 || { \
	  for python in $(PYTHON) python3 python3.14 python3.13 python3.12 python3.11 python; do \
	    if $$python -c '$(USABLE)' >/dev/null 2>&1; then found=$$python; break; fi; \
	  done; \
	  if [ -z "$$found" ]; then \
	    echo "No Python 3.11 or newer that can make virtual environments was found." >&2; \
	    echo "Install one (Debian, Ubuntu: python3-venv), or name it: make PYTHON=..." >&2; \
	    exit 2; \
	  fi; \
	  echo "Making $(VENV) with $$($$found --version)"; \
	  $$found -m venv --clear $(VENV); \
	}
	@echo "Installing rtpsim and what it needs into $(VENV) (once, a minute or two)"
	@$(PIP) hatchling editables
	@$(PIP) --no-build-isolation --editable '.[$(EXTRAS)]'
	@touch $@

clean:
	rm -rf $(VENV) .venv-lowest .coverage .coverage.* build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis .numba_cache
	find rtpsim tests -name __pycache__ -type d -prune -exec rm -rf {} +
