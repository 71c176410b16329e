#!/bin/sh
# Drives the real window with real keys and a real mouse on a virtual display, and reads what it does from its trace.
# Then compares its screenshots with what the tests' rasteriser draws of the same moment: a blank or garbled window fails.
# Usage: sh tests/window_smoke.sh [PROGRAM [TESTS]]
#   default build/app/emergence and build/tests/emergence_gui_tests; needs xvfb, xauth and xdotool
set -eu

program=${1:-build/app/emergence}
tests=${2:-build/tests/emergence_gui_tests}
if [ -z "${EMERGENCE_SMOKE_DISPLAY:-}" ]; then
  [ -x "$program" ] || { echo "window_smoke: there is no program '$program'" >&2; exit 1; }
  [ -x "$tests" ] || { echo "window_smoke: there is no program '$tests'" >&2; exit 1; }
  for tool in xvfb-run xdotool; do
    command -v $tool >/dev/null || { echo "window_smoke: $tool is missing" >&2; exit 1; }
  done
  # -noreset: otherwise the server goes down with its first window.
  EMERGENCE_SMOKE_DISPLAY=1 LIBGL_ALWAYS_SOFTWARE=1 \
    exec xvfb-run -a -s "-screen 0 1280x720x24 -noreset" sh "$0" "$program" "$tests"
fi

folder=$(mktemp -d)
trace=$folder/trace
window_pid=""
finish() {
  [ -z "$window_pid" ] || kill "$window_pid" 2>/dev/null || true
  rm -rf "$folder"
}
trap finish EXIT

fail() {
  echo "window_smoke: $1" >&2
  echo "last lines of the trace:" >&2
  tail -n 8 "$trace" >&2 || true
  exit 1
}

mark=1  # the first line of the trace that counts for wait_for
set_mark() { mark=$(($(wc -l < "$trace") + 1)); }

# wait_for WHAT PATTERN: until a line of the trace, from the mark on, matches; 15 seconds at most.
wait_for() {
  tries=300
  until tail -n "+$mark" "$trace" | grep -Eq "$2"; do
    kill -0 "$window_pid" 2>/dev/null || fail "the window is gone while waiting for: $1"
    tries=$((tries - 1))
    [ "$tries" -gt 0 ] || fail "waited in vain for: $1"
    sleep 0.05
  done
}

# press KEY WHAT PATTERN
press() {
  set_mark
  xdotool key --window 0 "$1"
  wait_for "$2" "$3"
}

# click WIDGET: held for longer than a slow frame, as a press and its release within one frame may be missed.
click() {
  set -- $(grep -E "^widget [-0-9 ]+ $1\$" "$trace" | tail -n 1)
  set_mark
  xdotool mousemove $((X + $2 + $4 / 2)) $((Y + $3 + $5 / 2)) sleep 0.3 mousedown 1 sleep 0.2 mouseup 1
}

"$program" --paused --trace --size 1280x720 --pace 50 --set seeds=2 --set bank_size=100 > "$trace" 2>&1 &
window_pid=$!
wait_for "the window, paused at step 0" '^state paused step 0 '
window=$(xdotool search --onlyvisible --name "^Emergence" | head -n 1)
[ -n "$window" ] || fail "no window is called Emergence"
xdotool windowfocus --sync "$window"

eval "$(xdotool getwindowgeometry --shell "$window" | grep -E '^[XY]=')"
click "settings open"
wait_for "the button opens the settings" '^widget [-0-9 ]+ num_layers$'
press space "space runs" '^state running step [1-9]'
press space "space pauses" '^state paused '
press Right "the right arrow takes a step" '^state paused step [1-9]'
press r "R starts over" '^state paused step 0 of [0-9]+ run 2 '
press n "N takes new seeds" '^set seed 2$'
press plus "+ is faster" ' pace 100 '
press minus "- is slower" ' pace 50 '
press F1 "F1 opens the handbook" ' help 1$'
press Escape "Esc closes it" ' help 0$'

