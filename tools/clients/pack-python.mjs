// Writes the wheel and the source distribution of the Python client into a folder, and prints their
// names: `node tools/clients/pack-python.mjs FOLDER`. It needs no Python.
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { tarGz, zip } from './archives.mjs';

const folder = fileURLToPath(new URL('../../sdk/python', import.meta.url));
const output = process.argv[2] ?? 'dist/clients';
const read = (path) => readFileSync(join(folder, path));
const license = read('../../LICENSE');

const project = read('pyproject.toml').toString();
const field = (name) => new RegExp(`^${name} = "(.+)"$`, 'm').exec(project)[1];
const version = field('version');
if (!read('pennytext/_transport.py').includes(`\n__version__ = "${version}"\n`))
  throw new Error(`pennytext/_transport.py and pyproject.toml are of different versions.`);

const classifiers = [.../classifiers = \[([^\]]*)\]/.exec(project)[1].matchAll(/"([^"]+)"/g)].map(([, one]) => one);
const metadata = Buffer.from(
  [
    'Metadata-Version: 2.1',
    `Name: ${field('name')}`,
    `Version: ${version}`,
    `Summary: ${field('description')}`,
    'License: MIT',
    ...classifiers.map((one) => `Classifier: ${one}`),
    `Requires-Python: ${field('requires-python')}`,
    'Description-Content-Type: text/markdown',
    '',
    read('README.md'),
  ].join('\n'),
);
const wheel = Buffer.from('Wheel-Version: 1.0\nGenerator: pennytext\nRoot-Is-Purelib: true\nTag: py3-none-any\n');
const sources = readdirSync(join(folder, 'pennytext'))
  .filter((name) => /\.py$|^py\.typed$/.test(name))
  .sort((a, b) => (a < b ? -1 : 1))
  .map((name) => [`pennytext/${name}`, read(`pennytext/${name}`)]);

/** Names, hashes and sizes of the files (PEP 427). */
function recordOf(files, path) {
  const hashOf = (bytes) => createHash('sha256').update(bytes).digest('base64url');
  return Buffer.from(
    [...files.map(([name, bytes]) => `${name},sha256=${hashOf(bytes)},${bytes.length}`), `${path},,\n`].join('\n'),
  );
}

const base = `${field('name')}-${version}`;
const info = `${base}.dist-info`;
const installed = [...sources, [`${info}/METADATA`, metadata], [`${info}/LICENSE`, license], [`${info}/WHEEL`, wheel]];
const distributed = [
  ['PKG-INFO', metadata],
  ['WHEEL', wheel],
  ['LICENSE', license],
  ...['README.md', 'pyproject.toml', 'build_backend.py'].map((name) => [name, read(name)]),
  ...sources,
].map(([path, bytes]) => [[base, path].join('/'), bytes]);
const archives = {
  [`${base}-py3-none-any.whl`]: zip([...installed, [`${info}/RECORD`, recordOf(installed, `${info}/RECORD`)]]),
  [`${base}.tar.gz`]: tarGz(distributed),
};

mkdirSync(output, { recursive: true });
for (const [name, bytes] of Object.entries(archives)) {
  writeFileSync(join(output, name), bytes);
  process.stdout.write(`${name}\n`);
}
