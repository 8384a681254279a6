// `npm run -s stats`: files and lines by folder, support code per product line, and the files behind
// each main path. It describes; nothing is shaped to please it.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const product = ['contract', 'core', 'server', 'worker', 'admin', 'web'];
const support = ['sandbox', 'tools'];
const folders = [...product, 'sdk', ...support, 'e2e'];
/** The file in which each path begins. */
const entries = {
  sendsms: 'server/api/send-sms.controller.ts',
  sendotp: 'server/api/otp.controller.ts',
  bulk: 'server/api/bulk.controller.ts',
  dispatch: 'worker/processors/dispatch.processor.ts',
  'receipt, reply': 'server/callbacks/twilio-callbacks.ts',
  webhook: 'worker/processors/webhook.processor.ts',
  checkout: 'server/dashboard/credits.controller.ts',
  payment: 'server/callbacks/stripe.controller.ts',
};

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
 * The files behind each path: all files that its entry reaches by imports of values, whether one
 * request runs them or not, without the contract, the platform, and files that only wire or map:
 * modules and entities.
 */
export function paths() {
  return Object.entries(entries).map(([name, entry]) => {
    const files = new Set([entry]);
    for (const file of files) for (const next of importsOf(file)) files.add(next);
    return { name, files: [...files].sort() };
  });
}

function importsOf(file) {
  return [...text(file).matchAll(/^import (?!type )([^;]*?)from '([#.][^']+)'/gms)].flatMap(([, names, name]) => {
    const isTypes = /^\{(\s*type \w+( as \w+)?,?)+\s*\}\s*$/.test(names);
    const target = (name.startsWith('#') ? name.slice(1) : join(dirname(file), name)).replace(/\.js$/, '.ts');
    return isTypes || /^(contract|core\/platform)\/|\.(module|entity)\.ts$/.test(target) ? [] : [target];
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
  const percent = ((supportCode[1] * 100) / productCode[1]).toFixed(1);
  console.log(`\nThe product has ${productCode[0] - migrations} files and ${migrations} migrations.`);
  console.log(`Support (${support.join(', ')}) is ${percent} % of product lines.\n`);
  console.log('Files behind each path: all that its first file reaches by imports of values, but for the contract,');
  console.log('the platform, modules and entities. One request runs a part of them.\n');
  for (const { name, files } of paths()) {
    console.log(`${name.padEnd(14)} ${String(files.length).padStart(3)} files`);
    if (process.argv.includes('--files')) for (const file of files) console.log(`             ${file}`);
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) print();
