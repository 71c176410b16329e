#!/bin/sh
# The page for browsers, in headless Chromium: installs, builds (long the first time), and does what a user does. A test
# of its own, outside tests/run.sh. Screenshots lie in build-web/pictures, to be looked at.
#
#   sh tests/web.sh [STEP...]     STEP: a step of page_test.py; all if none is named
set -eu
CDPATH="" cd -- "$(dirname -- "$0")/.."
sh third_party/packages.sh --web --web-tests
python3 tests/web/page_alone_test.py
sh app/web.sh --out build-web/page
cmake --preset release >build-web/desktop.log 2>&1 || { cat build-web/desktop.log; exit 1; }
cmake --build --preset release --target emergence-cli  # its weights are compared with the page's
[ $# -gt 0 ] || {
  (cd build-web && sh ../app/web.sh --single)
  python3 tests/web/page_test.py build-web/emergence.html build-web/pictures
}
exec python3 tests/web/page_test.py build-web/page build-web/pictures "$@"
