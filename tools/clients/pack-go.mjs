// Packs the Go client as a module proxy serves it: `node tools/clients/pack-go.mjs FOLDER` writes the files below
// FOLDER/go, and prints their names. The protocol is at https://go.dev/ref/mod#goproxy-protocol.
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

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
  [`${version}.zip`]: zipOf(entries),
};
for (const [name, content] of Object.entries(files)) {
  const path = `go/${modulePath}/@v/${name}`;
  mkdirSync(join(output, dirname(path)), { recursive: true });
  writeFileSync(join(output, path), content);
  process.stdout.write(`${path}\n`);
}

/** A zip file whose entries are dated 1980, so that the same sources are the same bytes (PKWARE, APPNOTE.TXT). */
function zipOf(packed) {
  const parts = [];
  const directory = [];
  let offset = 0;
  for (const [name, content] of packed) {
    // The trailer of gzip has the CRC-32 that a zip file needs too (RFC 1952, section 2.3).
    const gzip = gzipSync(content, { level: 9 });
    const deflated = gzip.subarray(10, -8);
    const crc = gzip.readUInt32LE(gzip.length - 8);
    const nameBytes = Buffer.from(name);
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0); // Version 2.0 unpacks it.
    common.writeUInt16LE(8, 4); // Deflated.
    common.writeUInt16LE(0x21, 8); // January 1, 1980.
    common.writeUInt32LE(crc, 10);
    common.writeUInt32LE(deflated.length, 14);
    common.writeUInt32LE(content.length, 18);
    common.writeUInt16LE(nameBytes.length, 22);
    const local = [Buffer.from('PK\x03\x04'), common, nameBytes, deflated];
    const rest = Buffer.alloc(14);
    rest.writeUInt32LE(offset, 10);
    directory.push(Buffer.from('PK\x01\x02\x14\x00', 'latin1'), common, rest, nameBytes);
    parts.push(...local);
    offset += local.reduce((sum, part) => sum + part.length, 0);
  }
  const central = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(packed.length, 8);
  end.writeUInt16LE(packed.length, 10);
  end.writeUInt32LE(central.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...parts, central, end]);
}
