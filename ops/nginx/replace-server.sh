#!/usr/bin/env bash
# replace-server.sh PORT COMMAND...: takes the server on PORT out of nginx's rotation, runs COMMAND,
# which replaces it, waits until its /readyz answers 200 and puts it back. If the command fails or the
# server is not ready in time, it exits with 1 and the server stays out of the rotation.
#
# ROTATION       folder that ops/nginx/pennytext.conf looks into (/run/pennytext)
# READY_SECONDS  how long the new server may take (120)
set -euo pipefail
[ $# -ge 2 ] || { echo 'Usage: replace-server.sh PORT COMMAND...' >&2; exit 2; }
port=$1
shift
rotation=${ROTATION:-/run/pennytext}
ready=${READY_SECONDS:-120}
fail() {
  echo "The server on port $port $1 and stays out of the rotation." >&2
  echo "Once it is ready, remove $rotation/without-$port to put it back." >&2
  exit 1
}

mkdir -p "$rotation"
for other in "$rotation"/without-*; do
  [ ! -e "$other" ] || [ "$other" = "$rotation/without-$port" ] ||
    { echo "$other exists: another server is out of the rotation. Put it back first." >&2; exit 1; }
done
touch "$rotation/without-$port"
# nginx has chosen this server for some requests already; they reach it meanwhile.
sleep 1
"$@" || fail 'was not replaced'
for ((second = 0; second < ready; second += 1)); do
  if curl --silent --fail --max-time 2 --output /dev/null "http://127.0.0.1:$port/readyz"; then
    rm "$rotation/without-$port"
    exit 0
  fi
  sleep 1
done
fail "is not ready after $ready s"
