#!/bin/sh
# Packs a build, installs the package into a clean Debian where its dependencies come by name, and uses it there: a paper's
# figure, the window under Xvfb, the manual, completion, what a double click would open.
# Usage: sh tests/package.sh BUILD_DIR     (needs cpack; root, mmdebstrap and unshare for the clean Debian)
set -eu
build=$(cd "$1" && pwd)
here=$(CDPATH="" cd -- "$(dirname -- "$0")" && pwd)
fail() { echo "package: $1" >&2; exit 1; }
say() { echo "package: $1 ($(($(date +%s) - start)) s)"; }

clean=yes
[ "$(id -u)" -eq 0 ] || clean="no: not root"
for tool in mmdebstrap unshare apt-get; do command -v $tool >/dev/null || clean="no: there is no $tool"; done
# In a mount namespace of its own, so that whatever happens no mount is left behind.
if [ "$clean" = yes ] && [ -z "${EMERGENCE_PACKAGE_INSIDE:-}" ]; then
  if unshare --mount true 2>/dev/null; then
    EMERGENCE_PACKAGE_INSIDE=1 exec unshare --mount --propagation private sh "$0" "$build"
  fi
  clean="no: mounts are not allowed"
fi

start=$(date +%s)
work=$(mktemp -d)
root=$work/root
trap 'umount "$root/proc" 2>/dev/null || true; umount -l "$work" 2>/dev/null || true; rm -rf --one-file-system "$work"' EXIT
# In memory, if there is plenty of it: written and forgotten faster.
if [ "$clean" = yes ] && [ "$(awk '/^MemAvailable/ {print $2}' /proc/meminfo)" -gt 4000000 ]; then
  mount -t tmpfs -o mode=0700,size=2g tmpfs "$work" || true
