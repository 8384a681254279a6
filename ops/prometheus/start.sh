#!/bin/sh
# Starts Prometheus with the settings from .env, which Prometheus does not read. The files are in
# /tmp, a tmpfs: no secret is on a disk.
set -eu
umask 077
files=${WATCHING_FILES:-/tmp}
# A secret may be in a file, like the product's secrets.
if [ -n "${METRICS_TOKEN_FILE:-}" ]; then METRICS_TOKEN=$(cat "$METRICS_TOKEN_FILE"); fi

case ${PUBLIC_URL:-} in
  https:*) public=$PUBLIC_URL/healthz ;;
  *) public= ;;
esac
# Behind https the server shows its metrics only to clients with the token.
if [ -n "$public" ] && [ -z "${METRICS_TOKEN:-}" ]; then
  echo 'Set METRICS_TOKEN in .env: openssl rand -hex 24' >&2
  exit 1
fi
printf '%s' "${METRICS_TOKEN:-}" >"$files/metrics-token"

if [ -n "$public" ]; then printf '[{"targets": ["%s"]}]\n' "$public"; else echo '[]'; fi >"$files/public.json"

cat >"$files/expected.yml" <<EXPECTED
groups:
  - name: pennytext-expected
    rules:
      - record: pennytext:instances:expected
        expr: vector(${SERVERS:-1})
        labels: { job: server }
      - record: pennytext:instances:expected
        expr: vector(${WORKERS:-1})
        labels: { job: worker }
EXPECTED

exec "$@"
