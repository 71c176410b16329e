#!/bin/sh
# Compiles sources and headers one by one, neither joined nor with precompiled headers: each must include what it
# uses. Then all headers of core and window in one source: no two may define one name. Only checks (-fsyntax-only);
# build-apart/ holds nothing but the compile commands.
#
#   sh tests/compile_apart.sh [--all | --recent N | FILE...]
#     --all       every source of the build and every header
#     --recent N  what the last N commits changed, and the sources that include a header which they changed;
#                 at most 8 files, the same ones for the same commit
#
# Ends with the number of files that failed; exits 1 if any did.
set -eu
CDPATH="" cd -- "$(dirname -- "$0")/.."
root=$PWD
most=8
mode=files
case ${1-} in
  --all) mode=all; shift; [ $# -eq 0 ] || { echo "compile_apart.sh: --all takes no files." >&2; exit 2; } ;;
  --recent)
    mode=recent
    commits=${2-}
    case $commits in
      '' | *[!0-9]* | 0) echo "compile_apart.sh: --recent '$commits' is not a number of commits. Use --recent 5." >&2; exit 2 ;;
    esac
    [ $# -eq 2 ] || { echo "compile_apart.sh: --recent takes one number and no files." >&2; exit 2; } ;;
  -*) echo "compile_apart.sh: unknown option $1. Use --all, --recent N or files." >&2; exit 2 ;;
  '') echo "compile_apart.sh: nothing chosen. Use --all, --recent N or files." >&2; exit 2 ;;
esac

work=build-apart
mkdir -p $work
rm -rf $work/apart
mkdir -p $work/apart

# What only browsers understand is not the desktop's to compile.
desktops() { grep -v '^app/web/\|_wasm\.h$'; }
headers() { find core app tests -name '*.h' | desktops | sort; }

# The changed files of the last commits, as far back as this clone reaches; then who includes a changed header.
recent() {
  if ! git rev-parse -q --verify HEAD >/dev/null 2>&1; then
    echo "No git history here: --recent chooses no files." >&2
    return
  fi
  head=$(git rev-parse HEAD)
  base=$(git rev-list --first-parent --max-count=$((commits + 1)) HEAD | tail -n 1)
  if [ "$base" = "$head" ]; then
    echo "This clone holds one commit: --recent chooses no files. Fetch more with git fetch --deepen=$commits." >&2
    return
  fi
  git diff --relative --name-only --diff-filter=d "$base" -- core app tests | grep '\.\(cpp\|h\)$' >$work/apart/changed || true
  : >$work/apart/wider
  grep '\.h$' $work/apart/changed | while read -r header; do
    grep -rlF --include='*.cpp' "#include \"$header\"" core app tests || true
  done >>$work/apart/wider
  sort -u $work/apart/changed $work/apart/wider | desktops | while read -r file; do
    echo "$(printf '%s %s' "$head" "$file" | cksum | cut -d' ' -f1) $file"
  done | sort -n | head -n $most | cut -d' ' -f2- | sort
}

# Lines "source<tab>flags" from compile_commands.json: a source's first command, without -o and -c.
commands() {
  awk -v root="$root/" '
    function text(line) {
      sub(/^[^:]*: "/, "", line); sub(/",?$/, "", line)
      gsub(/\\\\/, "\001", line); gsub(/\\"/, "\"", line); gsub(/\001/, "\\", line)
      return line
    }
    /^ *"command":/ { command = text($0); sub(/ -o .*$/, "", command); gsub(/ -M[DM]+| -M[TF] [^ ]+/, "", command) }
    /^ *"file":/ {
      file = text($0)
      if (index(file, root) != 1) next
      file = substr(file, length(root) + 1)
      if (file !~ /^build/ && !(file in seen)) { seen[file] = 1; print file "\t" command }
    }' $work/compile_commands.json
}

case $mode in
  recent) recent >$work/apart/chosen ;;
  files) printf '%s\n' "$@" | sed "s|^$root/||; s|^\./||" >$work/apart/chosen ;;
