import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';
import type { Config } from '@react-router/dev/config';
import { sitemap } from './sitemap.js';

const brotli = promisify(brotliCompress);
const zip = promisify(gzip);
// Fonts and pictures are compressed already.
const compressible = /\.(js|css|svg|json)$/;

/** After React Router: writes what is made of all pages, takes away what nobody asks for, and compresses what never changes. */
export const finishBuild: NonNullable<Config['buildEnd']> = async ({ reactRouterConfig }) => {
  const client = join(reactRouterConfig.buildDirectory, 'client');
  await writeFile(join(client, 'sitemap.xml'), sitemap());
  // Every page has a file of its own, so nothing falls back; the manifest is Vite's own note.
  for (const name of ['__spa-fallback.html', '.vite']) await rm(join(client, name), { recursive: true, force: true });
  await compressAssets(join(client, 'assets'));
};

/** Puts `.br` and `.gz` beside each file, as @fastify/static looks for them. */
async function compressAssets(folder: string): Promise<void> {
  const names = (await readdir(folder)).filter((name) => compressible.test(name));
  await Promise.all(
    names.map(async (name) => {
      const path = join(folder, name);
      const content = await readFile(path);
      const [br, gz] = await Promise.all([brotli(content), zip(content, { level: 9 })]);
      await Promise.all([writeFile(`${path}.br`, br), writeFile(`${path}.gz`, gz)]);
    }),
  );
}
