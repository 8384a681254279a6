// Plain JavaScript, as Node 20 cannot run TypeScript.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const sources = [
  'contract core server worker admin sandbox tools web e2e/resilience/chaos'.split(' '),
  'package.json package-lock.json nest-cli.json tsconfig.base.json tsconfig.build.json LICENSE'.split(' '),
  'build.mjs package.json tsconfig.json README.md src'.split(' ').map((name) => `sdk/typescript/${name}`),
  // Clients in other languages, which the site serves too.
  'go java php python ruby'.split(' ').map((language) => `sdk/${language}`),
].flat();

/** A hash of the names and contents of everything the build reads; tests do not count. */
export function sourceStamp(root) {
  const hash = createHash('sha256');
  const add = (path) => {
    const stat = statSync(join(root, path), { throwIfNoEntry: false });
    if (stat?.isDirectory()) {
      for (const name of readdirSync(join(root, path)).sort()) if (!name.startsWith('.')) add(join(path, name));
    } else if (stat && !/\.spec\.tsx?$/.test(path)) {
      hash.update(`${path}\0${stat.size}\0`).update(readFileSync(join(root, path)));
    }
  };
  for (const path of sources) add(path);
  return hash.digest('hex');
}

/**
 * Runs the steps of `npm run build`, without checking types, side by side unless `dist/` matches
 * the sources. Returns whether it does now.
 */
export async function build(root) {
  const stamp = sourceStamp(root);
  const stampFile = join(root, 'dist', '.stamp');
  if (existsSync(stampFile) && readFileSync(stampFile, 'utf8') === stamp) return true;
  console.log('Building …');
  const startedAtMs = Date.now();
  const results = await Promise.all([
    programs(root),
    // The site serves the clients.
    pages(root, 'web')
      .then((site) => (site.ok ? run(root, 'sdk/typescript/build.mjs', []) : site))
      .then((typescript) => (typescript.ok ? run(root, 'tools/clients/pack.mjs', []) : typescript)),
    pages(root, 'sandbox'),
  ]);
  const failures = results.filter((result) => !result.ok);
  for (const { output } of failures) console.error(output.trim());
  if (failures.length > 0) return false;
  mkdirSync(join(root, 'dist'), { recursive: true });
  writeFileSync(stampFile, stamp);
  console.log(`Built in ${((Date.now() - startedAtMs) / 1000).toFixed(1)} s`);
  return true;
}

function pages(root, folder) {
  const options = ['build', '--logLevel', 'warn', '--config', `${folder}/vite.config.ts`];
  return run(root, 'node_modules/vite/bin/vite.js', options);
}

/** Types are a check of `npm test` and of `npm run build`. */
async function programs(root) {
  const compiled = await run(root, 'node_modules/typescript-native/bin/tsc', [
    '-p',
    'tsconfig.build.json',
    '--noCheck',
  ]);
  return compiled.ok ? run(root, 'tools/dev/bundle.mjs', []) : compiled;
}

function run(root, script, args) {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [join(root, script), ...args], { cwd: root });
    const output = [];
    child.stdout.on('data', (chunk) => output.push(chunk));
    child.stderr.on('data', (chunk) => output.push(chunk));
    child.on('close', (code) => resolve({ ok: code === 0, output: Buffer.concat(output).toString() }));
  });
}