# Drag a slider: a press may begin a drag and says nothing yet, but each move acts at once, and the
# window stays responsive.
set -- $(grep -E '^widget [-0-9 ]+ num_layers$' "$trace" | tail -n 1)
at_y=$((Y + $3 + $5 / 2))
set_mark
xdotool mousemove $((X + $2 + $4 / 2)) "$at_y" sleep 0.3 mousedown 1 sleep 0.3
xdotool mousemove $((X + $2 + $4 * 3 / 4)) "$at_y"
wait_for "the slider takes the value under the pointer" '^set num_layers '
set_mark
xdotool mousemove $((X + $2 + $4 * 7 / 8)) "$at_y"
wait_for "the slider follows the pointer" '^set num_layers '
wait_for "the run starts again as it is dragged" '^state paused step 0 of [0-9]+ run [4-9]'
xdotool mouseup 1

click run
wait_for "the run button runs" '^state running '
press space "space pauses again" '^state paused step [1-9]'
click menu
wait_for "the menu opens" '^widget [-0-9 ]+ command Restart$'
click "command Restart"
wait_for "its row starts over" '^state paused step 0 '
press space "space runs again" '^state running step [1-9]'
press space "space pauses again" '^state paused '

# The window takes other sizes while it trains.
press space "space runs once more" '^state running '
for size in "1100 700" "1280 720" "1040 680" "1280 720"; do
  # shellcheck disable=SC2086
  xdotool windowsize "$window" $size sleep 0.2
done
press space "a window of another size goes on" '^state paused '

# Chords that come faster than frames: all twenty texts are pasted.
if command -v xclip >/dev/null; then
  printf ab | xclip -selection clipboard
  press ctrl+k "ctrl+k opens the palette" '^widget [-0-9 ]+ panel palette$'
  # shellcheck disable=SC2046
  xdotool key --delay 1 $(yes ctrl+v | head -20) ctrl+a ctrl+c
  sleep 2
  [ "$(xclip -selection clipboard -o | wc -c)" -eq 40 ] || fail "of twenty pastes $(xclip -selection clipboard -o | wc -c) of 40 characters came"
  xdotool key --window 0 Escape sleep 0.3
  press space "Esc closes the palette: space runs" '^state running '
  press space "space pauses after the palette" '^state paused '
fi

status=0
kill "$window_pid"
wait "$window_pid" || status=$?
window_pid=""
[ "$status" -eq 143 ] || fail "after SIGTERM the exit status was $status, expected 143"
grep -q "^emergence: stopped" "$trace" || fail "after SIGTERM it does not say that it was stopped"

# A step that takes minutes does not keep the window from closing.
"$program" --trace --size 1280x720 --set d=16 --set n=480 --set seeds=64 --set bank_size=20000 > "$trace" 2>&1 &
window_pid=$!
mark=1
wait_for "a window with a large run" '^frames '
status=0
kill "$window_pid"
timeout 15 tail --pid="$window_pid" -f /dev/null || fail "a large run kept the window open for 15 seconds"
wait "$window_pid" || status=$?
window_pid=""
[ "$status" -eq 143 ] || fail "after SIGTERM in a large run the exit status was $status, expected 143"

# The pointer rests where it hovers over nothing.
xdotool mousemove 1279 719
# photograph OPTIONS: a picture of a window that has not begun to train, compared with the rasteriser's.
photograph() {
  "$program" --size 1280x720 --paused --threads 1 --set seeds=1 --set bank_size=100 "$@" \
    --screenshot "$folder/window.png" --after 0.5 || fail "no screenshot"
  [ "$(head -c 4 "$folder/window.png" | tail -c 3)" = PNG ] || fail "the screenshot is not a PNG"
  EMERGENCE_WINDOW_PICTURE="$folder/window.png" "$tests" --no-intro --no-version --no-skip \
    "--test-case=the real window shows*" || fail "the window's picture ($*) is not the rasteriser's"
}
photograph
photograph --preset world --theme light

# Too little memory is said before a driver crashes for want of it.
status=0
(ulimit -v 500000 && exec "$program" --trace) > /dev/null 2> "$folder/error" || status=$?
[ "$status" -eq 1 ] || fail "at a limit on memory the exit status was $status, expected 1"
grep -q "ulimit -v" "$folder/error" || fail "at a limit on memory it does not name the limit"

status=0
env -u DISPLAY -u WAYLAND_DISPLAY "$program" > /dev/null 2> "$folder/error" || status=$?
[ "$status" -eq 4 ] || fail "without a display the exit status was $status, expected 4"
grep -q "no display" "$folder/error" || fail "without a display it does not say so"
echo "window_smoke: passed"
