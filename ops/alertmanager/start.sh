#!/bin/sh
# Writes Alertmanager's configuration from .env, which Alertmanager does not read, and starts it. The
# file is in /tmp, a tmpfs: no secret is on a disk.
set -eu
umask 077
file=${WATCHING_FILES:-/tmp}/alertmanager.yml
# A secret may be in a file, like the product's secrets.
if [ -n "${ALERT_WEBHOOK_URL_FILE:-}" ]; then ALERT_WEBHOOK_URL=$(cat "$ALERT_WEBHOOK_URL_FILE"); fi
if [ -n "${ALERT_SMTP_PASSWORD_FILE:-}" ]; then ALERT_SMTP_PASSWORD=$(cat "$ALERT_SMTP_PASSWORD_FILE"); fi
if [ -n "${ALERT_HEARTBEAT_URL_FILE:-}" ]; then ALERT_HEARTBEAT_URL=$(cat "$ALERT_HEARTBEAT_URL_FILE"); fi

# Writes a line as it is; some shells' echo replaces backslashes.
line() { printf '%s\n' "$1"; }
# Quotes a value for YAML.
quoted() { printf "'%s'" "$(printf '%s' "$1" | sed "s/'/''/g")"; }

if [ -z "${ALERT_WEBHOOK_URL:-}${ALERT_EMAIL_TO:-}" ]; then
  echo 'Alerts need a receiver: set ALERT_WEBHOOK_URL or ALERT_EMAIL_TO in .env' >&2
  exit 1
fi
if [ -n "${ALERT_EMAIL_TO:-}" ] && { [ -z "${ALERT_SMTP_HOST:-}" ] || [ -z "${ALERT_EMAIL_FROM:-}" ]; }; then
  echo 'ALERT_EMAIL_TO needs ALERT_SMTP_HOST and ALERT_EMAIL_FROM in .env' >&2
  exit 1
fi

{
  line 'route:'
  line '  receiver: operator'
  # One notification for each alert, however many processes it concerns.
  line '  group_by: [alertname, severity]'
  line '  group_wait: 10s'
  line '  group_interval: 1m'
  line '  repeat_interval: 12h'
  line '  routes:'
  line '    - matchers: [alertname="Heartbeat"]'
  if [ -n "${ALERT_HEARTBEAT_URL:-}" ]; then
    line '      receiver: heartbeat'
    line '      group_wait: 0s'
    line '      repeat_interval: 1m'
  else
    line '      receiver: none'
  fi
  if [ -n "${ALERTS_OFF:-}" ]; then
    line '    - receiver: none'
    line "      matchers: [$(quoted "alertname=~\"$(printf '%s' "$ALERTS_OFF" | tr -d ' ' | tr , '|')\"")]"
  fi
  line '    - matchers: [severity="page"]'
  line '      receiver: operator'
  line '      repeat_interval: 1h'

  # An alert that follows from another is not sent as well.
  line 'inhibit_rules:'
  line '  - source_matchers: [alertname="NoServer"]'
  line '    target_matchers: [alertname=~"InstancesGone|InstanceMissing", job="server"]'
  line '  - source_matchers: [alertname="NoWorker"]'
  line '    target_matchers: [alertname=~"InstancesGone|InstanceMissing", job="worker"]'
  line '  - source_matchers: [alertname="PostgresDown"]'
  line '    target_matchers: [alertname=~"ServerErrors|ScheduledTaskFails|JobsFail|PoolExhausted"]'

  line 'receivers:'
  line '  - name: none'
  if [ -n "${ALERT_HEARTBEAT_URL:-}" ]; then
    line '  - name: heartbeat'
    line '    webhook_configs:'
    line "      - { url: $(quoted "$ALERT_HEARTBEAT_URL"), send_resolved: false }"
  fi
  line '  - name: operator'
  if [ -n "${ALERT_WEBHOOK_URL:-}" ]; then
    line '    webhook_configs:'
    line "      - url: $(quoted "$ALERT_WEBHOOK_URL")"
  fi
  if [ -n "${ALERT_EMAIL_TO:-}" ]; then
    line '    email_configs:'
    line "      - to: $(quoted "$ALERT_EMAIL_TO")"
    line "        from: $(quoted "$ALERT_EMAIL_FROM")"
    line "        smarthost: $(quoted "$ALERT_SMTP_HOST")"
    line '        send_resolved: true'
    if [ -n "${ALERT_SMTP_USER:-}" ]; then
      line "        auth_username: $(quoted "$ALERT_SMTP_USER")"
      line "        auth_password: $(quoted "${ALERT_SMTP_PASSWORD:-}")"
    fi
  fi
} >"$file"

exec "$@"
