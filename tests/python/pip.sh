#!/bin/sh
# The module as pip installs it, in an environment of its own: imported, and one run trained.
# Usage: sh tests/python/pip.sh PYTHON
set -eu
python=$1
CDPATH="" cd -- "$(dirname -- "$0")/../.."
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"$python" -m venv --system-site-packages "$folder/env"
"$folder/env/bin/python" -m pip install --quiet --no-build-isolation --no-deps . >"$folder/log" 2>&1 || {
  cat "$folder/log"; exit 1; }
cd "$folder"
unset PYTHONPATH EMERGENCE_ASSETS
"$folder/env/bin/python" - <<'PY'
import emergence

assert "site-packages" in emergence.__file__, emergence.__file__
run = emergence.run("opening", seeds=1, num_mrps=20, bank_size=16)
assert run.finished and run.P.shape == (1, 1, 9, 9)
print(emergence.version(), run)
PY