esac
if [ $mode != recent ] || [ -s $work/apart/chosen ]; then
  cmake --preset dev -B $work >$work/configure.log 2>&1 || { cat $work/configure.log; exit 1; }
  commands >$work/apart/commands
  [ $mode != all ] || { cut -f1 $work/apart/commands; headers; } >$work/apart/chosen
  # A header that a chosen source includes first is checked there.
  grep '\.cpp$' $work/apart/chosen | tr '\n' '\0' | xargs -0 -r awk '
    FNR == 1 { found = 0 }
    !found && /^#include/ { found = 1; if (split($0, part, "\"") > 1) print part[2] }' >$work/apart/checked_there
  [ $mode = files ] || { grep -vxFf $work/apart/checked_there $work/apart/chosen || true; } >$work/apart/rest
  [ $mode = files ] || mv $work/apart/rest $work/apart/chosen
fi

# One script per file: a source's own command; a header's is that of a source which is near it, and for the headers of
# the lane kernels that of a kernel.
tab=$(printf '\t')
number=0
while read -r file; do
  number=$((number + 1))
  job=$work/apart/$(printf '%04d' $number)
  case $file in
    *.h)
      [ -f "$file" ] || { echo "compile_apart.sh: $file: no such header." >&2; exit 2; }
      kernel=no
      ! grep -q EMERGENCE_LANES "$file" || kernel=yes
      flags=$(awk -F "$tab" -v file="$file" -v kernel=$kernel '
        (kernel == "yes") == ($1 ~ /_kernels\.cpp$/) {
          n = split($1, a, "/"); split(file, b, "/")
          for (shared = 0; shared < n && a[shared + 1] == b[shared + 1]; ++shared);
          if (shared > best) { best = shared; command = $2 }
        }
        END { print command }' $work/apart/commands)
      [ -n "$flags" ] || { echo "$file: not checked, this build has no source near it." >&2; continue; }
      echo "#include \"$file\"" >"$job.cpp"
      source=$job.cpp ;;
    *)
      flags=$(awk -F "$tab" -v file="$file" '$1 == file { print $2 }' $work/apart/commands)
      if [ -z "$flags" ]; then
        [ $mode != files ] || { echo "compile_apart.sh: $file: no source of this build." >&2; exit 2; }
        continue
      fi
      source=$file ;;
  esac
  printf '%s\n' "$file" >"$job.name"
  printf '%s -fsyntax-only "%s"\n' "$flags" "$root/$source" >"$job.sh"
done <$work/apart/chosen

# What two headers define is two things by one name; a program that links both takes either.
if [ $mode != files ]; then
  flags=$(awk -F "$tab" '$1 ~ /^app\/gui\/panels\// { print $2; exit }' $work/apart/commands)
  if [ -n "$flags" ]; then
    find core app/gui -name '*.h' | sort | xargs grep -L EMERGENCE_LANES | sed 's/.*/#include "&"/' >$work/apart/together.cpp
    echo "All headers in one source" >$work/apart/together.name
    printf '%s -fsyntax-only "%s"\n' "$flags" "$root/$work/apart/together.cpp" >$work/apart/together.sh
  fi
fi

ls $work/apart | sed -n 's/\.sh$//p' >$work/apart/jobs
xargs -r -n 1 -P "$(nproc)" sh -c 'sh "$0/$1.sh" >"$0/$1.log" 2>&1 || mv "$0/$1.log" "$0/$1.failed"' $work/apart \
  <$work/apart/jobs
failed=0
for log in $work/apart/*.failed; do
  [ -f "$log" ] || continue
  failed=$((failed + 1))
  echo "== $(cat "${log%.failed}.name") does not compile alone. Include what it uses."
  cat "$log"
done
echo "$(wc -l <$work/apart/jobs) files compiled alone, $failed of them failed."
[ $failed -eq 0 ]
