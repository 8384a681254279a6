#!/usr/bin/env bash
# make.sh FOLDER: makes the base images that Dockerfile and docker-compose.yml name, for machines
# that reach Debian's packages but no image registry: one Debian root file system with Postgres and
# Redis from Debian's packages and this machine's Node, imported under each name. Images that exist
# already are left alone. As root, with a running Docker engine and debootstrap.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../../.."
folder=$1
root=$folder/rootfs

mapfile -t compose < <(sed -nE "s/^ +image: ((postgres|redis):[^ ]+)$/\1/p" docker-compose.yml)
node=node:$(sed -nE 's/^ARG NODE_VERSION=(.+)$/\1/p' Dockerfile)-bookworm-slim
missing=()
for image in "$node" "${compose[@]}"; do docker image inspect "$image" >/dev/null 2>&1 || missing+=("$image"); done
[ ${#missing[@]} -gt 0 ] || exit 0

# The mirror from which this machine's apt gets Debian, whichever file names it.
mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Codename: bookworm' | sort -u | head -n 1)
mkdir -p "$folder"
debootstrap --variant=minbase --include=ca-certificates,postgresql-15,redis-server \
  bookworm "$root" "$mirror" >"$folder/debootstrap.log" 2>&1 ||
  { tail -n 20 "$folder/debootstrap.log" >&2; exit 1; }

# This machine's Node and npm, with its settings and certificates, so that npm reaches the packages
# as it does here.
modules=$(npm root --global)
mkdir -p "$root/usr/local/lib/node_modules"
cp "$(node -p process.execPath)" "$root/usr/local/bin/node"
cp -a "$modules/npm" "$root/usr/local/lib/node_modules/"
ln -sf ../lib/node_modules/npm/bin/npm-cli.js "$root/usr/local/bin/npm"
ln -sf ../lib/node_modules/npm/bin/npx-cli.js "$root/usr/local/bin/npx"
cp /etc/ssl/certs/ca-certificates.crt "$root/etc/ssl/certs/"
[ ! -f ~/.npmrc ] || cp ~/.npmrc "$root/root/.npmrc"

# Users and permissions as the official images have them.
chroot "$root" useradd --create-home --uid 1000 node
mkdir -p "$root/data"
chroot "$root" chown redis:redis /data
chroot "$root" chown postgres:postgres /var/lib/postgresql
chmod 3777 "$root/run/postgresql"
install -m 755 e2e/resilience/container-images/postgres-entrypoint.sh "$root/usr/local/bin/"

# import NAME CHANGE...
import() {
  local image=$1 changes=(--change 'ENV PATH=/usr/lib/postgresql/15/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin')
  shift
  for change in "$@"; do changes+=(--change "$change"); done
  tar -C "$root" --create . | docker import "${changes[@]}" - "$image" >/dev/null
}
for image in "${missing[@]}"; do
  case $image in
    node:*) import "$image" 'ENV NODE_EXTRA_CA_CERTS=/etc/ssl/certs/ca-certificates.crt' ;;
    postgres:*) import "$image" 'ENTRYPOINT ["postgres-entrypoint.sh"]' ;;
    # The official image is built without protected mode, so that other containers can connect.
    redis:*) import "$image" 'WORKDIR /data' 'ENTRYPOINT ["sh", "-c", "exec \"$0\" \"$@\" --protected-mode no"]' ;;
  esac
done
rm -rf "$root"
