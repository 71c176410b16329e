#!/bin/sh
# The Python module on a fresh machine: installs what is missing (Debian 12), builds the module in build/, where it shares
# what run.sh has built, and installs it into an environment of its own that sees the system's packages. Safe to repeat.
#
#   sh app/python.sh [FOLDER]      FOLDER: where the environment lies (default: env in this checkout)
set -eu
start=$PWD
began=$(date +%s)
CDPATH="" cd -- "$(dirname -- "$0")/.."
env=${1:-$PWD/env}
case "$env" in /*) ;; *) env="$start/$env" ;; esac

echo "== 1/3 system packages"
sh third_party/packages.sh --python
echo "== 2/3 the module (in build/: a few minutes after app/run.sh, else about fifteen)"
python=$(readlink -f /usr/bin/python3)
cmake --preset python -DPython_EXECUTABLE="$python" >python-configure.log 2>&1 || {
  cat python-configure.log; rm -f python-configure.log; echo "python.sh: configuring failed, see above" >&2; exit 1; }
rm -f python-configure.log
cmake --build --preset python -j "$(nproc)"
echo "== 3/3 the environment $env"
[ -x "$env/bin/python" ] || "$python" -m venv --system-site-packages "$env"
"$env/bin/python" -m pip install --quiet --disable-pip-version-check --no-build-isolation --no-deps ./app/python
echo "Installed in $(($(date +%s) - began)) s. Start Python with: $env/bin/python"
