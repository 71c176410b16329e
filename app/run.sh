#!/bin/sh
# One command on a fresh machine: installs what is missing, builds, and opens the window with training under way.
# Without a display it says so, trains the same experiment headless and writes its figures. Safe to repeat.
#
#   sh app/run.sh [options of emergence, see build/app/emergence --help]
set -eu
start=$PWD
CDPATH="" cd -- "$(dirname -- "$0")/.."
top=$PWD

echo "== 1/3 system packages"
sh third_party/packages.sh
echo "== 2/3 build (in build/, a few minutes the first time)"
sets=""
[ -f build/CMakeCache.txt ] || sets=-DEMERGENCE_LANE_SETS=native  # kernels for this machine; a build that has all keeps them
cmake --preset release $sets >build-configure.log 2>&1 || {
  cat build-configure.log; rm -f build-configure.log; echo "run.sh: configuring failed, see above" >&2; exit 1; }
rm -f build-configure.log
cmake --build --preset release --target emergence emergence-cli -j "$(nproc)"  # ninja starts two more, for which memory may not suffice
echo "== 3/3 run"
if [ -n "${DISPLAY:-}${WAYLAND_DISPLAY:-}" ]; then
  status=0
  # Files are named as seen from where the command was typed.
  (cd "$start" && exec "$top/build/app/emergence" "$@") || status=$?
  [ "$status" -eq 4 ] || exit "$status"   # 4: no window could be opened
fi
out="$top/out/opening-$(date +%Y%m%d-%H%M%S)"
echo "No window can be opened here (no display, or no OpenGL 3.3): training the same experiment without one."
build/app/emergence-cli run td --preset opening --out "$out"
echo "Figures and numbers are in $out."
