#!/bin/sh
# One command on a fresh machine: installs what is missing, builds, and runs every test. Safe to repeat.
#
#   sh tests/run.sh                 what users run, in Release: all tests, the window's too (the real one under Xvfb)
#   sh tests/run.sh --sanitizers    then also:
#     the package, installed into a clean Debian and used there
#     each source touched lately, compiled alone (compile_apart.sh)
#     Address- and UndefinedBehaviorSanitizer: everything but whole paper runs
#     ThreadSanitizer: the laboratory's threads and the window's
# Ends with ctest's summary over all of them and the ten longest.
set -eu
CDPATH="" cd -- "$(dirname -- "$0")/.."
tests=release
for option in "$@"; do
  case "$option" in
    --sanitizers) tests=sanitizers ;;
    *) echo "run.sh: unknown option $option. Use --sanitizers, or none." >&2; exit 2 ;;
  esac
done

echo "== system packages"
sh third_party/packages.sh --tests
jobs=$(nproc)

build() { # preset, targets, options...
  preset=$1; targets=$2; shift 2
  echo "== building preset $preset ($(date +%H:%M:%S))"
  log=$(mktemp)
  cmake --preset "$preset" "$@" >"$log" 2>&1 || { cat "$log"; rm -f "$log"; exit 1; }
  rm -f "$log"
  # shellcheck disable=SC2086
  cmake --build --preset "$preset" -j "$jobs" ${targets:+--target $targets}
}

build release "" -DEMERGENCE_PYTHON=ON -DEMERGENCE_LANE_SETS=all
if [ $tests = sanitizers ]; then
  build asan "emergence_tests emergence_gui_tests"
  build tsan emergence_thread_tests
fi
build/app/emergence-cli verify --check  # a wrong file is told before anything runs
echo "== tests ($(date +%H:%M:%S))"
status=0
ctest --preset $tests -j $((jobs + 1)) || status=$?  # one more: some tests mostly wait
echo "== the ten longest tests, in seconds on average"
sed '/^---/,$d' build/Testing/Temporary/CTestCostData.txt | sort -k3 -rn | head -10 | awk '{ printf "%8.1f  %s\n", $3, $1 }'
[ $status = 0 ] || exit $status
[ $tests = release ] || grep -ho 'made-[a-z]*: [0-9]* made files, .*' build/Testing/Temporary/LastTest.log
