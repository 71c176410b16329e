#!/bin/sh
# Types "Your first experiment in C++" as its page stands: writes its files, compiles them, runs its commands and tests.
# The objects of what the page writes and edits are linked before the build's own, which spares building all anew.
#
#   sh tests/tutorial.sh BUILD_DIR
set -eu
build=$(cd "$1" && pwd)
root=$(CDPATH="" cd -- "$(dirname -- "$0")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
mkdir -p core/experiments tests/support build/app build/tests
cp "$root/core/experiments/registry.cpp" core/experiments/
cp "$root/tests/support/small_runs.cpp" tests/support/
cp -r "$root/assets" .
awk -v stem="$work/block-" -f "$root/tests/blocks.awk" assets/handbook/lab/adding-an-experiment.md
grep -h '^sed' block-* >edits
sh -e edits
for edited in core/experiments/registry.cpp tests/support/small_runs.cpp; do
  if cmp -s "$edited" "$root/$edited"; then echo "tutorial: the page's sed changes nothing in $edited" >&2; exit 1; fi
done

command_of() { ninja -C "$build" -t commands "$1" | tail -n 1; }
compile() { # an object of the build that has the flags, sources
  flags=$(command_of "$1" | sed "s/ -o .*//; s/ -MD.*//; s/ -include [^ ]*//g; s|-I$root |-I$work &|")
  shift
  for source in "$@"; do (cd "$build" && sh -c "$flags -c '$work/$source' -o '$work/$source.o'"); done
}
link() { # program of the build, objects
  program=$1
  shift
  (cd "$build" && sh -c "$(command_of "$program" | sed "s| -o $program | $* -Wl,-z,muldefs -o $work/build/$program |; s| CMakeFiles| &|
    s|\([^ ]*/c++\) |\1 $* |")")
}
compile core/CMakeFiles/emergence_core.dir/Unity/unity_0_cxx.cxx.o \
  core/experiments/registry.cpp core/experiments/in_context_td/tabular_td.cpp
compile tests/CMakeFiles/emergence_test_support.dir/Unity/unity_0_cxx.cxx.o \
  tests/support/small_runs.cpp tests/core/experiments/in_context_td/tabular_td_test.cpp
ours="$work/core/experiments/registry.cpp.o $work/core/experiments/in_context_td/tabular_td.cpp.o"
link app/emergence-cli $ours
link tests/emergence_tests $ours "$work/tests/support/small_runs.cpp.o" \
  "$work/tests/core/experiments/in_context_td/tabular_td_test.cpp.o"

export EMERGENCE_ASSETS="$work/assets" HOME="$work"
grep -h '^build/' block-* | grep -v '^build/app/emergence ' >commands  # a window waits for its reader
sh -e commands
[ -s out/tabular/tabular-td-curves.pdf ]
