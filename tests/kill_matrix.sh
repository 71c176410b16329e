#!/bin/sh
# Interrupts a run, a figure of many runs and a sweep in every way, resumes each, and compares its whole
# folder with that of an uninterrupted one.
# Usage: kill_matrix.sh emergence-cli                    what ctest runs: a figure and a sweep, killed, and at limits
#        kill_matrix.sh emergence-cli --whole [KIND ...]  all of it
# KIND: run, figure or sweep. All take about 20 minutes.
# Faults that need a file system of its own, for root only, are left out and named.
set -eu
cli=$(realpath "$1")
whole=${2:-}
folder=$(mktemp -d)
mounted=""
leave() {
  for at in $mounted; do umount "$at" 2>/dev/null || true; done
  rm -rf "$folder"
}
trap leave EXIT

command_of() {
  case $1 in
    run) echo "run td --set num_mrps=$mrps --set bank_size=200 --set log_interval=50 --seeds 2 --threads 1 --autosave 1" ;;
    figure) echo "figure wang-4 --set num_mrps=$((mrps / 4)) --set bank_size=200 --seeds 2 --threads 1" ;;
    sweep) echo "sweep td --set num_layers=1,2,3 --set n=10,20 --set num_mrps=$((mrps / 4)) --set bank_size=200 --seeds 1 --threads 1" ;;
  esac
}
# All files of a folder, without those that say when and for how long something was computed.
files_of() { # folder
  (cd "$1" && find . -name jobs -prune -o -name provenance.toml -o -name training-time.toml -o -name claims.toml \
    -o -type f -print | sort)
}
begin() { # kind, folder, wrapper...
  kind=$1; out=$2; shift 2
  # Every folder has the same name, because command.toml repeats it.
  mkdir -p "$(dirname "$out")"
  cd "$(dirname "$out")"
  # shellcheck disable=SC2046
  # A shell without job control lets its background jobs ignore Ctrl-C.
  exec env --default-signal=INT "$@" "$cli" $(command_of "$kind") --out "$(basename "$out")" >"$folder/log" 2>&1
}
finish() { # kind, folder
  # A run that had no checkpoint yet begins again by its own command.
  if [ -n "$(ls "$2" 2>/dev/null)" ] && { [ "$1" != run ] || [ -n "$(ls "$2"/checkpoint*.npz 2>/dev/null)" ]; }; then
    "$cli" resume "$2" --threads 1 >"$folder/log" 2>&1
  else
    (begin "$1" "$2")
  fi
}
compare() { # kind, folder
  files_of "$folder/whole-$1/out" >"$folder/files-whole"
  files_of "$2" >"$folder/files-cut"
  diff "$folder/files-whole" "$folder/files-cut" || return 1
  while read -r file; do
    cmp "$folder/whole-$1/out/$file" "$2/$file" || { cat "$folder/log"; return 1; }
  done <"$folder/files-whole"
}
moment() { # a share of the clock time that the whole takes: 0.2 to 0.8, from the system's own randomness
  share=$(($(od -An -N2 -tu2 /dev/urandom) % 61 + 20))
  awk -v s="$share" -v t="$(cat "$folder/seconds-$1")" 'BEGIN { printf "%.2f", t * s / 100 }'
}
report() { printf '%-10s %-16s %s\n' "$1" "$2" "$3"; }
fail() { report "$1" "$2" "FAILED: $3"; cat "$folder/log"; exit 1; }

