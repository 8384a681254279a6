// Plain JavaScript, as Node 20 cannot run TypeScript: checks Node, builds when sources changed, then hands over.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { readStamp, sourceStamp, writeStamp } from './stamp.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const nodeMinimum = [20, 19];

/** Node's version as `[major, minor]` must be at least 20.19 (package.json `engines`). */
function checkNode() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if (major > nodeMinimum[0] || (major === nodeMinimum[0] && minor >= nodeMinimum[1])) return;
  fail(
    `Pennytext needs Node ${nodeMinimum.join('.')} or newer; this is ${process.versions.node}. See https://nodejs.org.`,
  );
}

function fail(line) {
  console.error(line);
  process.exit(1);
}

function run(script, args, folder = '.') {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [join(root, 'node_modules', script), ...args], { cwd: join(root, folder) });
    const output = [];
    child.stdout.on('data', (chunk) => output.push(chunk));
    child.stderr.on('data', (chunk) => output.push(chunk));
    child.on('close', (code) => resolve({ ok: code === 0, output: Buffer.concat(output).toString() }));
  });
}

/** The steps of `npm run build`, side by side. Answers whether `dist/` now matches the sources. */
async function build() {
  if (!existsSync(join(root, 'node_modules', 'typescript'))) {
    fail('The packages to build with are not installed: run `npm ci` (with its development dependencies) first.');
  }
  const stamp = sourceStamp(root);
  if (readStamp(root) === stamp) return true;
  console.log('Building …');
  const startedAtMs = Date.now();
  const results = await Promise.all([
    run('typescript/bin/tsc', ['-p', 'tsconfig.build.json']),
    // It finds its own files from inside of the folder alone.
    run('@react-router/dev/bin.js', ['build', '--logLevel', 'warn'], 'web'),
    run('vite/bin/vite.js', ['build', '--logLevel', 'warn', '--config', 'sandbox/vite.config.ts']),
  ]);
  const faults = results.filter((result) => !result.ok);
  for (const { output } of faults) console.error(output.trim());
  if (faults.length > 0) return false;
  writeStamp(root, stamp);
  console.log(`Built in ${((Date.now() - startedAtMs) / 1000).toFixed(1)} s`);
  return true;
}

/**
 * Runs `main` of dist/tools/dev/<program>.js with the arguments of the command line.
 * With `evenIfBroken` it also runs on what the compiler wrote in spite of errors, and is told so.
 */
export async function bootstrap(program, { evenIfBroken = false } = {}) {
  checkNode();
  process.chdir(root);
  const built = await build();
  const compiled = join(root, 'dist', 'tools', 'dev', `${program}.js`);
  if (!built && !(evenIfBroken && existsSync(compiled))) {
    if (evenIfBroken) console.log('0 passed, 1 failed');
    fail('The build failed: see above.');
  }
  const { main } = await import(pathToFileURL(compiled).href);
  await main({ root, built, args: process.argv.slice(2) });
}
