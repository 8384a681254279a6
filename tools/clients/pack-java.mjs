// Packs the Java client: `node tools/clients/pack-java.mjs FOLDER` writes a jar and prints its name. The jar has the
// sources beside the classes, for editors. Without javac it has the sources alone, which a compiler finds as well.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { zip } from './archives.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const client = join(root, 'sdk/java');
// A compiler that works for seconds need not optimize itself.
const JVM = ['-J-XX:TieredStopAtLevel=1', '-J-XX:+UseSerialGC'];
const OPTIONS = ['-Xlint:all', '-Werror', '--release', '11', '-encoding', 'UTF-8'];
/** Times in the jar: javac takes the newer of a class and its source. */
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
  zip(
    [
      { name: 'META-INF/MANIFEST.MF', content: Buffer.from(manifest), time: SOURCE_TIME },
      { name: 'META-INF/LICENSE', content: readFileSync(join(root, 'LICENSE')), time: SOURCE_TIME },
      { name: 'META-INF/maven/io.pennytext/pennytext/pom.xml', content: Buffer.from(pom), time: SOURCE_TIME },
      ...sources,
      ...compiled(sources.map(({ path }) => path)),
    ].map((entry) => [entry.name, entry.content, entry.time]),
  ),
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
