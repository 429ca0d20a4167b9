# Two commands do everything: `make run` and `make test`. Each sets up what it needs, once.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/pip --disable-pip-version-check --quiet
LOCKED := -c requirements.lock
INPUTS := pyproject.toml requirements.lock requirements-nodeps.lock requirements-nodeps-test.lock packages.apt Makefile
WORKSPACE ?= data/workspace
export OMP_NUM_THREADS ?= 1
# as pip does for a wheel: a start that had to compile would take a quarter longer, each time where Python may not write
COMPILE = $(BIN)/python -m compileall -q engine gui
# two processes, each test file in one of them
ENGINE_TESTS = $(BIN)/python -m pytest tests/engine -n 2 --dist loadfile
OFFSCREEN = QT_QPA_PLATFORM=offscreen $(BIN)/python -m pytest
# what plays in real time has the machine alone, and a process with a loudspeaker from the start
SOUNDING = tests/gui/player/test_sound.py tests/gui/rate/sitting/test_real_device.py
GUI_TESTS = $(OFFSCREEN) tests/gui -n 2 --dist loadfile --ignore=tests/gui/drive $(SOUNDING:%=--ignore=%)
SOUND_TESTS = $(OFFSCREEN) $(SOUNDING)
DRIVE_THROUGH = $(OFFSCREEN) tests/gui/drive

.PHONY: help run setup setup-all test test-core test-gui test-slow lint format bench bench-long screenshots wheel clean

help:
	@echo "make run        set up, make the sample workspace, do the whole main job on it, write the report, open the window"
	@echo "make test       set up and run the test suite (no GPU, no network beyond package registries)"
	@echo "make setup      only what make run needs      make setup-all   everything, torch included"
	@echo "make test-core  the tests that need no torch   make test-gui    those of the window"
	@echo "make test-slow  more kill moments and rounds   make screenshots pictures of every screen"
	@echo "make lint       what CI lints                  make bench [ONLY=glob], make bench-long"

run: $(VENV)/.set-up
	$(BIN)/auricle sample --workspace $(WORKSPACE) --run
	@echo "next: $(BIN)/auricle open $(WORKSPACE)    the window; what else there is: $(BIN)/auricle --help"
	@if [ -n "$$DISPLAY$$WAYLAND_DISPLAY" ] || [ "$$(uname)" = Darwin ]; then $(BIN)/auricle open $(WORKSPACE); fi

setup: $(VENV)/.set-up

setup-all: $(VENV)/.set-up-all

$(VENV)/.made: packages.apt .ci/install-packages
	@.ci/install-packages run
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@$(PIP) install "pip>=24" && touch $@

$(VENV)/.set-up: $(VENV)/.made $(INPUTS)
	@echo "setting up: packages for the main job (a few minutes, once)"
	@$(PIP) install $(LOCKED) -e ".[offline]"
	@$(PIP) install --no-deps -r requirements-nodeps.lock
	@$(COMPILE)
	@touch $@

$(VENV)/.set-up-all: $(VENV)/.set-up
	@echo "setting up: packages for tests, torch included (a few minutes, once)"
	@.ci/install-packages test
	@$(PIP) install "torch==2.13.0"
	@$(PIP) install $(LOCKED) -e ".[dev,offline,torch,whisper,ray]"
	@$(PIP) install --no-deps -r requirements-nodeps-test.lock
	@touch $@

$(VENV)/.set-up-core: $(VENV)/.set-up
	@$(PIP) install $(LOCKED) -e ".[dev,offline]" && touch $@

test: $(VENV)/.set-up-all
	$(ENGINE_TESTS) -m "not slow"
	$(GUI_TESTS) -m "not slow"
	$(SOUND_TESTS) -m "not slow"
	$(DRIVE_THROUGH) -m "not slow"

test-core: $(VENV)/.set-up-core
	$(ENGINE_TESTS) -m "not slow and not torch"
	$(GUI_TESTS) -m "not slow"
	$(SOUND_TESTS) -m "not slow"
	$(DRIVE_THROUGH) -m "not slow"

test-gui: $(VENV)/.set-up-core
	$(GUI_TESTS) -m "not slow"
	$(SOUND_TESTS) -m "not slow"
	$(DRIVE_THROUGH) -m "not slow"

test-slow: $(VENV)/.set-up-all
	$(ENGINE_TESTS) -m slow --timeout 1800
	$(GUI_TESTS) -m slow --timeout 1800

lint: $(VENV)/.set-up-core
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy engine gui

format: $(VENV)/.set-up-core
	$(BIN)/ruff check --fix . ; $(BIN)/ruff format .

bench: $(VENV)/.set-up-all
	@$(COMPILE)
	$(BIN)/python -m tests.bench "$(or $(ONLY),*)"

bench-long: $(VENV)/.set-up-all
	@$(COMPILE)
	$(BIN)/python -m tests.bench --long "$(or $(ONLY),*)"

screenshots: $(VENV)/.set-up-core
	$(BIN)/python -m tests.tools.screenshots build/screenshots $(SAMPLE)

wheel: $(VENV)/.set-up-core
	$(BIN)/python -m build --wheel

clean:
	rm -rf $(VENV) build dist bench.json
