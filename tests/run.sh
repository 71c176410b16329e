#!/bin/sh
# One command on a fresh machine: installs what is missing, builds, and runs every test.
#   1. Release: all tests, the window's too (the real one under Xvfb).
#   2. Address- and UndefinedBehaviorSanitizer: core, trainer, files, command line and the window's logic.
#   3. ThreadSanitizer: the runtime under a storm of commands.
# Ends with ctest's summary over all of them. Safe to repeat.
#
#   sh tests/run.sh [--fast]     --fast: Release only
set -eu
cd "$(dirname "$0")/.."
fast=no
for option in "$@"; do
  case "$option" in
    --fast) fast=yes ;;
    *) echo "run.sh: unknown option $option (allowed: --fast)" >&2; exit 2 ;;
  esac
done

echo "== system packages"
sh third_party/packages.sh --tests
jobs=$(nproc)

build() { # folder, targets, options...
  folder=$1; targets=$2; shift 2
  echo "== building $folder ($(date +%H:%M:%S))"
  cmake -S . -B "$folder" -G Ninja -DEMERGENCE_UNITY=ON "$@" >"$folder.log" 2>&1 || { cat "$folder.log"; rm -f "$folder.log"; exit 1; }
  rm -f "$folder.log"
  # shellcheck disable=SC2086
  cmake --build "$folder" -j "$jobs" ${targets:+--target $targets}
}

build build "" -DEMERGENCE_BUILD_TESTS=ON -DEMERGENCE_SANITIZED_TESTS=$([ $fast = yes ] && echo OFF || echo ON)
if [ "$fast" = no ]; then
  build build-asan "emergence_tests emergence_gui_tests" -DCMAKE_BUILD_TYPE=Debug -DCMAKE_CXX_FLAGS_DEBUG=-O1 \
    -DEMERGENCE_SANITIZE=address,undefined -DEMERGENCE_BUILD_BENCH=OFF -DEMERGENCE_TEST_CASES_OF="$PWD/build"
  build build-tsan emergence_thread_tests -DCMAKE_BUILD_TYPE=Debug -DCMAKE_CXX_FLAGS_DEBUG=-O1 \
    -DEMERGENCE_SANITIZE=thread -DEMERGENCE_BUILD_BENCH=OFF -DEMERGENCE_BUILD_WINDOW=OFF
fi
echo "== tests ($(date +%H:%M:%S))"
ctest --test-dir build --output-on-failure -j "$jobs"
