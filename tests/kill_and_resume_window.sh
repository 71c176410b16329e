#!/bin/sh
# Kills the window at random moments; each next one is told to go on with the run that it offers. In the end the run's
# files must be those of one that was never killed. Takes about ten seconds a kill.
# Usage: sh tests/kill_and_resume_window.sh emergence emergence-cli [kills]     (needs xvfb, xauth and xdotool)
set -eu
window=$1
cli=$2
kills=${3:-10}
if [ -z "${EMERGENCE_KILL_DISPLAY:-}" ]; then
  EMERGENCE_KILL_DISPLAY=1 LIBGL_ALWAYS_SOFTWARE=1 \
    exec xvfb-run -a -s "-screen 0 1280x720x24 -noreset" sh "$0" "$window" "$cli" "$kills"
fi
folder=$(mktemp -d)
trap 'kill -9 $pid 2>/dev/null; rm -rf "$folder"' EXIT
trace=$folder/trace
XDG_DATA_HOME=$folder/data
XDG_CONFIG_HOME=$folder/config
export XDG_DATA_HOME XDG_CONFIG_HOME
mkdir -p "$XDG_CONFIG_HOME/emergence"
echo "autosave = 1" > "$XDG_CONFIG_HOME/emergence/preferences.toml"
settings="--set num_mrps=$((kills * 4000)) --set log_interval=50 --set bank_size=100 --set seeds=2"

wait_for() {
  tries=600
  until grep -Eq "$1" "$trace"; do
    kill -0 "$pid" || { echo "the window is gone while waiting for: $1"; tail "$trace"; exit 1; }
    tries=$((tries - 1))
    [ "$tries" -gt 0 ] || { echo "waited in vain for: $1"; tail "$trace"; exit 1; }
    sleep 0.1
  done
}
start() {
  : > "$trace"  # before anybody reads the last window's
  "$window" --preferences --trace --pace 500 --threads 1 --size 1280x720 "$@" >> "$trace" 2>&1 &
  pid=$!
}
# Clicks on what the trace calls so.
click() {
  wait_for "^widget [-0-9 ]+ $1\$"
  set -- $(grep -E "^widget [-0-9 ]+ $1\$" "$trace" | tail -n 1)
  xdotool mousemove $(($2 + $4 / 2)) $(($3 + $5 / 2)) sleep 0.3 mousedown 1 sleep 0.2 mouseup 1
}
last_step() { grep '^state' "$trace" | tail -n 1 | cut -d ' ' -f 4; }

start $settings
wait_for '^state running step [1-9]'
sleep 3
killed=0
while [ "$killed" -lt "$kills" ]; do
  tenths=$(($(od -An -N2 -tu2 /dev/urandom) % 50 + 12))
  sleep "$((tenths / 10)).$((tenths % 10))"
  kill -9 "$pid"
  wait "$pid" 2>/dev/null || true
  killed=$((killed + 1))
  at=$(last_step)
  start --paused
  click "offer go on"
  wait_for '^state [a-z]+ step [1-9][0-9]* of [0-9]+ run 2 '
  echo "kill $killed at step $at: goes on at $(last_step)"
  click run
done
wait_for '^state finished'
xdotool windowfocus --sync "$(xdotool search --onlyvisible --name '^Emergence' | head -n 1)" key ctrl+s
wait_for ' toast [01]$'
sleep 1
run=$(dirname "$(ls -t "$XDG_DATA_HOME"/emergence/runs/*/checkpoint.npz | head -n 1)")
"$cli" run td $settings --threads 2 --out "$folder/whole" > "$folder/log" 2>&1 || { cat "$folder/log"; exit 1; }
for file in config.toml metrics.csv weights.npz; do
  cmp "$run/$file" "$folder/whole/$file" || exit 1
done
echo "$killed kills of the window, and the same files"
