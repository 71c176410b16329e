#!/usr/bin/env bash
# Presses Tab as bash does, with the installed script and the installed program.
# Usage: bash tests/completion.bash SCRIPT PROGRAM
set -eu
program=$2
program_name=$(basename "$program")
. "$1"
complete -p "$program_name" >/dev/null || { echo "completion: nothing is registered" >&2; exit 1; }

# tab LINE WANTED: the words that are offered.
tab() {
  read -ra COMP_WORDS <<< "$program $1"
  case $1 in *" ") COMP_WORDS+=("") ;; esac
  COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
  COMPREPLY=()
  "_${program_name//-/_}"
  [ "${COMPREPLY[*]}" = "$2" ] || { echo "completion: '$1' offers '${COMPREPLY[*]}', wanted is '$2'" >&2; exit 1; }
}

case $program_name in
  emergence-cli)
    tab "fig" "figure"
    tab "run td --thr" "--threads"
    tab "lesson w" "worksheet"
    tab "help res" "resume"
    ;;
  emergence)
    tab "--theme " "dark light"
    tab "--scr" "--screenshot"
    ;;
esac
echo "completion: $program_name passed"
