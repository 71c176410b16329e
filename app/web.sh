#!/bin/sh
# The laboratory as a web page: installs what is missing (Debian 12), builds the page, and serves it on the loopback
# address, with the two headers that threads need. Safe to repeat.
#
#   sh app/web.sh [--out DIR] [--port N] [--single]
#
# --out DIR leaves the page's files there for any web host, and serves nothing. --single writes emergence.html here: the
# page as one file, which opens by a double click.
set -eu
start=$PWD
CDPATH="" cd -- "$(dirname -- "$0")/.."

out="" port=8642 single=""
while [ $# -gt 0 ]; do
  case "$1" in
    --out | --port) [ -n "${2:-}" ] || { echo "web.sh: $1: is missing what comes after it" >&2; exit 2; } ;;
  esac
  case "$1" in
    --out) out=$2; shift 2 ;;
    --port) port=$2; shift 2 ;;
    --single) single=$start/emergence.html; shift ;;
    *) echo "web.sh: unknown option $1 (allowed: --out DIR, --port N, --single)" >&2; exit 2 ;;
  esac
done

build=build-web
if [ -z "$out$single" ] && command -v python3 >/dev/null; then  # before the build, which is long
  python3 app/web/serve.py . --port "$port" --check
fi
echo "== 1/3 system packages"
sh third_party/packages.sh --web
echo "== 2/3 build (in $build/, long the first time)"
sh third_party/web_parts.sh $build/parts
# A node that is not Debian's does not look where Debian puts its modules.
export NODE_PATH="${NODE_PATH:-/usr/share/nodejs}"
command -v ccache >/dev/null && export EM_COMPILER_WRAPPER=ccache
cmake --preset web >$build/configure.log 2>&1 || {
  cat $build/configure.log; echo "web.sh: configuring failed, see above" >&2; exit 1; }
cmake --build $build -j "$(nproc)"
node app/web/pack.js $build/site
echo "== 3/3 the page"
if [ -n "$single" ]; then
  node app/web/single.js $build/site "$single"
elif [ -n "$out" ]; then
  case "$out" in /*) ;; *) out="$start/$out" ;; esac
  mkdir -p "$out"
  cp -r $build/site/* "$out/"
  echo "The page is in $out. Any web host serves it; https or the loopback address is needed."
else
  exec python3 app/web/serve.py $build/site --port "$port"
fi
