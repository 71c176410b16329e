#!/bin/sh
# The module as app/python.sh installs it: imported, and one run trained.
set -eu
CDPATH="" cd -- "$(dirname -- "$0")/../.."
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
sh app/python.sh "$folder/env" >"$folder/log" 2>&1 || { cat "$folder/log"; exit 1; }
cd "$folder"
unset PYTHONPATH EMERGENCE_ASSETS
"$folder/env/bin/python" - <<'PY'
import emergence

assert "site-packages" in emergence.__file__, emergence.__file__
run = emergence.run("opening", seeds=1, num_mrps=20, bank_size=16)
assert run.finished and run.P.shape == (1, 1, 9, 9)
print(emergence.version(), run)
PY
