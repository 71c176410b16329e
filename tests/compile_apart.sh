#!/bin/sh
# Compiles sources and headers one by one, neither joined nor with precompiled headers: each must include what it
# uses. Then all headers of core and window in one source: no two may define one name. The preset apart only checks
# (-fsyntax-only), and CMake makes a source of each header.
#
#   sh tests/compile_apart.sh [--all | --recent N | FILE...]
#     --all       every source of the build and every header
#     --recent N  what the last N commits changed, and the sources that include a header which they changed;
#                 at most 4 files, the same ones for the same commit
#
# Ends with the number of files that failed; exits 1 if any did.
set -eu
CDPATH="" cd -- "$(dirname -- "$0")/.."
most=4
fail() { echo "compile_apart.sh: $1" >&2; exit 2; }
case ${1-} in
  --all) [ $# -eq 1 ] || fail "--all takes no files." ;;
  --recent)
    case ${2-} in '' | *[!0-9]* | 0) fail "--recent '${2-}' is not a number of commits. Use --recent 5." ;; esac
    [ $# -eq 2 ] || fail "--recent takes one number and no files." ;;
  -*) fail "unknown option $1. Use --all, --recent N or files." ;;
  '') fail "nothing chosen. Use --all, --recent N or files." ;;
esac

work=build-apart
lists=$(mktemp -d)
trap 'rm -rf "$lists"' EXIT
cmake --preset apart >"$lists/log" 2>&1 || { cat "$lists/log"; exit 1; }
# Lines "file object"; a kernel is the source of several objects.
ninja -C $work -t targets all | sed -n 's/: CXX_COMPILER.*//p' >"$lists/objects"
sed 's|.*_verify_interface_header_sets/||; s|CMakeFiles/[^/]*\.dir/||; s|\.o$||; s|\.cxx$||' "$lists/objects" |
  paste -d' ' - "$lists/objects" >"$lists/known"
together=tests/headers_together.cpp

# The changed files of the last commits, as far back as this clone reaches; then who includes a changed header.
recent() { # commits
  head=$(git rev-parse -q --verify HEAD 2>/dev/null) || { echo "No git history here: --recent chooses no files." >&2; return; }
  base=$(git rev-list --first-parent --max-count=$(($1 + 1)) HEAD | tail -n 1)
  [ "$base" != "$head" ] || {
    echo "This clone holds one commit: --recent chooses no files. Fetch more with git fetch --deepen=$1." >&2; return; }
  git diff --relative --name-only --diff-filter=d "$base" -- core app tests | grep '\.\(cpp\|h\)$' >"$lists/changed" || true
  grep '\.h$' "$lists/changed" | while read -r header; do
    grep -rlF --include='*.cpp' "#include \"$header\"" core app tests || true
  done | sort -u - "$lists/changed" | while read -r file; do
    ! grep -q "^$file " "$lists/known" || echo "$(printf '%s %s' "$head" "$file" | cksum | cut -d' ' -f1) $file"
  done | sort -n | head -n $most | cut -d' ' -f2-
  echo $together
}

case $1 in
  --all) cut -d' ' -f1 "$lists/known" | grep '^\(core\|app\|tests\)/' ;;
  --recent) recent "$2" ;;
  *) printf '%s\n' "$@" | sed "s|^$PWD/||; s|^\./||" ;;
esac | sort -u >"$lists/chosen"
while read -r file; do
  grep "^$file " "$lists/known" >>"$lists/wanted" || fail "$file: no source or header that this build checks."
done <"$lists/chosen"

failed=0
[ ! -s "$lists/wanted" ] || cut -d' ' -f2 "$lists/wanted" | xargs ninja -C $work -k 0 >"$lists/log" 2>&1 ||
  failed=$(grep -c '^FAILED' "$lists/log" || true)
[ "$failed" -eq 0 ] || { cat "$lists/log"; echo "== What FAILED does not compile alone. Include what it uses."; }
echo "$(wc -l <"$lists/chosen") files compiled alone, $failed of them failed."
[ "$failed" -eq 0 ]
