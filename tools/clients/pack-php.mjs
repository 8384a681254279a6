// Packs the PHP client for Composer: `node tools/clients/pack-php.mjs FOLDER` writes a zip there and prints its name.
// Node writes the zip itself, so that a build needs no PHP; the same sources make the same bytes.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { crc32, deflateRawSync } from 'node:zlib';

/** 1 January 1980, the first day that a zip knows. */
const DATE = 0x21;
const UTF_8_NAMES = 0x800;
const DEFLATED = 8;
const VERSION_NEEDED = 20;
const MADE_BY_UNIX = 0x314;
const MODE = 0o100644 * 0x10000;

const root = fileURLToPath(new URL('../..', import.meta.url));
const sources = join(root, 'sdk/php');
const { version } = JSON.parse(readFileSync(join(sources, 'composer.json'), 'utf8'));
const output = process.argv[2] ?? '.';
const name = `pennytext-php-${version}.zip`;
const paths = ['composer.json', 'README.md', ...phpFilesIn('src')];
const files = [
  ...paths.map((path) => ({ path, bytes: readFileSync(join(sources, path)) })),
  { path: 'LICENSE', bytes: readFileSync(join(root, 'LICENSE')) },
];
mkdirSync(output, { recursive: true });
writeFileSync(join(output, name), zipOf(files));
process.stdout.write(`${name}\n`);

function phpFilesIn(folder) {
  const entries = readdirSync(join(sources, folder), { withFileTypes: true });
  return entries
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => (entry.isDirectory() ? phpFilesIn(`${folder}/${entry.name}`) : `${folder}/${entry.name}`));
}

/** Writes local headers with their data, the central directory, and its end (APPNOTE.TXT of PKWARE, section 4.3). */
function zipOf(entries) {
  const locals = [];
  const directory = [];
  let offset = 0;
  for (const { path, bytes } of entries) {
    const packed = deflateRawSync(bytes, { level: 9 });
    const pathBytes = Buffer.from(path);
    const facts = Buffer.alloc(26);
    [VERSION_NEEDED, UTF_8_NAMES, DEFLATED, 0, DATE].forEach((value, n) => facts.writeUInt16LE(value, n * 2));
    [crc32(bytes), packed.length, bytes.length].forEach((value, n) => facts.writeUInt32LE(value, 10 + n * 4));
    facts.writeUInt16LE(pathBytes.length, 22);
    const place = Buffer.alloc(14);
    place.writeUInt32LE(MODE, 6);
    place.writeUInt32LE(offset, 10);
    const local = Buffer.concat([Buffer.from('PK\u0003\u0004'), facts, pathBytes, packed]);
    directory.push(Buffer.from('PK\u0001\u0002'), uint16(MADE_BY_UNIX), facts, place, pathBytes);
    locals.push(local);
    offset += local.length;
  }
  const bytes = Buffer.concat(directory).length;
  const end = Buffer.alloc(22);
  end.write('PK\u0005\u0006', 'latin1');
  end.writeUInt16LE(entries.length, 8);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(bytes, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...locals, ...directory, end]);
}

function uint16(value) {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16LE(value);
  return bytes;
}
