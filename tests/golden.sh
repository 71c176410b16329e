#!/bin/sh
# Golden pictures: a preset's first logged moment as the window draws it. tests/golden/ is the list of them: where two
# presets look alike one has a picture, and six have it in the dark theme, too.
#
#   sh tests/golden.sh [PRESET...]            compares; what differs is in build/golden-differences/PRESET-THEME/:
#                                             old.png, new.png, difference.png, and whole.png, the new one full size
#   sh tests/golden.sh --record [PRESET...]   replaces the pictures that differ, and says which; look at them, then
#                                             commit. A preset that is named and has no picture gets one
#
# Without names: all presets. BUILD names another build folder than build. Builds the test program first.
set -eu
CDPATH="" cd -- "$(dirname -- "$0")/.."
build=${BUILD:-build}
if [ "${1:-}" = --record ]; then
  export EMERGENCE_GOLDEN_RECORD=1
  shift
fi
case "${1:-}" in -*) sed -n '2,/^set/s/^# \{0,1\}//p' "$0" >&2; exit 2 ;; esac
EMERGENCE_GOLDEN_DIFFERENCES=$(cd "$build" && pwd)/golden-differences
export EMERGENCE_GOLDEN_DIFFERENCES
cmake --build "$build" --target emergence_gui_tests >/dev/null || { cmake --build "$build" --target emergence_gui_tests; exit 1; }

draw() {
  "$build/tests/emergence_gui_tests" --no-intro --no-version --no-skip "--test-case=$1"
}

if [ $# -gt 0 ]; then
  EMERGENCE_GOLDEN_ONLY="$*" draw "every preset looks*"
  exit
fi
status=0
draw "tests/golden holds*" || status=1
shards=$(nproc)
pids=""
for shard in $(seq "$shards"); do
  EMERGENCE_GOLDEN_SHARD="$shard/$shards" draw "every preset looks*" &
  pids="$pids $!"
done
for pid in $pids; do wait "$pid" || status=1; done
exit $status