fi
(cd "$build" && cpack -G DEB -B "$work") >"$work/log" 2>&1 || { cat "$work/log" >&2; fail "cpack failed"; }
deb=$(ls "$work"/*.deb)
say "$(basename "$deb"), $(du -k "$deb" | cut -f1) KB"
dpkg-deb -c "$deb" >"$work/files"
for file in copyright changelog.Debian.gz NOTICES.md; do
  grep -q " \./usr/share/doc/emergence/$file\$" "$work/files" || fail "the package has no $file"
done
dpkg-deb --fsys-tarfile "$deb" | tar -xO ./usr/share/doc/emergence/changelog.Debian.gz | gunzip |
  grep -q "^emergence ($(dpkg-deb -f "$deb" Version)) " || fail "the changelog is not about this version"

# The mirror is this machine's own.
make_root() {
  release=$(. /etc/os-release && echo "$VERSION_CODENAME")
  mirrors() {
    apt-get indextargets --format "deb \$(REPO_URI) \$(RELEASE) \$(COMPONENT)" \
      "Created-By: Packages" "Origin: Debian" "Component: main" >"$work/sources.list"
  }
  mirrors
  if [ ! -s "$work/sources.list" ]; then  # apt has thrown its lists away, as images of containers do
    apt-get update -qq >"$work/log" 2>&1 || true
    mirrors
  fi
  [ -s "$work/sources.list" ] || { cat "$work/log" >&2; fail "apt knows no Debian mirror"; }
  mmdebstrap --quiet --variant=apt --keyring=/usr/share/keyrings/debian-archive-keyring.gpg \
    --aptopt='APT::Install-Recommends "false"' --aptopt='Acquire::Languages "none"' \
    --aptopt='Acquire::Retries "3"' --dpkgopt=force-unsafe-io \
    --dpkgopt='path-exclude=/usr/share/man/*' --dpkgopt='path-include=/usr/share/man/man[17]/emergence*' \
    --dpkgopt='path-exclude=/usr/share/doc/*' --dpkgopt='path-exclude=/usr/share/locale/*' \
    --customize-hook="copy-in $deb /tmp" \
    --customize-hook='chroot "$1" sh -c "DEBIAN_FRONTEND=noninteractive apt-get install -y -qq /tmp/*.deb man-db bash-completion \
      desktop-file-utils shared-mime-info libglib2.0-bin"' \
    "$release" "$root" "$work/sources.list" >"$work/log" 2>&1 || { tail -n 30 "$work/log" >&2; fail "no clean Debian"; }
  mount -t proc proc "$root/proc" || fail "/proc cannot be mounted"
  # Paths below the root mean the same inside of it.
  mkdir -p "$root$work"
  ln -s / "$root$root"
}
inside() { chroot "$root" env -i PATH=/usr/bin:/bin HOME=/tmp LC_ALL=C.UTF-8 "$@"; }
enter="chroot $root"
if [ "$clean" = yes ]; then
  make_root
  say "a clean Debian with the package and its dependencies"
else
  echo "package: no clean Debian ($clean): the files of the package are used where they are"
  dpkg-deb -x "$deb" "$root"
  mkdir -p "$root/tmp"
  inside() { env -i PATH="$root/usr/bin:/usr/bin:/bin" HOME="$root/tmp" LC_ALL=C.UTF-8 "$@"; }
  enter=env
fi
at=$root; [ "$clean" = yes ] && at=""  # where its files lie, seen from inside

inside emergence-cli --version | grep -q "^emergence " || fail "emergence-cli does not start"
inside emergence-cli figure wang-1 --out "$at/tmp/wang-1" >"$work/log" 2>&1 || { cat "$work/log" >&2; fail "no figure"; }
for kind in pdf svg png npz; do [ -s "$root/tmp/wang-1/wang-1.$kind" ] || fail "there is no wang-1.$kind"; done
say "emergence-cli figure wang-1"

inside desktop-file-validate "$at"/usr/share/applications/emergence.desktop ||
  fail "a desktop entry is not valid"
for page in "1 emergence-cli num_layers=2" "1 emergence --screenshot"; do
  set -- $page
  file=$root/usr/share/man/man$1/$2.$1.gz
  if [ "$clean" = yes ]; then inside man "$1" "$2"; else man -l "$file"; fi >"$work/page" 2>"$work/warnings" || fail "no page $2"
  grep -q -e "$3" "$work/page" || fail "man $2 does not mention $3"
done
cp "$here/completion.bash" "$root/tmp"
for name in emergence-cli emergence; do
  inside bash "$at/tmp/completion.bash" "$at/usr/share/bash-completion/completions/$name" "$at/usr/bin/$name" ||
    fail "completion of $name"
done
say "desktop entry, manual, completion"

# expect FILE TYPE: what the desktop takes it for.
expect() {
  type=$(inside gio info -a standard::content-type "$1" | sed -n 's/.*standard::content-type: //p')
  [ "$type" = "$2" ] || fail "$1 is taken for '$type', wanted is $2"
}
if [ "$clean" = yes ]; then
  printf '[package]\nname = "other"\n' > "$root/tmp/Cargo.toml"
  expect /tmp/wang-1/config.toml application/x-emergence-settings
  expect /usr/share/emergence/sweeps/td-depth-and-length.toml application/x-emergence-sweep
  expect /usr/share/emergence/worlds/corridor.toml application/x-emergence-world
  for lesson in "$root"/usr/share/emergence/lessons/*.toml; do
    expect "/usr/share/emergence/lessons/$(basename "$lesson")" application/x-emergence-lesson
  done
  expect /tmp/wang-1/wang-1.npz application/x-emergence-data
  expect /tmp/wang-1/wang-1.pdf application/pdf
  expect /tmp/wang-1/wang-1.svg image/svg+xml
  expect /tmp/Cargo.toml application/toml
  for kind in settings lesson; do
    inside gio mime application/x-emergence-$kind | grep -q "Default.*emergence.desktop" ||
      fail "a double click on application/x-emergence-$kind opens no window"
  done
  say "types of files"
fi

if [ -x "$root/usr/bin/emergence" ]; then
  program=$at/usr/bin/emergence
  printf '#!/bin/sh\nexec %s %s "$@"\n' "$enter" "$program" > "$work/emergence"
  chmod +x "$work/emergence"
  TMPDIR=$root/tmp sh "$here/window_smoke.sh" "$work/emergence" "$build/tests/emergence_gui_tests" || fail "the window's test"
  say "the window"
fi
if [ "$clean" != yes ]; then
  echo "package: passed, but not in a clean Debian ($clean)"
  exit 77  # ctest: skipped
fi
echo "package: passed"
