#!/bin/sh
# Makes the pictures of the README and the handbook anew: the window after its first run, and four figures as measured.
#
#   sh tests/pictures.sh [README|FIGURE...]   default: all
#
# BUILD names another build folder than build. Needs its two programs, xvfb and xauth. Figures train with all seeds.
set -eu
CDPATH="" cd -- "$(dirname -- "$0")/.."
build=${BUILD:-build}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

for name in ${*:-README wang-2 regression-1 softmax-1 nonstationary-5}; do
  if [ "$name" = README ]; then
    # Settings of nobody; the run ends well before the picture.
    HOME=$folder LIBGL_ALWAYS_SOFTWARE=1 xvfb-run -a -s "-screen 0 1600x1000x24 -noreset" "$build/app/emergence" \
      --preset opening --size 1600x1000 --pace max --screenshot assets/screenshot.png --after 90
  else
    "$build/app/emergence-cli" figure "$name" --out "$folder/$name"
    cp "$folder/$name/$name.png" assets/handbook/pictures/
  fi
done
