#!/bin/sh
# Writes Alertmanager's configuration from .env, which Alertmanager does not read, and starts it. The
# file is in /tmp, a tmpfs: no secret is on a disk.
set -eu
umask 077
file=${WATCHING_FILES:-/tmp}/alertmanager.yml

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
  echo 'route:'
  echo '  receiver: operator'
  # One notification for each alert, however many processes it concerns.
  echo '  group_by: [alertname, severity]'
  echo '  group_wait: 10s'
  echo '  group_interval: 1m'
  echo '  repeat_interval: 12h'
  echo '  routes:'
  echo '    - matchers: [alertname="Heartbeat"]'
  if [ -n "${ALERT_HEARTBEAT_URL:-}" ]; then
    echo '      receiver: heartbeat'
    echo '      group_wait: 0s'
    echo '      repeat_interval: 1m'
  else
    echo '      receiver: none'
  fi
  if [ -n "${ALERTS_OFF:-}" ]; then
    echo '    - receiver: none'
    echo "      matchers: [$(quoted "alertname=~\"$(printf '%s' "$ALERTS_OFF" | tr -d ' ' | tr , '|')\"")]"
  fi
  echo '    - matchers: [severity="page"]'
  echo '      receiver: operator'
  echo '      repeat_interval: 1h'

  # What follows from another alert is not sent as well.
  echo 'inhibit_rules:'
  echo '  - source_matchers: [alertname="NoServer"]'
  echo '    target_matchers: [alertname=~"InstancesGone|InstanceMissing", job="server"]'
  echo '  - source_matchers: [alertname="NoWorker"]'
  echo '    target_matchers: [alertname=~"InstancesGone|InstanceMissing", job="worker"]'
  echo '  - source_matchers: [alertname="PostgresDown"]'
  echo '    target_matchers: [alertname=~"ServerErrors|ScheduledTaskFails|JobsFail|PoolExhausted"]'

  echo 'receivers:'
  echo '  - name: none'
  if [ -n "${ALERT_HEARTBEAT_URL:-}" ]; then
    echo '  - name: heartbeat'
    echo '    webhook_configs:'
    echo "      - { url: $(quoted "$ALERT_HEARTBEAT_URL"), send_resolved: false }"
  fi
  echo '  - name: operator'
  if [ -n "${ALERT_WEBHOOK_URL:-}" ]; then
    echo '    webhook_configs:'
    echo "      - url: $(quoted "$ALERT_WEBHOOK_URL")"
  fi
  if [ -n "${ALERT_EMAIL_TO:-}" ]; then
    echo '    email_configs:'
    echo "      - to: $(quoted "$ALERT_EMAIL_TO")"
    echo "        from: $(quoted "$ALERT_EMAIL_FROM")"
    echo "        smarthost: $(quoted "$ALERT_SMTP_HOST")"
    echo '        send_resolved: true'
    if [ -n "${ALERT_SMTP_USER:-}" ]; then
      echo "        auth_username: $(quoted "$ALERT_SMTP_USER")"
      echo "        auth_password: $(quoted "${ALERT_SMTP_PASSWORD:-}")"
    fi
  fi
} >"$file"

exec "$@"
