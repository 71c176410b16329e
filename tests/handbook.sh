#!/bin/sh
# The tables that the program makes in README.md and assets/handbook/*.md (tests/support/generated.h), and the
# playthroughs of the experiments in tests/data/playthroughs.
#
#   sh tests/handbook.sh           writes them anew and says in which files something has changed
#   sh tests/handbook.sh --check   only compares
#
# BUILD names another build folder than build. Builds the test programs first; without the window's, the table of its
# keys stays as it is.
set -eu
CDPATH="" cd -- "$(dirname -- "$0")/.."
build=${BUILD:-build}
case "${1:-}" in
  --check) ;;
  "") export EMERGENCE_HANDBOOK_WRITE=1 ;;
  *) sed -n '2,/^set/s/^# \{0,1\}//p' "$0" >&2; exit 2 ;;
esac

fill() {
  cmake --build "$build" --target "$1" >/dev/null || { cmake --build "$build" --target "$1"; exit 1; }
  "$build/tests/$1" --no-intro --no-version "--test-case=the README and the chapters hold the tables*,every experiment has its playthrough"
}

fill emergence_tests
if grep -q '^EMERGENCE_BUILD_WINDOW:BOOL=ON' "$build/CMakeCache.txt"; then fill emergence_gui_tests; fi
