#!/usr/bin/env bash
# Dumps the database of libpq's variables (PGHOST, PGUSER, PGDATABASE, PGPASSWORD) into BACKUP_FOLDER,
# deletes dumps that are older than BACKUP_KEEP_DAYS, and has the new one verified. docs/backup.md
# explains it.
#
#   backup.sh            once
#   backup.sh --nightly  each day at BACKUP_AT (hh:mm, UTC), until it is stopped; at once if the last
#                        day has no dump
set -euo pipefail

folder=${BACKUP_FOLDER:?name the folder of the dumps}
keep_days=${BACKUP_KEEP_DAYS:-14}
at=${BACKUP_AT:-02:30}
case $keep_days in '' | *[!0-9]* | 0) echo 'BACKUP_KEEP_DAYS must be a whole number from 1' >&2 && exit 2 ;; esac
case $at in [01][0-9]:[0-5][0-9] | 2[0-3]:[0-5][0-9]) ;; *) echo 'BACKUP_AT must be a time, hh:mm' >&2 && exit 2 ;; esac
program=$(dirname "${BASH_SOURCE[0]}")/../../dist/admin/main.js
# The dump holds everything: it is for its owner alone.
umask 077

# An incomplete dump never has the name of a complete dump.
dump() {
  local file
  file=$folder/pennytext-$(date -u +%Y-%m-%dT%H%M%SZ).dump
  rm -f "$folder"/pennytext-*.partial
  pg_dump --format=custom --file="$file.partial"
  sync "$file.partial"
  mv "$file.partial" "$file"
  find "$folder" -maxdepth 1 -name 'pennytext-*.dump' -mmin "+$((keep_days * 24 * 60))" -delete
  node "$program" backup verify "$file"
}

if [ "${1:-}" != --nightly ]; then
  dump
  exit
fi

trap 'kill "$(jobs -p)" 2>/dev/null || true; exit 0' TERM INT
wait_for() { "$@" & wait $!; }
if [ -z "$(find "$folder" -maxdepth 1 -name 'pennytext-*.dump' -mmin -1440)" ]; then
  wait_for "${BASH_SOURCE[0]}" || echo 'backup failed: the next try is at the usual time' >&2
fi
while true; do
  now=$(date -u +%s)
  next=$(date -u -d "today $at" +%s)
  [ "$next" -gt "$now" ] || next=$((next + 24 * 60 * 60))
  wait_for sleep $((next - now))
  wait_for "${BASH_SOURCE[0]}" || echo 'backup failed: the next try is at the usual time' >&2
done
