#!/usr/bin/env bash
# Deploys the image that `docker compose build` made, without a failed request: migrates, replaces one
# server after the other behind nginx (ops/nginx/replace-server.sh), then the workers. It needs at
# least two servers (SERVERS=2), all healthy, and stops at the first that does not become ready: the
# others still run the earlier image. docs/upgrading.md describes it.
#
# COMPOSE  the command (docker compose), with its options
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
export COMPOSE=${COMPOSE:-docker compose}
# A command with options, as words.
# shellcheck disable=SC2086
compose() { $COMPOSE "$@"; }

mapfile -t servers < <(compose ps --quiet server)
if [ ${#servers[@]} -lt 2 ]; then
  echo 'Fewer than two servers run: in .env set SERVERS=2 and SERVER_PORTS=3000-3001, and start them with' >&2
  echo 'docker compose up --detach' >&2
  exit 1
fi
for server in "${servers[@]}"; do
  health=$(docker inspect --format '{{.State.Health.Status}}' "$server")
  [ "$health" = healthy ] || { echo "The server $server is $health: see docker logs $server." >&2; exit 1; }
done

compose run --rm migrate

# replace CONTAINER: Compose puts a container of the new image in its place; the others stay.
replace() {
  docker stop --time 90 "$1" >/dev/null
  docker rm "$1" >/dev/null
  compose up --detach --no-deps --no-recreate --no-build server
}
export -f compose replace
for server in "${servers[@]}"; do
  port=$(docker port "$server" 3000/tcp | head -n 1)
  ops/nginx/replace-server.sh "${port##*:}" bash -c 'replace "$0"' "$server"
done

# Messages wait in the queue for a moment.
compose up --detach --no-deps --no-build worker
