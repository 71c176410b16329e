#!/bin/sh
# Collects what the build for browsers needs beside the compiler, in the folder DIR: links to the headers of installed
# packages, the sources of Dear ImGui and zlib from Debian's source packages, and the fonts, cut down to the characters
# that the window has. Needs no root. Safe to repeat: what is there is left alone.
# Usage: sh third_party/web_parts.sh DIR
set -eu
mkdir -p "$1"
parts=$(cd "$1" && pwd)

if [ ! -d "$parts/include" ]; then
  rm -rf "$parts/include.new"
  mkdir -p "$parts/include.new"
  for header in eigen3 fmt CLI toml++ nlohmann LBFGS.h LBFGSB.h LBFGSpp fast_float stb; do
    [ -e "/usr/include/$header" ] || { echo "web_parts.sh: /usr/include/$header is missing" >&2; exit 1; }
    ln -s "/usr/include/$header" "$parts/include.new/$header"
  done
  # Random123 refuses processors that its authors have not tried. Its generators need whole numbers only.
  cp -r /usr/include/Random123 "$parts/include.new/Random123"
  sed -i 's/!defined(__riscv)/& \&\& !defined(__wasm__)/' "$parts/include.new/Random123/features/gccfeatures.h"
  mv "$parts/include.new" "$parts/include"
fi

# apt knows the same archives as always, but asks them for sources, in lists of its own.
fetch_sources() {
  apt="$parts/apt"
  mkdir -p "$apt/lists/partial" "$apt/cache/archives/partial" "$apt/sources.list.d"
  . /etc/os-release
  for file in /etc/apt/sources.list /etc/apt/sources.list.d/*; do
    name=$(basename "$file")
    case "$file" in
      *.list) grep -E "^deb (\[[^]]*\] )?[^ ]+ $VERSION_CODENAME" "$file" | sed 's/^deb /deb-src /' \
        >"$apt/sources.list.d/$name" || true ;;
      *.sources) grep -qE "^Suites:.*[[:space:]]$VERSION_CODENAME" "$file" &&
        sed 's/^Types:.*/Types: deb-src/' "$file" >"$apt/sources.list.d/$name" || true ;;
    esac
  done
  set -- -q -o Dir::Etc::SourceList=/dev/null -o Dir::Etc::SourceParts="$apt/sources.list.d" \
    -o Dir::State::Lists="$apt/lists" -o Dir::Cache="$apt/cache" -o APT::Sandbox::User=root
  apt-get "$@" update
  (cd "$apt" && apt-get "$@" source imgui zlib)
}

if [ ! -d "$parts/imgui" ] || [ ! -d "$parts/zlib" ]; then
  fetch_sources
  rm -rf "$parts/imgui" "$parts/zlib"
  mv "$parts"/apt/imgui-*/ "$parts/imgui"
  cp "$parts"/imgui/misc/cpp/imgui_stdlib.* "$parts/imgui/"
  mv "$parts"/apt/zlib-*/ "$parts/zlib"
  rm -rf "$parts/apt"
fi

# The ranges of app/gui/shell/theme.cpp.
if [ ! -d "$parts/fonts" ]; then
  rm -rf "$parts/fonts.new"
  mkdir -p "$parts/fonts.new"
  for pair in DejaVuSans:regular DejaVuSans-Bold:bold DejaVuSansMono:mono DejaVuSans-Oblique:slanted; do
    pyftsubset "/usr/share/fonts/truetype/dejavu/${pair%:*}.ttf" --output-file="$parts/fonts.new/${pair#*:}.ttf" \
      --no-hinting --layout-features= --drop-tables+=GPOS,GSUB,GDEF,kern,name,FFTM --notdef-outline \
      --unicodes=20-FF,370-3FF,1D62-1D6A,2010-205E,2070-209C,2190-21FF,2200-22FF,25A0-25FF,2605-2606,2713-2718,275A,FFFD
  done
  mv "$parts/fonts.new" "$parts/fonts"
fi
