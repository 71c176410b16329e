#!/bin/sh
# Every command block of README and handbook, as it stands there and in that order, on a fresh clone: for days, with all
# figures. Run before a release.
#
#   sh tests/pages.sh [--most SECONDS] [PAGE ...]
#
# --most: a block may take so long (default: 36000); a window is ended after 30 seconds, a page that is served once it is.
# PAGE: README, hello, ...; otherwise all, README first, then the chapters in its order.
# Prints for each block its place, its seconds and its exit status; at the end, with what it printed, those that failed.
set -eu
CDPATH="" cd -- "$(dirname -- "$0")/.."
most=36000
if [ "${1:-}" = --most ]; then most=$2; shift 2; fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
git clone -q . "$work/emergence"
cd "$work/emergence"
export HOME="$work/home" XDG_DATA_HOME="" XDG_CONFIG_HOME=""
mkdir "$HOME"
if [ $# -gt 0 ]; then
  pages="$*"
else
  pages="README $(sed -n '/names = words_in(/,/);/s/^ *"\(.*\)".*/\1/p' app/handbook/chapters.cpp)"
fi

# A window, or a server, goes on until somebody ends it.
stays() { grep -Eq 'build/app/emergence( |$)|app/run\.sh|app/web\.sh$|app/web\.sh +#' "$1"; }
# app/run.sh builds first, and ends by itself where there is no display.
run() { # file with commands, seconds
  if command -v xvfb-run >/dev/null && [ -z "${DISPLAY:-}" ] && ! grep -q 'app/run\.sh' "$1"; then
    timeout -s INT -k 60 "$2" xvfb-run -a sh -e "$1"
  else
    timeout -s INT -k 60 "$2" sh -e "$1"
  fi
}

failed=0
for page in $pages; do
  file=README.md
  [ "$page" = README ] || file=assets/handbook/$page.md
  [ -e "$file" ] || file=assets/handbook/lab/$page.md
  rm -f "$work"/block-*
  awk -v stem="$work/block-" -f tests/blocks.awk "$file"
  for block in "$work"/block-*; do
    [ -e "$block" ] || continue
    line=$(expr "${block##*-}" + 0)
    began=$(date +%s)
    status=0
    if stays "$block"; then  # line by line, since each waits for its end
      while IFS= read -r command; do
        printf '%s\n' "$command" >"$work/command"
        seconds=$most
        if stays "$work/command"; then seconds=30; fi
        case "$command" in *app/run.sh*) seconds=3600 ;; esac
        code=0
        case "$command" in
          *app/web.sh*)
            sh -e "$work/command" >>"$work/printed" 2>&1 </dev/null &
            served=$!
            until grep -q 'Emergence is at http' "$work/printed" || ! kill -0 "$served" 2>/dev/null; do sleep 5; done
            pkill -TERM -P "$served" || true
            wait "$served" || code=$?
            if [ $code -eq 143 ]; then code=0; fi ;;
          *)
            run "$work/command" "$seconds" >>"$work/printed" 2>&1 </dev/null || code=$?
            if [ "$seconds" != "$most" ] && [ $code -eq 124 ]; then code=0; fi ;;
        esac
        [ $code -eq 0 ] || status=$code
      done <"$block"
    else
      run "$block" "$most" >"$work/printed" 2>&1 </dev/null || status=$?
    fi
    echo "$file:$line: $(($(date +%s) - began)) s, exit status $status"
    if [ $status -ne 0 ]; then
      failed=$((failed + 1))
      sed 's/^/    /' "$block"
      tail -n 20 "$work/printed" | sed 's/^/  > /'
    fi
    rm -f "$work/printed"
  done
done
echo "pages: $failed failed"
[ $failed -eq 0 ]
