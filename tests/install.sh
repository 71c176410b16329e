#!/bin/sh
# Installs a build into a new folder and uses it from there, with an empty environment and from elsewhere.
# Usage: sh tests/install.sh BUILD_DIR
set -eu
build=$(cd "$1" && pwd)
here=$(CDPATH="" cd -- "$(dirname -- "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() { echo "install: $1" >&2; exit 1; }

prefix=$work/prefix
cmake --install "$build" --prefix "$prefix" >"$work/log" 2>&1 || { cat "$work/log" >&2; fail "cmake --install failed"; }
mkdir "$work/elsewhere" "$work/links"
cd "$work/elsewhere"

for program in "$prefix"/bin/*; do
  name=$(basename "$program")
  env -i "$program" --version | grep -Eq "^emergence [0-9]+\.[0-9]+\.[0-9]+" || fail "$name --version says no version"
  ln -s "$program" "$work/links/$name"
  env -i PATH="$prefix/bin:/usr/bin:/bin" HOME="$work" bash "$here/completion.bash" \
    "$prefix/share/bash-completion/completions/$name" "$program" || fail "completion of $name"
  page=$prefix/share/man/man1/$name.1
  [ -s "$page" ] || fail "there is no page $page"
done
# The installed assets are used: through a link to the program, not those of the checkout.
printf 'experiment = "td"\ntitle = "Only here"\n' > "$prefix/share/emergence/presets/only-here.toml"
env -i "$work/links/emergence-cli" list > list
grep -q "only-here .*Only here" list || fail "the installed presets are not found"
env -i EMERGENCE_ASSETS="$here/../assets" "$prefix/bin/emergence-cli" list > list
grep -q "only-here" list && fail "EMERGENCE_ASSETS is ignored"
env -i "$prefix/bin/emergence-cli" handbook hello | grep -q "^Hello" || fail "the handbook is not installed"
mv "$prefix" "$work/moved"  # relocatable
env -i "$work/moved/bin/emergence-cli" run td --preset td --set num_mrps=20 --seeds 1 --threads 1 --out run >run.log 2>&1 ||
  { cat run.log >&2; fail "no run from the moved folder"; }
for file in config.toml metrics.csv weights.npz; do [ -s "run/$file" ] || fail "the run left no $file"; done

if command -v man >/dev/null; then
  for page in "$work"/moved/share/man/man*/*; do
    # man exits with 0 whatever it warns of.
    warnings=$(man --warnings -E UTF-8 -l -Tutf8 -Z "$page" 2>&1 >/dev/null)
    [ -z "$warnings" ] || fail "$(basename "$page"): $warnings"
  done
fi
if command -v desktop-file-validate >/dev/null && [ -d "$work/moved/share/applications" ]; then
  desktop-file-validate "$work"/moved/share/applications/*.desktop || fail "a desktop entry is not valid"
fi
for file in "$work"/moved/share/metainfo/*; do
  [ -e "$file" ] && command -v appstreamcli >/dev/null || continue
  # Its name is no domain reversed: it has no domain.
  appstreamcli validate --no-net --override=cid-desktopapp-is-not-rdns=info "$file" || fail "$(basename "$file") is not valid"
done
echo "install: passed"
