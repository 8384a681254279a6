// Builds the published package into its folder dist: the client as ESM and CommonJS with its types, and
// the command line for Node.
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

const folder = fileURLToPath(new URL('.', import.meta.url));
const dist = `${folder}dist`;

rmSync(dist, { recursive: true, force: true });
await bundleClient();
await bundleCli();
bundleTypes();
// npm shows the license beside README.md, at the root of the package.
copyFileSync(`${folder}../../LICENSE`, `${folder}LICENSE`);
servePackage();

/** Packs the package into the built site: customers install it from there, in the version of its API. */
function servePackage() {
  const site = fileURLToPath(new URL('../../dist/web/client', import.meta.url));
  if (!existsSync(site)) return;
  const pack = ['pack', folder, '--pack-destination', dist, '--silent', '--ignore-scripts'];
  const { status } = spawnSync('npm', pack, { stdio: 'inherit' });
  if (status !== 0) process.exit(1);
  const { name, version } = JSON.parse(readFileSync(`${folder}package.json`, 'utf8'));
  renameSync(`${dist}/${name}-${version}.tgz`, `${site}/${name}.tgz`);
}

/** One file for each format: a page can load the client as it is, which needs no Node. */
async function bundleClient() {
  const bundle = await rolldown({ input: `${folder}src/index.ts`, platform: 'neutral' });
  await bundle.write({ file: `${dist}/index.js`, format: 'es' });
  await bundle.write({ file: `${dist}/index.cjs`, format: 'cjs' });
  await bundle.close();
}

/**
 * The package has no dependencies: it contains the code that the command line needs, and only the
 * command `mcp` loads the code of `mcp`.
 */
async function bundleCli() {
  const bundle = await rolldown({ input: { cli: `${folder}src/cli/main.ts` }, platform: 'node' });
  const { output } = await bundle.write({
    dir: dist,
    format: 'es',
    entryFileNames: '[name].js',
    chunkFileNames: 'cli-[name].js',
  });
  await bundle.close();
  chmodSync(`${dist}/cli.js`, 0o755);
  writeLicenses(output.flatMap((chunk) => ('moduleIds' in chunk ? chunk.moduleIds : [])));
}

/** The licenses of the packages whose code is part of the command line. */
function writeLicenses(moduleIds) {
  const packages = new Set(moduleIds.flatMap((id) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(id)?.[0] ?? []));
  const texts = [...packages]
    .sort((a, b) => a.localeCompare(b))
    .map((path) => {
      const { name, version, license } = JSON.parse(readFileSync(join(path, 'package.json'), 'utf8'));
      const file = readdirSync(path).find((entry) => /^licen[cs]e/i.test(entry));
      const text = file ? readFileSync(join(path, file), 'utf8').trim() : license;
      return `${name} ${version}\n\n${text}\n`;
    });
  writeFileSync(`${dist}/THIRD-PARTY-LICENSES.txt`, texts.join('\n----\n\n'));
}

/**
 * One declaration file for each format: the declarations of all sources, without the imports
 * between them.
 */
function bundleTypes() {
  const tsc = fileURLToPath(new URL('../../node_modules/typescript-native/bin/tsc', import.meta.url));
  const { status } = spawnSync(process.execPath, [tsc, '-p', `${folder}tsconfig.json`], { stdio: 'inherit' });
  if (status !== 0) process.exit(1);
  const names = [
    'api-types',
    'message-types',
    'bulk-types',
    'error-types',
    'event-types',
    'errors',
    'pages',
    'webhooks',
    'transport',
    'events',
    'media',
    'client',
  ];
  const types = names.map((name) =>
    readFileSync(`${dist}/types/${name}.d.ts`, 'utf8').replace(/^import [^;]+;\n/gm, ''),
  );
  for (const name of ['index.d.ts', 'index.d.cts']) writeFileSync(`${dist}/${name}`, types.join('\n'));
  rmSync(`${dist}/types`, { recursive: true });
}
