#!/usr/bin/env bash
# Installs the programs that the tests need and this machine lacks: redis-server, pgbouncer and Chromium. With apt-get as root on Debian, with
# Homebrew on macOS; elsewhere it names what to install. The services themselves are not started.
set -euo pipefail
PATH=$PATH:/usr/sbin

missing=()
command -v redis-server >/dev/null || command -v valkey-server >/dev/null || missing+=(redis)
command -v "${PGBOUNCER_PATH:-pgbouncer}" >/dev/null || missing+=(pgbouncer)
[ -e '/Applications/Google Chrome.app' ] || [ -e '/Applications/Chromium.app' ] ||
  command -v "${CHROMIUM_PATH:-chromium}" >/dev/null || command -v chromium-browser >/dev/null || command -v google-chrome >/dev/null ||
  missing+=(chromium)
[ ${#missing[@]} -gt 0 ] || exit 0
echo "Installing ${missing[*]}"

if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
  # Debian asks this script before a package starts its service; 101 forbids it (invoke-rc.d(8)).
  policy=/usr/sbin/policy-rc.d
  if [ ! -e $policy ]; then
    printf '#!/bin/sh\nexit 101\n' >$policy && chmod +x $policy
    trap 'rm -f $policy' EXIT
  fi
  packages=("${missing[@]/%redis/redis-server}")
  apt-get update -qq
  DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${packages[@]}" fonts-liberation >/dev/null
elif command -v brew >/dev/null; then
  for name in "${missing[@]}"; do
    if [ "$name" = chromium ]; then npx playwright install chromium; else brew install --quiet "$name"; fi
  done
else
  echo "Please install ${missing[*]} and run the tests again." >&2
  exit 1
fi
