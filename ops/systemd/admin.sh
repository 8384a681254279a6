#!/usr/bin/env bash
# admin.sh COMMAND...: an operator's command (docs/commands.md) with the settings and secrets of the
# systemd units. Only root can run it, because only root can read the secrets.
set -euo pipefail
for secret in /etc/pennytext/secrets/*; do
  export "$(basename "$secret")_FILE=$secret"
done
exec node --env-file=/etc/pennytext/pennytext.env "$(dirname "${BASH_SOURCE[0]}")/../../dist/admin/main.js" "$@"
