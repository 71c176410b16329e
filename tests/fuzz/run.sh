#!/bin/sh
# Gives every reader of files made-up input for a while, under Address- and UndefinedBehaviorSanitizer (needs Clang,
# whose libFuzzer makes it up). What it finds that was new is kept in out/fuzz; an input that breaks a reader ends the
# script and belongs, mended, into tests/fuzz/seeds/READER, which the tests read again.
#
#   sh tests/fuzz/run.sh [SECONDS [READER ...]]      600 seconds and all readers by default
set -eu
CDPATH="" cd -- "$(dirname -- "$0")/../.."
seconds=${1:-600}
[ $# -eq 0 ] || shift
[ $# -gt 0 ] || set -- $(ls tests/fuzz/seeds)
command -v clang++ >/dev/null || { echo "run.sh: clang++ is needed: package clang" >&2; exit 1; }

cmake --preset fuzz >/dev/null
cmake --build --preset fuzz -j "$(nproc)" --target emergence_fuzz
for reader in "$@"; do
  echo "== $reader: $seconds s"
  mkdir -p "out/fuzz/$reader"
  # Half a GiB is more than any reader may take for 64 KiB, and an input gets 10 s.
  EMERGENCE_FUZZ_READER=$reader build-fuzz/tests/emergence_fuzz -max_total_time="$seconds" -rss_limit_mb=2048 \
    -malloc_limit_mb=512 -timeout=10 -max_len=65536 -print_final_stats=1 -verbosity=0 -print_funcs=0 \
    -artifact_prefix="out/fuzz/$reader-" "out/fuzz/$reader" "tests/fuzz/seeds/$reader" 2>&1 | grep -v '^INFO' || true
  if ls "out/fuzz/$reader-"* >/dev/null 2>&1; then
    echo "run.sh: $reader breaks on $(ls "out/fuzz/$reader-"*)" >&2
    exit 1
  fi
done
