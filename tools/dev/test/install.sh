#!/usr/bin/env bash
# Installs the programs that the tests need and this machine lacks: redis-server, pgbouncer, a
# browser, and on Debian promtool, amtool, Prometheus and Alertmanager. It uses apt-get as root on
# Debian, Homebrew on macOS; elsewhere it names what to install. The services themselves are not
# started.
set -euo pipefail
PATH=$PATH:/usr/sbin

has() { command -v "$1" >/dev/null; }
isDebian=false
if [ "$(id -u)" = 0 ] && has apt-get; then isDebian=true; fi

missing=()
has redis-server || has valkey-server || missing+=(redis)
has "${PGBOUNCER_PATH:-pgbouncer}" || missing+=(pgbouncer)
[ -e '/Applications/Google Chrome.app' ] || [ -e '/Applications/Chromium.app' ] ||
  has "${CHROMIUM_PATH:-chromium-headless-shell}" || has chromium || has chromium-browser ||
  has google-chrome || missing+=(chromium)
if $isDebian; then
  has promtool || missing+=(prometheus)
  has amtool || missing+=(prometheus-alertmanager)
fi

# Tests do without these: the whole Chromium takes twice the processor time, and the tests of Firefox,
# of an SMPP peer by another author, of the clients in other languages, and of what an operator
# installs (nginx, Compose's file, systemd's units, the Helm chart) are skipped.
wanted=()
if $isDebian; then
  [ -n "${CHROMIUM_PATH:-}" ] || has chromium-headless-shell || wanted+=(chromium-headless-shell)
  has firefox-esr || wanted+=(firefox-esr)
  # The client programs with the server of the same version: backups, recovery, roles.
  has pg_dump || wanted+=(postgresql)
  has openssl || wanted+=(openssl)
  [ -e /usr/share/fonts/truetype/liberation ] || wanted+=(fonts-liberation)
  has nginx || wanted+=(nginx-light)
  # A sample without a package needs PHP's curl, Composer its zip.
  { has composer && php -r 'exit(extension_loaded("curl") && extension_loaded("zip") ? 0 : 1);'; } ||
    wanted+=(php-cli composer php-curl php-zip)
  has ruby || wanted+=(ruby)
  has docker-compose || wanted+=(docker-compose)
  has systemd-analyze || wanted+=(systemd)
  perl -MNet::SMPP -e 1 2>/dev/null || wanted+=(libnet-smpp-perl)
  for name in curl openssl; do has $name || wanted+=($name); done
  has go || wanted+=(golang-go)
  python3 -c 'import ensurepip' 2>/dev/null || wanted+=(python3-venv)
  has javac || wanted+=(default-jdk-headless)
  has helm || { has go && [ -e /usr/share/gocode/src/github.com/Masterminds/sprig ]; } ||
    wanted+=(golang-go golang-github-masterminds-sprig-dev golang-k8s-sigs-yaml-dev)
fi
[ $((${#missing[@]} + ${#wanted[@]})) -gt 0 ] || exit 0
echo "Installing ${missing[*]} ${wanted[*]}"

if $isDebian; then
  # Debian asks this script before a package starts its service; 101 forbids it (invoke-rc.d(8)).
  policy=/usr/sbin/policy-rc.d
  if [ ! -e $policy ]; then
    printf '#!/bin/sh\nexit 101\n' >$policy && chmod +x $policy
    trap 'rm -f $policy' EXIT
  fi
  install() { DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$@" >/dev/null; }
  apt-get update -qq || echo 'apt-get update failed: the packages known so far are tried.' >&2
  packages=("${missing[@]/%redis/redis-server}")
  # One call where all packages exist; else the packages that the tests require.
  install "${packages[@]/%chromium/chromium-headless-shell}" "${wanted[@]}" ||
    { echo "Not installed: ${wanted[*]}" >&2; [ ${#missing[@]} = 0 ] || install "${packages[@]}" fonts-liberation; }
elif has brew; then
  for name in "${missing[@]}"; do
    if [ "$name" = chromium ]; then npx playwright install chromium; else brew install --quiet "$name"; fi
  done
else
  echo "Please install ${missing[*]} and run the tests again." >&2
  exit 1
fi
