// Packs the Go client as a module proxy serves it: `node tools/clients/pack-go.mjs FOLDER` writes the files below
// FOLDER/go, and prints their names. The protocol is at https://go.dev/ref/mod#goproxy-protocol.
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { zip } from './archives.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const source = join(root, 'sdk/go');
const output = process.argv[2];
if (!output) throw new Error('Name the folder to write to.');

const goMod = readFileSync(join(source, 'go.mod'), 'utf8');
const [, modulePath] = /^module (\S+)$/m.exec(goMod);
const [, number] = /^const version = "([\d.]+)"$/m.exec(readFileSync(join(source, 'client.go'), 'utf8'));
const version = `v${number}`;
const names = readdirSync(source).filter(
  (name) => /\.go$|^go\.mod$|^README\.md$/.test(name) && !name.endsWith('_test.go'),
);
const paths = [...names.map((name) => join(source, name)), join(root, 'LICENSE')];
const entries = paths.map((path) => [`${modulePath}@${version}/${path.split('/').at(-1)}`, readFileSync(path)]);

const files = {
  list: `${version}\n`,
  [`${version}.info`]: JSON.stringify({ Version: version }),
  [`${version}.mod`]: goMod,
  [`${version}.zip`]: zip(entries),
};
for (const [name, content] of Object.entries(files)) {
  const path = `go/${modulePath}/@v/${name}`;
  mkdirSync(join(output, dirname(path)), { recursive: true });
  writeFileSync(join(output, path), content);
  process.stdout.write(`${path}\n`);
}
