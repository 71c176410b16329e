#!/usr/bin/env bash
# Presses Tab as bash does, with the installed script and the installed program.
# Usage: bash tests/completion.bash SCRIPT PROGRAM
set -eu
program=$2
compopt() { :; }  # only works while readline waits
. "$1"
complete -p "$(basename "$program")" >/dev/null || { echo "completion: nothing is registered" >&2; exit 1; }

# tab LINE WANTED...: the words that are offered, or at least those that are wanted if the first is "...".
tab() {
  COMP_LINE="$program $1"
  COMP_POINT=${#COMP_LINE}
  COMP_WORDS=("$program")
  COMPREPLY=()
  _emergence
  local line=$1 word
  shift
  if [ "$1" = ... ]; then
    shift
    for word in "$@"; do
      case " ${COMPREPLY[*]} " in *" $word "*) ;; *) fail "$line" "$word" ;; esac
    done
  elif [ "${COMPREPLY[*]}" != "$*" ]; then
    fail "$line" "$*"
  fi
}
fail() {
  echo "completion: '$1' offers '${COMPREPLY[*]}', wanted is '$2'" >&2
  exit 1
}

case $(basename "$program") in
  emergence-cli)
    tab "fig" "figure"
    tab "run softmax-t" "softmax-td"
    tab "figure " ... wang-1 all
    tab "run td --preset " ... wang-2
    tab "handbook wind" "window"
    tab "run td --set num_l" "num_layers="
    tab "run td --set model=" "attention rnn two_heads"   # bash replaces what follows the equals sign
    tab "run td --preset=wang-8" "wang-8 wang-8a wang-8b"
    tab "verify theorem-" ... theorem-1
    folder=$(mktemp -d)
    trap 'rm -rf "$folder"' EXIT
    cd "$folder"
    mkdir "one run"
    touch "a config.toml"
    tab "run td --config a" "a config.toml"
    tab "resume " "one run"
    tab "run td --config=" "a config.toml one run"
    ;;
  emergence)
    tab "--theme " "dark light"
    tab "--experiment softmax-t" "softmax-td"
    tab "--experiment td --set num_l" "num_layers="
    tab "wang-8" "wang-8 wang-8a wang-8b"
    ;;
esac
echo "completion: $(basename "$program") passed"
