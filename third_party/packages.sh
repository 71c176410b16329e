#!/bin/sh
# Installs the system packages that Emergence needs on Debian 12 and later. Safe to repeat: what is there is left alone.
# Usage: sh third_party/packages.sh [--python] [--tests] [--web] [--web-tests]
set -eu

packages="g++ cmake ninja-build pkg-config libeigen3-dev libfmt-dev libcli11-dev libtomlplusplus-dev nlohmann-json3-dev
  zlib1g-dev libcairo2-dev librandom123-dev liblbfgspp-dev
  libimgui-dev libglfw3-dev libx11-dev libgl-dev libgl1-mesa-dri libfreetype-dev libfontconfig-dev libstb-dev fonts-dejavu-core doctest-dev"
for option in "$@"; do
  case "$option" in
    --python) packages="$packages python3-dev pybind11-dev python3-numpy python3-pip python3-venv python3-setuptools python3-wheel" ;;
    --tests) packages="$packages appstream libbenchmark-dev xvfb xauth xdotool xclip fish zsh poppler-utils python3
      man-db desktop-file-utils mmdebstrap
      python3-dev pybind11-dev python3-numpy python3-pip python3-venv python3-setuptools python3-wheel python3-pytest python3-pandas mypy
      python3-matplotlib python3-ipykernel python3-nbconvert python3-torch python3-distributed python3-mpi4py openmpi-bin" ;;
    --web) packages="$packages emscripten libfast-float-dev dpkg-dev fonttools fonts-dejavu-extra python3 ccache" ;;
    --web-tests) packages="$packages chromium chromium-driver" ;;
    *) echo "packages.sh: unknown option $option (allowed: --python, --tests, --web, --web-tests)" >&2; exit 2 ;;
  esac
done

missing=""
for package in $packages; do
  state=$(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null || true)
  [ "$state" = installed ] || missing="$missing $package"
done
if [ -z "$missing" ]; then
  echo "All system packages are installed."
  exit 0
fi

echo "Installing:$missing"
as_root=""
if [ "$(id -u)" -ne 0 ]; then
  command -v sudo >/dev/null || { echo "packages.sh: run as root, or install:$missing" >&2; exit 1; }
  as_root=sudo
fi
$as_root env DEBIAN_FRONTEND=noninteractive sh -c "
  apt-get update -q && apt-get install -y -q --no-install-recommends $missing" || {
  echo "packages.sh: could not install:$missing" >&2; exit 1; }
