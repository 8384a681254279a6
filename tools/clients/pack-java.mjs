// Packs the Java client: `node tools/clients/pack-java.mjs FOLDER` writes a jar and prints its name. The jar has the
// sources beside the classes, for editors. Without javac it has the sources alone, which a compiler finds as well.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

const root = fileURLToPath(new URL('../..', import.meta.url));
const client = join(root, 'sdk/java');
// A compiler that works for seconds need not optimize itself.
const JVM = ['-J-XX:TieredStopAtLevel=1', '-J-XX:+UseSerialGC'];
const OPTIONS = ['-Xlint:all', '-Werror', '--release', '11', '-encoding', 'UTF-8'];
/** January 1, 1980, and times of day in units of two seconds: javac takes the newer of a class and its source. */
const DATE = 0x21;
const SOURCE_TIME = 0;
const CLASS_TIME = 1;

const output = process.argv[2];
if (!output) throw new Error('Name the folder to write to.');
const pom = readFileSync(join(client, 'pom.xml'), 'utf8');
const [, version] = /<version>([\d.]+)<\/version>/.exec(pom);
const manifest = `Manifest-Version: 1.0
Automatic-Module-Name: io.pennytext
Implementation-Title: Pennytext
Implementation-Version: ${version}

`;
const sources = ['src/main/java', 'src/generated/java'].flatMap((folder) => filesIn(join(client, folder), SOURCE_TIME));
sources.sort((a, b) => (a.name < b.name ? -1 : 1));
const name = `pennytext-${version}.jar`;
mkdirSync(output, { recursive: true });
writeFileSync(
  join(output, name),
  zipOf([
    { name: 'META-INF/MANIFEST.MF', content: Buffer.from(manifest), time: SOURCE_TIME },
    { name: 'META-INF/LICENSE', content: readFileSync(join(root, 'LICENSE')), time: SOURCE_TIME },
    { name: 'META-INF/maven/io.pennytext/pennytext/pom.xml', content: Buffer.from(pom), time: SOURCE_TIME },
    ...sources,
    ...compiled(sources.map(({ path }) => path)),
  ]),
);
process.stdout.write(`${name}\n`);

/** Files of a package by their names in it. */
function filesIn(folder, time) {
  const names = readdirSync(folder, { recursive: true }).filter((path) => /\.(java|class)$/.test(path));
  return names.map((path) => {
    const file = join(folder, path);
    return { name: path.replaceAll('\\', '/'), path: file, content: readFileSync(file), time };
  });
}

/** Classes of the sources; none without javac. Throws for a warning. */
function compiled(paths) {
  const folder = mkdtempSync(join(tmpdir(), 'pennytext-java-'));
  try {
    const { error, status, stderr } = spawnSync('javac', [...JVM, ...OPTIONS, '-d', folder, ...paths], {
      encoding: 'utf8',
    });
    if (error?.code === 'ENOENT') {
      process.stderr.write('There is no javac: the jar has the sources alone.\n');
      return [];
    }
    if (status !== 0) throw new Error(stderr);
    const classes = filesIn(folder, CLASS_TIME);
    return classes.sort((a, b) => (a.name < b.name ? -1 : 1));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** A zip file (PKWARE, APPNOTE.TXT). The same sources become the same bytes. */
function zipOf(entries) {
  const parts = [];
  const directory = [];
  let offset = 0;
  for (const { name: entry, content, time } of entries) {
    // The trailer of gzip has the CRC-32 that a zip file needs too (RFC 1952, section 2.3).
    const gzip = gzipSync(content, { level: 9 });
    const deflated = gzip.subarray(10, -8);
    const nameBytes = Buffer.from(entry);
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0); // Version 2.0 unpacks it.
    common.writeUInt16LE(0x800, 2); // The name is UTF-8.
    common.writeUInt16LE(8, 4); // Deflated.
    common.writeUInt16LE(time, 6);
    common.writeUInt16LE(DATE, 8);
    common.writeUInt32LE(gzip.readUInt32LE(gzip.length - 8), 10);
    common.writeUInt32LE(deflated.length, 14);
    common.writeUInt32LE(content.length, 18);
    common.writeUInt16LE(nameBytes.length, 22);
    const place = Buffer.alloc(14);
    place.writeUInt32LE(offset, 10);
    directory.push(Buffer.from('PK\x01\x02\x14\x00', 'latin1'), common, place, nameBytes);
    const local = [Buffer.from('PK\x03\x04', 'latin1'), common, nameBytes, deflated];
    parts.push(...local);
    offset += local.reduce((sum, part) => sum + part.length, 0);
  }
  const central = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(entries.length, 8);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(central.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...parts, central, end]);
}