signal() { # kind, name of the fault, signal
  kind=$1; fault=$2; signal=$3
  out="$folder/cut-$kind-$signal/out"
  wait_for=$(moment "$kind")
  # A process that has ended before it could be interrupted says nothing: again, sooner.
  for attempt in 1 2 3 4 5; do
    rm -rf "$out"
    (begin "$kind" "$out") &
    pid=$!
    sleep "$wait_for"
    hit=no
    if kill "-$signal" "$pid" 2>/dev/null; then hit=yes; fi
    code=0
    wait "$pid" 2>/dev/null || code=$?
    [ $hit = no ] || break
    wait_for=$(awk -v t="$wait_for" 'BEGIN { printf "%.2f", t / 2 }')
  done
  [ $hit = yes ] || fail "$kind" "$fault" "it always ended before it was interrupted"
  finish "$kind" "$out" || fail "$kind" "$fault" "it was not resumed"
  compare "$kind" "$out" || fail "$kind" "$fault" "other files"
  report "$kind" "$fault" "code $code, then the same files"
}

small_disk() { # name, options; fails if this user may not
  mkdir -p "$folder/$1"
  mount -t tmpfs -o "$2" none "$folder/$1" 2>/dev/null || return 1
  mounted="$mounted $folder/$1"
}
full_disk() { # kind
  if ! small_disk "small-$1" size="$small"; then report "$1" "full disk" "left out: it takes root"; return; fi
  out="$folder/small-$1/out"
  code=0
  (begin "$1" "$out") || code=$?
  [ "$code" = 1 ] || fail "$1" "full disk" "code $code"
  grep -q "No space left" "$folder/log" || fail "$1" "full disk" "it does not say so"
  mount -o remount,size=200m "$folder/small-$1"
  finish "$1" "$out" || fail "$1" "full disk" "it was not resumed"
  compare "$1" "$out" || fail "$1" "full disk" "other files"
  report "$1" "full disk" "code 1, then the same files"
}
limited() { # kind, name of the limit, option of ulimit, its value, exit code
  out="$folder/limit-$1$3/out"
  code=0
  # The limit comes after the shell's own redirections, which need open files; a file that was inherited would need one too.
  (begin "$1" "$out" sh -c "exec 3<&-; ulimit $3 $4; exec \"\$@\"" limited) || code=$?
  [ "$code" = "$5" ] || fail "$1" "$2" "code $code"
  grep -q "ulimit $3" "$folder/log" || fail "$1" "$2" "it does not name the limit"
  finish "$1" "$out" || fail "$1" "$2" "it was not resumed"
  compare "$1" "$out" || fail "$1" "$2" "other files"
  report "$1" "$2" "code $code, then the same files"
}
read_only() { # kind
  if ! small_disk "fixed-$1" size=1m; then report "$1" "read-only" "left out: it takes root"; return; fi
  mount -o remount,ro "$folder/fixed-$1"
  code=0
  (begin "$1" "$folder/fixed-$1/out") || code=$?
  [ "$code" = 1 ] || fail "$1" "read-only" "code $code"
  [ "$(grep -c . "$folder/log")" = 1 ] || fail "$1" "read-only" "more than one line"
  report "$1" "read-only" "code 1 at once: $(cut -c1-60 "$folder/log")"
}

uninterrupted() { # kind
  start=$(date +%s.%N)
  (begin "$1" "$folder/whole-$1/out") || fail "$1" "none" "it failed"
  awk -v a="$start" -v b="$(date +%s.%N)" 'BEGIN { printf "%.2f", b - a }' >"$folder/seconds-$1"
  report "$1" "none" "$(cat "$folder/seconds-$1") s"
}

small=${SMALL:-100k}
if [ "$whole" != --whole ]; then
  mrps=2000
  for kind in figure sweep; do
    uninterrupted $kind
    signal $kind "kill -9" KILL
  done
  signal figure "hang-up" HUP
  limited figure "file size" -f 8 1
  limited sweep "open files" -n 4 1
  full_disk figure
  read_only figure
  exit 0
fi
mrps=20000
shift 2
[ $# -gt 0 ] || set -- run figure sweep
for kind in "$@"; do
  uninterrupted $kind
  signal $kind "Ctrl-C" INT
  signal $kind "kill -9" KILL
  signal $kind "hang-up" HUP
  limited $kind "file size" -f 8 1
  limited $kind "open files" -n 4 1
  full_disk $kind
  read_only $kind
done
