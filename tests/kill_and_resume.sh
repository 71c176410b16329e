#!/bin/sh
# Kills a run at random moments and resumes it until it is done: its files must be those of a run that was
# never killed. Usage: kill_and_resume.sh emergence-cli [KILLS [MRPS]]
# MRPS: the run's length. By default long enough for all kills to meet it.
set -eu
cli=$1
kills=${2:-5}
mrps=${3:-$((kills * 8000))}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
run="run td --set num_mrps=$mrps --set log_interval=50 --seeds 2 --threads 1"

killed=0
# The first kills may come before there is anything to go on from: then it begins anew.
while [ "$killed" -lt "$kills" ]; do
  if [ -f "$folder/cut/checkpoint.npz" ] || [ -f "$folder/cut/checkpoint-before.npz" ]; then
    "$cli" resume "$folder/cut" --threads 1 --autosave 1 >"$folder/log" 2>&1 &
  else
    "$cli" $run --autosave 1 --out "$folder/cut" >"$folder/log" 2>&1 &
  fi
  pid=$!
  # Tenths of a second, 0.1 to 2.0, from the system's own randomness.
  tenths=$(($(od -An -N2 -tu2 /dev/urandom) % 20 + 1))
  sleep "$((tenths / 10)).$((tenths % 10))"
  if kill -9 "$pid" 2>/dev/null; then killed=$((killed + 1)); fi
  code=0
  wait "$pid" 2>/dev/null || code=$?
  case $code in
    0 | 137) ;;
    *) echo "attempt after kill $killed ended with code $code:"; cat "$folder/log"; exit 1 ;;
  esac
  [ "$code" = 137 ] || break
done
"$cli" resume "$folder/cut" --threads 2 --autosave 0 >"$folder/log" 2>&1 || { cat "$folder/log"; exit 1; }
"$cli" $run --out "$folder/whole" >"$folder/log" 2>&1 || { cat "$folder/log"; exit 1; }
for file in config.toml metrics.csv seeds.csv weights.npz moments.npz checkpoint.npz checkpoint-before.npz; do
  cmp "$folder/cut/$file" "$folder/whole/$file" || exit 1
done
echo "$killed kills, and the same files"
