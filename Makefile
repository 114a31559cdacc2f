# What is run on every change: make check

PYTHON := .venv/bin/python
TIMES ?= 20
SEED ?= 1
FILES ?= 300
MINUTES ?= 60
JOBS ?= 2
# The library: every module but the command line and the server. `options` and `view` come with elysian itself.
API = elysian $(shell cd elysian && ls -d *.py */ | sed -nE 's,^([a-z][a-z_]*)(\.py|/)$$,elysian.\1,p' \
	| grep -vE '\.(cards|cli|server|options|view)$$')

.DEFAULT_GOAL := help
.PHONY: $(shell awk -F: '/^[a-z-]+:.*\#\# / { print $$1 }' $(MAKEFILE_LIST))

help:  ## show this page
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

setup:  ## install Elysian and the development tools in .venv
	@./play --setup --dev

check: lint test  ## everything that must hold before a change is shared

lint: setup  ## format, lint, strict types, direction of imports, generated files current
	$(PYTHON) -m ruff format --check
	$(PYTHON) -m ruff check
	$(PYTHON) -m mypy
	.venv/bin/lint-imports
	$(PYTHON) -m tools.rulebook --check
	$(PYTHON) -m tools.wire_types --check
	$(PYTHON) -m tools.server_schema --check
	$(PYTHON) tools/build_web.py --lint

test:  ## every test
	./play --test

soak: setup  ## MINUTES of bots at a server, then the property tests ten times as long; goes on where it was
	ELYSIAN_CAMPAIGN=$(CURDIR)/build/campaign ELYSIAN_SOAK=1 ELYSIAN_MINUTES=$(MINUTES) ELYSIAN_SEED=$(SEED) \
		$(PYTHON) -m pytest -q -s -n 0 tests/server/test_soak.py tests/test_non_interference.py \
		tests/test_properties.py tests/test_line_ups.py tests/test_review.py tests/test_exploiters.py

cover: setup  ## branch coverage of the engine, at least 95 %
	$(PYTHON) -m coverage erase
	$(PYTHON) -m coverage run -m pytest -q -n auto
	$(PYTHON) -m coverage combine -q
	$(PYTHON) -m coverage report

mutants: setup  ## small mistakes in what decides, a sample of 500, each to be noticed by a test (hours; goes on)
	$(PYTHON) -m tools.mutants --seed $(SEED) $(MUTANTS)

fuzz: setup  ## a million frames of every kind to a server; ELYSIAN_FUZZ_SEED chooses others
	ELYSIAN_CAMPAIGN=$(CURDIR)/build/campaign ELYSIAN_FUZZ=1000000 $(PYTHON) -m pytest -q -s tests/server/test_fuzz.py

bench:  ## speed of the engine beside catanatron's random players
	@./play --bench || echo "catanatron could not be installed; the benchmark runs without it."
	$(PYTHON) -m tools.bench

faults: setup  ## the server under faults, TIMES as often as in every test run; what was done is kept in build/campaign
	ELYSIAN_CAMPAIGN=$(CURDIR)/build/campaign ELYSIAN_FAULTS=$(TIMES) ELYSIAN_SEED=$(SEED) $(PYTHON) -m pytest -q -s tests/server/test_faults.py

damage: setup  ## a server on FILES damaged databases; what was done is kept, and gone on with, in build/campaign
	ELYSIAN_CAMPAIGN=$(CURDIR)/build/campaign ELYSIAN_DAMAGED=$(FILES) ELYSIAN_SEED=$(SEED) \
		$(PYTHON) -m pytest -q -s -n 0 tests/server/test_damage.py -k whatever

days: setup  ## a whole game of four over days with every turn played on three devices in the browser (minutes)
	ELYSIAN_DAYS=all $(PYTHON) -m pytest -q -s -n 0 tests/web/test_days_together.py

attacks: setup  ## what honest people wait without and with each attack of a stranger; ATTACKS names some
	$(PYTHON) -m tools.attacks $(ATTACKS)

hashes: setup  ## the hashes of what the container installs, asked of the index, into deploy/hashes.txt
	$(PYTHON) -m tools.hashes

bench-cli: setup  ## how long `elysian --help` takes beside a Python that does nothing
	$(PYTHON) -m tools.bench_cli

bench-envs:  ## steps of the environment beside catanatron's, in the same run
	@./play --bench || echo "catanatron could not be installed; the benchmark runs without it."
	@# It asks for an old gymnasium, but runs on the one we use: so it is put beside the rest, without what it asks for.
	@$(PYTHON) -m pip install -q --no-deps --upgrade --target build/catanatron_gym catanatron-gym==4.0.0 \
		|| uv pip install -q --no-deps --target build/catanatron_gym catanatron-gym==4.0.0 \
		|| echo "catanatron_gym could not be installed; the benchmark runs without it."
	$(PYTHON) -m tools.bench_envs

envs: setup  ## a hundred thousand masked actions in the environment, none of which may be refused
	ELYSIAN_ENV_STEPS=100000 $(PYTHON) -m pytest -q tests/test_envs.py -k refused

bench-server: setup  ## the table server beside a bare broadcast on the same stack
	$(PYTHON) -m tools.bench_server

bench-many: setup  ## five hundred tables of six at a third of a core: the tail beside that of a bare broadcast
	$(PYTHON) -m tools.bench_many

bench-answers: setup  ## how long people wait for bots: a hundred tables, one process
	$(PYTHON) -m tools.bench_answers

bench-pool: setup  ## how much bots think in a second with one worker process and with two, nobody else at work
	$(PYTHON) -m tools.bench_pool

bench-walks: setup  ## CPU, frames and questions of an accepted deal at nine seats; ROOTS are checkouts to compare
	$(PYTHON) -m tools.bench_walks $(ROOTS)

bench-web: setup  ## weight and speed of the web table in a real browser
	$(PYTHON) -m tools.bench_web

shots: setup  ## pictures of every screen, in both themes and sizes, in web/shots/; those of the README anew
	$(PYTHON) -m tools.web_shots

layout: setup  ## late games at five widths, in both themes and languages: nothing overlaps, nothing is cut (long)
	$(PYTHON) -m tools.web_layout

results: setup  ## play the bots' result tables that are missing (many CPU hours), JOBS at a time
	$(PYTHON) -m tools.results --jobs $(JOBS)

benchmark: setup  ## the benchmark of our own levels, as far as it is missing (hours), JOBS at a time
	$(PYTHON) -m tools.benchmark --central
	$(PYTHON) -m tools.benchmark --jobs $(JOBS)

company: setup  ## scripted people at a real server with bots: what is missing is played, everything printed (hours)
	$(PYTHON) -m tools.company $(COMPANY)

strength: setup  ## bots among themselves, 100 games a cell, paired with an earlier state (many CPU hours; goes on)
	$(PYTHON) -m tools.strength --jobs $(JOBS) $(STRENGTH)

exploits: setup  ## clauses that bots overpay, and seats that sell them in whole games (an hour or more)
	$(PYTHON) -m tools.find_exploits --seed $(SEED)

docs: setup  ## write anew what is made from docs/rulebook.md: docs/rules.md and the page's rules
	$(PYTHON) -m tools.rulebook

api: setup  ## the reference of the library, in build/api/
	$(PYTHON) -m pdoc --output-directory build/api $(API)

record: setup  ## record the games of games/ anew, under today's rules
	$(PYTHON) -m tools.record_games
