#!/bin/sh
# install.sh FOLDER: copies what production runs from this clone, where `npm ci && npm run build` has run, into
# a folder, and installs the packages that it needs there. The image and docs/systemd.md both use it: this is
# the one list of what runs. Neither the sandbox nor tests nor the tools of the build are in it.
set -eu
to=${1:?name the folder to install into}
cd "$(dirname "$0")/.."

# Each program is one file; dist/programs has the code that they share.
for path in dist/programs dist/server/main.js dist/worker/main.js dist/admin/main.js \
  dist/core/platform/database/migrate.js dist/web/client package.json package-lock.json; do
  mkdir -p "$to/$(dirname "$path")"
  cp -r "$path" "$to/$path"
done

npm ci --prefix "$to" --omit=dev --ignore-scripts --no-audit --no-fund
# TypeScript comes with a library that works without it; --omit=optional would leave out argon2's
# binary too. Node reads no types, source maps, sources of other languages and texts: half of all
# bytes.
rm -rf "$to/node_modules/typescript" "$to/node_modules/.bin" "$to/package-lock.json"
find "$to/node_modules" -type f \( -name '*.map' -o -name '*.ts' -o -name '*.mts' -o -name '*.cts' -o -name '*.md' \
  -o -name '*.tsbuildinfo' \) ! -iname 'licen[cs]e*' -delete
