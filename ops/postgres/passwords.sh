#!/bin/sh
# Prints the lines of .env about the database in Compose: a new random password for each role of
# ops/postgres/roles.sql, and the two URLs that contain one. Used once, before the first start.
set -eu

password() { openssl rand -hex 24; }

migrator=$(password)
app=$(password)
cat <<END
POSTGRES_PASSWORD=$(password)
MIGRATOR_PASSWORD=$migrator
APP_PASSWORD=$app
READER_PASSWORD=$(password)
BACKUP_PASSWORD=$(password)
DATABASE_URL=postgres://pennytext_app:$app@postgres:5432/pennytext
MIGRATION_DATABASE_URL=postgres://pennytext_migrator:$migrator@postgres:5432/pennytext
END
