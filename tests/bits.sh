#!/bin/sh
# Whether a change keeps the bits: hashes of what every preset computes in its first steps, and of five small figures.
#
#   sh tests/bits.sh > before.txt              # on the code before; builds what it needs
#   sh tests/bits.sh --against before.txt      # on the code after; prints what differs, and fails if anything does
#
# Lists of two machines may differ, since mathematical functions of the C library depend on the processor.
set -eu
CDPATH="" cd -- "$(dirname -- "$0")/.."
against=""
case "${1:-}" in
  "") ;;
  --against) against=${2:?bits.sh: --against needs a file} ;;
  *) echo "bits.sh: unknown option $1. Use --against FILE, or none." >&2; exit 2 ;;
esac
build=${EMERGENCE_BUILD:-build}
list=$(mktemp); folder=$(mktemp -d)
trap 'rm -rf "$list" "$folder"' EXIT
cmake --build "$build" --target emergence_bits emergence-cli >"$list" || { cat "$list" >&2; exit 1; }
"$build/tests/bits/emergence_bits" >"$list"

figure() { # name, changes...
  name=$1; shift
  changes=""
  for change in "$@"; do changes="$changes --set $change"; done
  # shellcheck disable=SC2086
  "$build/app/emergence-cli" figure "$name" $changes --threads 2 --out "$folder/$name" >/dev/null 2>&1 || { echo "bits.sh: figure $name failed" >&2; exit 1; }
  # The numbers that are drawn and the picture's lines, without the commit that is written into it.
  for file in "$folder/$name/$name.csv" "$folder/$name/$name.svg" "$folder/$name/metrics.csv"; do
    [ -f "$file" ] || continue
    echo "figure $name $(basename "$file") $(sed -e '/commit/d' -e 's/version [0-9][^<]*//' "$file" | cksum | cut -d' ' -f1)" >>"$list"
  done
}
figure wang-2 seeds=3 num_mrps=200
figure softmax-3 seeds=2 num_updates=500
figure regression-1 seeds=2 num_prompts=2000 num_iterations=20
figure policy-2 seeds=1 num_mdps=100
figure nonstationary-3 seeds=2 num_environments=10

if [ -z "$against" ]; then cat "$list"; exit 0; fi
if diff "$against" "$list"; then echo "All $(wc -l <"$list") hashes agree."; else
  echo "bits.sh: these differ (< before, > now)." >&2; exit 1; fi
