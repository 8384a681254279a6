import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';
import type { Config } from '@react-router/dev/config';
import { pagePaths, sitemap } from './build/pages.js';

const brotli = promisify(brotliCompress);
const zip = promisify(gzip);
// Fonts and images are already compressed.
const compressible = /\.(js|css|svg|json)$/;

/** Runs after React Router: writes the sitemap, removes files that are never requested, and compresses the assets. */
const finishBuild: NonNullable<Config['buildEnd']> = async ({ reactRouterConfig }) => {
  const client = join(reactRouterConfig.buildDirectory, 'client');
  await writeFile(join(client, 'sitemap.xml'), sitemap());
  // Every page has its own file, so no fallback is needed; the manifest is internal to Vite.
  for (const name of ['__spa-fallback.html', '.vite']) await rm(join(client, name), { recursive: true, force: true });
  await compressAssets(join(client, 'assets'));
  await preferPaint(client);
};

/** Pages show without scripts, so scripts must not delay style sheets and fonts: browsers load them with a low priority. */
async function preferPaint(client: string): Promise<void> {
  const names = (await readdir(client, { recursive: true })).filter((name) => name.endsWith('.html'));
  await Promise.all(
    names.map(async (name) => {
      const path = join(client, name);
      const html = await readFile(path, 'utf8');
      await writeFile(path, html.replaceAll('<link rel="modulepreload"', '$& fetchpriority="low"'));
    }),
  );
}

/** Writes `.br` and `.gz` beside each file, where @fastify/static looks for them. */
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

/**
 * The build writes an HTML file for every page to dist/web/client: public pages complete, dashboard pages in their
 * loading state. The server serves the pages it finds there.
 */
export default {
  appDirectory: 'src',
  buildDirectory: '../dist/web',
  ssr: false,
  prerender: [...pagePaths],
  buildEnd: finishBuild,
  future: {
    v8_middleware: true,
    v8_splitRouteModules: true,
    v8_viteEnvironmentApi: true,
    v8_passThroughRequests: true,
    v8_trailingSlashAwareDataRequests: true,
  },
} satisfies Config;
