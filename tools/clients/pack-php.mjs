// Packs the PHP client for Composer: `node tools/clients/pack-php.mjs FOLDER` writes a zip there and prints its name.
// Node writes the zip itself, so that a build needs no PHP; the same sources make the same bytes.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { zip } from './archives.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const sources = join(root, 'sdk/php');
const { version } = JSON.parse(readFileSync(join(sources, 'composer.json'), 'utf8'));
const output = process.argv[2] ?? '.';
const name = `pennytext-php-${version}.zip`;
const paths = ['composer.json', 'README.md', ...phpFilesIn('src')];
const files = [
  ...paths.map((path) => [path, readFileSync(join(sources, path))]),
  ['LICENSE', readFileSync(join(root, 'LICENSE'))],
];
mkdirSync(output, { recursive: true });
writeFileSync(join(output, name), zip(files));
process.stdout.write(`${name}\n`);

function phpFilesIn(folder) {
  const entries = readdirSync(join(sources, folder), { withFileTypes: true });
  return entries
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => (entry.isDirectory() ? phpFilesIn(`${folder}/${entry.name}`) : `${folder}/${entry.name}`));
}
