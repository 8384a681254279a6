// `npm run -s stats`: files and lines by folder, support code per product line, and the files that
// five paths go through.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const product = ['contract', 'core', 'server', 'worker', 'admin', 'web'];
const support = ['sandbox', 'tools'];
const folders = [...product, 'sdk', ...support, 'e2e'];
const productFilesMax = 450;
const supportPercentMax = 40;

const text = (file) => readFileSync(join(root, file), 'utf8');
const isMigration = (file) => /\/migrations\/[^/]+$/.test(file);
const isTest = (file) => /\.spec\.tsx?$|\/testing\//.test(file) || file.startsWith('e2e/');

/** Files and lines of TypeScript and JavaScript by folder and kind. */
function sizes() {
  const listed = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '-z', ...folders], { cwd: root });
  const rows = new Map();
  for (const file of listed.toString().split('\0')) {
    if (!/\.(ts|tsx|mjs|js|cjs)$/.test(file) || !existsSync(join(root, file))) continue;
    const [folder] = file.split('/');
    const row = rows.get(folder) ?? { code: [0, 0], tests: [0, 0], migrations: 0 };
    const counts = isTest(file) ? row.tests : row.code;
    if (!isTest(file) && isMigration(file)) row.migrations += 1;
    counts[0] += 1;
    counts[1] += text(file).split('\n').length - 1;
    rows.set(folder, row);
  }
  return rows;
}

/**
 * The files that each path of tools/paths.json goes through: those its entries reach by imports
 * within its folders.
 */
export function paths() {
  return Object.entries(JSON.parse(text('tools/paths.json'))).map(([name, { entries, within }]) => {
    const files = new Set(entries);
    for (const file of files) {
      for (const next of importsOf(file)) if (within.some((prefix) => next.startsWith(prefix))) files.add(next);
    }
    const named = [...entries, ...within];
    return { name, files: [...files], missing: named.filter((path) => !existsSync(join(root, path))) };
  });
}

/** Files whose values a file imports; types and wiring are not steps of a path. */
function importsOf(file) {
  if (!existsSync(join(root, file))) return [];
  return [...text(file).matchAll(/^import (?!type )([^;]*?)from '([#.][^']+)'/gms)].flatMap(([, names, name]) => {
    const isTypes = /^\{(\s*type \w+,?)+\s*\}\s*$/.test(names);
    const target = (name.startsWith('#') ? name.slice(1) : join(dirname(file), name)).replace(/\.js$/, '.ts');
    return isTypes || /\.(module|entity)\.ts$/.test(target) ? [] : [target];
  });
}

function sum(rows, names, kind) {
  const counts = names.map((name) => rows.get(name)?.[kind] ?? [0, 0]);
  return counts.reduce(([files, lines], [moreFiles, moreLines]) => [files + moreFiles, lines + moreLines], [0, 0]);
}

function print() {
  const rows = sizes();
  const cell = ([files, lines]) => `${String(files).padStart(6)}${String(lines).padStart(8)}`;
  console.log(
    `${'folder'.padEnd(10)} ${'files'.padStart(6)}${'lines'.padStart(8)}  ${'tests'.padStart(6)}${'lines'.padStart(8)}`,
  );
  for (const folder of folders) {
    const row = rows.get(folder);
    if (row) console.log(`${folder.padEnd(10)} ${cell(row.code)}  ${cell(row.tests)}`);
  }
  const [productCode, supportCode] = [sum(rows, product, 'code'), sum(rows, support, 'code')];
  console.log(`${'product'.padEnd(10)} ${cell(productCode)}  ${cell(sum(rows, product, 'tests'))}`);
  console.log(`${'support'.padEnd(10)} ${cell(supportCode)}  ${cell(sum(rows, support, 'tests'))}`);
  const migrations = product.reduce((count, name) => count + (rows.get(name)?.migrations ?? 0), 0);
  console.log(
    `\nThe product has ${productCode[0] - migrations} files and ${migrations} migrations, which are ` +
      `never edited; the limit of files is ${productFilesMax}.`,
  );
  const percent = ((supportCode[1] * 100) / productCode[1]).toFixed(1);
  console.log(
    `Support (${support.join(', ')}) is ${percent} % of product lines; the limit is ${supportPercentMax} %.\n`,
  );
  for (const { name, files, missing } of paths()) {
    console.log(`${name.padEnd(10)} ${String(files.length).padStart(3)} files`);
    for (const path of missing) console.log(`           ✗ ${path} does not exist`);
    if (process.argv.includes('--files')) for (const file of files) console.log(`             ${file}`);
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) print();
