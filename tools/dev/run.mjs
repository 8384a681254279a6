// `npm start`, `npm run dev`, `npm test`, `npm run test:citus`, `npm run bench`, `npm run costs` and `npm run chaos`:
// checks Node, builds when sources changed, runs the program.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from './build.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const nodeMinimum = [20, 19];
const programs = {
  start: 'tools/dev/main.js',
  dev: 'tools/dev/watch.js',
  test: 'tools/dev/test/main.js',
  citus: 'tools/dev/test/citus.js',
  bench: 'tools/bench/main.js',
  costs: 'tools/costs/main.js',
  chaos: 'e2e/resilience/chaos/main.js',
};

const [name = ''] = process.argv.splice(2, 1);
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < nodeMinimum[0] || (major === nodeMinimum[0] && minor < nodeMinimum[1])) {
  fail(
    `Pennytext needs Node ${nodeMinimum.join('.')} or newer; this is ${process.versions.node}. See https://nodejs.org.`,
  );
}
if (!existsSync(join(root, 'node_modules', 'typescript-native'))) {
  fail('The packages to build with are not installed: run `npm ci` (with its development dependencies) first.');
}
process.chdir(root);
const program = join(root, 'dist', programs[name]);
// For `dev`, the running `npm start` has built the product: another build would change its files.
const isBuilt = name === 'dev' ? existsSync(program) : await build(root);
if (!isBuilt && name === 'dev') fail('No `npm start` runs from this folder: run it in another terminal first.');
// The tests also run on what the compiler wrote in spite of errors: the failed build is one of
// their results.
if (!isBuilt && !(name === 'test' && existsSync(program))) {
  if (name === 'test') console.log('0 passed, 1 failed');
  fail('The build failed: see above.');
}
process.env.PENNYTEXT_BUILD_FAILED = isBuilt ? '' : 'true';
await import(pathToFileURL(program).href);

function fail(line) {
  console.error(line);
  process.exit(1);
}
