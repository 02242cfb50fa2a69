# Every verb prepares what it needs itself; nothing has to be typed before it.
.DEFAULT_GOAL := help
SHELL := /bin/bash
BIN := .venv/bin
PYTEST := $(BIN)/pytest
# Where a verb takes more words: make run ARGS="--seats 3"
ARGS ?=
# Where the environment forbids bytecode files, each process that the tests start would compile feltd anew.
export PYTHONDONTWRITEBYTECODE :=
# Half of what the tests take is waiting for real time (ttys, brokers, processes): eight workers keep two cores busy.
WORKERS ?= 8
# How long `make fuzz` leaves each codec to atheris.
FUZZ_SECONDS ?= 20
# The Debians of `make test-debian`: Python 3.11 and 3.13. `SUITES=forky` has 3.14.
SUITES ?= bookworm trixie

.PHONY: help run test test-page sentences test-lab test-container test-guest test-debian deb test-deb check bench fuzz storm soak pins clean

help:  ## list the verbs
	@awk -F':.*## ' '/^[a-z-]+:.*## /{printf "  make %-14s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

run: .venv/ready  ## the bench: emulated shuffler, broker and daemon together, dealing (q ends it)
	@$(BIN)/feltd bench $(ARGS)

# What npm brings comes while pip works. The checks run beside the tests, which wait, and what they say comes in one piece.
test:  ## every check, and every test but the screens (installs Mosquitto from Debian if it is missing)
	@.ci/prepare packages
	@.ci/prepare test & preparing=$$!; $(MAKE) --no-print-directory .venv/ready; made=$$?; wait $$preparing && exit $$made
	@said=$$(mktemp); trap 'rm -f "$$said"' EXIT; \
	{ $(MAKE) --no-print-directory check >"$$said" 2>&1; checked=$$?; cat "$$said"; exit $$checked; } & checking=$$!; \
	$(MAKE) --no-print-directory test-only; tested=$$?; \
	wait $$checking || { echo "make check failed: what it said stands above" >&2; exit 1; }; exit $$tested

# The first look at a clone compiles every test and reads its constants: one process does so, or each worker would.
.PHONY: test-only
test-only: .venv/ready
	@.ci/prepare test
	@[ -e .hypothesis/constants ] || $(PYTEST) --collect-only --quiet >/dev/null 2>&1 || true # what it finds is said below
	$(PYTEST) -n $(WORKERS) --dist worksteal -m "not browser" $(ARGS)

# Each starts a Chromium besides.
test-page: WORKERS = 6
test-page: .venv/ready  ## the screens in a real browser (installs Chromium from Debian if it is missing)
	@.ci/prepare browser
	$(PYTEST) -n $(WORKERS) --dist worksteal -m browser $(ARGS)

sentences: .venv/ready  ## write the sentences that tests compare with, after a rewording: ARGS=tests/table
	@.ci/prepare broker
	$(PYTEST) -q --rewrite-sentences $(ARGS)

test-lab: test-container test-guest  ## the installed daemon where it runs: both of these; needs root on x86_64

test-container: .venv/ready  ## its quick half: under real systemd in a container; needs root
	@.ci/prepare container
	$(PYTEST) tests/systemd -o python_files='lab_*.py' $(ARGS)

test-guest: .venv/ready  ## its other half: on real USB in a guest under QEMU; needs root on x86_64
	@.ci/prepare guest
	$(PYTEST) tests/lab -o python_files='lab_*.py' --timeout 400 $(ARGS)

test-debian:  ## make run and make test on fresh Debians, by an ordinary user; needs root
	@.ci/prepare debian
	@for suite in $(SUITES); do .ci/fresh-debian $$suite || exit; done

deb:  ## build/deb/feltd_….deb for this machine's Debian
	@nice .ci/deb

test-deb: .venv/ready  ## the package in containers: it comes and goes, and the drill of an IT department; ON=trixie: there; needs root
	@.ci/prepare container
ifdef ON
	@.ci/prepare debian
	@nice .ci/package-on $(ON) $(ARGS)
else
	@nice .ci/deb
	$(PYTEST) tests/package -o python_files='lab_*.py' $(ARGS)
endif

check: .venv/ready  ## ruff, mypy strict, import-linter, the house rules on size, and the page's scripts
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports --cache-dir .import_linter_cache
	$(BIN)/python tests/house_rules.py
	@.ci/check-page

bench: .venv/ready  ## measure: speeds as ratios within one run
	@.ci/prepare browser
	$(PYTEST) tests/bench -o python_files='bench_*.py' -s $(ARGS)

fuzz: .venv/ready  ## longer rubbish for every codec than make test has time for
	FELTD_FUZZ=long $(PYTEST) tests/protocols -k fuzz -s $(ARGS)
	@if .ci/prepare fuzz; then $(BIN)/python -m tests.fuzz $(FUZZ_SECONDS); fi

storm: .venv/ready  ## the whole line in virtual time under faults, by seed
	FELTD_STORM=long $(PYTEST) -n 2 --dist worksteal tests/storm $(ARGS)

soak: .venv/ready  ## the long bench runs in full
	@.ci/prepare browser
	FELTD_SOAK=full $(PYTEST) tests -m soak -s $(ARGS)

pins:  ## write the requirement files from pyproject.toml; ARGS=--upgrade takes the newest versions
	@.ci/prepare pins
	build/pins/bin/python -m tests.install.pins $(ARGS)

clean:  ## remove everything that the other verbs made
	rm -rf .venv build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache mutants

.venv/ready: pyproject.toml requirements-dev.txt .ci/prepare
	@.ci/prepare python
	@touch $@
