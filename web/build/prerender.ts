import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';
import type { Manifest, Plugin, ViteDevServer } from 'vite';
import type * as Renderer from '../src/entry.server.js';

const brotli = promisify(brotliCompress);
const zip = promisify(gzip);
// Fonts and images are already compressed.
const compressible = /\.(js|css|svg|json)$/;

const CLIENT = '../dist/web/client';
const RENDERER = '../dist/web/renderer';
const ENTRY = 'src/entry.client.tsx';
const RENDERER_ENTRY = 'src/entry.server.tsx';

/**
 * Builds the code of the browser and the renderer, then writes an HTML file for every page to
 * dist/web/client: public pages complete, dashboard pages in their loading state. The server serves
 * the pages it finds there.
 */
export function prerender(): Plugin {
  return {
    name: 'prerender',
    config: () => ({
      appType: 'custom',
      builder: {},
      environments: {
        client: { build: { outDir: CLIENT, manifest: true, rolldownOptions: { input: ENTRY } } },
        ssr: { build: { outDir: RENDERER, copyPublicDir: false, rolldownOptions: { input: RENDERER_ENTRY } } },
      },
    }),
    buildApp: async (builder) => {
      const { client, ssr } = builder.environments;
      if (!client || !ssr) throw new Error('Vite has no environments `client` and `ssr`');
      await Promise.all([builder.build(client), builder.build(ssr)]);
      const { root } = builder.config;
      await writePages(join(root, CLIENT), join(root, RENDERER));
      await compressAssets(join(root, CLIENT, 'assets'));
    },
    configureServer: (server) => () => servePages(server),
  };
}

async function writePages(client: string, rendererFolder: string): Promise<void> {
  const rendererFile = pathToFileURL(join(rendererFolder, 'entry.server.js')).href;
  const renderer = (await import(rendererFile)) as typeof Renderer;
  const manifest = JSON.parse(await readFile(join(client, '.vite/manifest.json'), 'utf8')) as Manifest;
  const write = async (path: string, text: string) => {
    await mkdir(dirname(join(client, path)), { recursive: true });
    await writeFile(join(client, path), text);
  };
  for (const [path, text] of renderer.textFiles()) await write(path, text);
  for (const path of renderer.pagePaths) {
    const assets = assetsOf(manifest, [ENTRY, ...renderer.sourcesAt(path)]);
    await write(`${path}/index.html`, await renderer.renderPage(path, assets));
  }
  // The server serves neither folder.
  for (const folder of [rendererFolder, join(client, '.vite')]) await rm(folder, { recursive: true });
}

/** Returns the files that the browser needs for the sources; styles in import order. */
function assetsOf(manifest: Manifest, sources: readonly string[]): Renderer.Assets {
  const modules = new Set<string>();
  const styles = new Set<string>();
  const add = (name: string): void => {
    const chunk = manifest[name];
    if (!chunk) throw new Error(`The build has no ${name}`);
    if (modules.has(chunk.file)) return;
    modules.add(chunk.file);
    for (const imported of chunk.imports ?? []) add(imported);
    for (const style of chunk.css ?? []) styles.add(style);
  };
  for (const source of sources) add(source);
  const [entry = '', ...others] = [...modules].map((file) => `/${file}`);
  return { entry, modules: others, styles: [...styles].map((file) => `/${file}`) };
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

/** In development: renders each page when it is requested. */
function servePages(server: ViteDevServer): void {
  const answer = async (path: string): Promise<{ readonly type: string; readonly body: string }> => {
    const renderer = (await server.ssrLoadModule(RENDERER_ENTRY)) as typeof Renderer;
    const text = renderer.textFiles().get(path);
    if (text !== undefined) return { type: path.endsWith('.json') ? 'application/json' : 'text/plain', body: text };
    const html = await renderer.renderPage(path, { entry: `/${ENTRY}`, modules: [], styles: [] });
    return { type: 'text/html', body: await server.transformIndexHtml(path, html) };
  };
  server.middlewares.use((request, response, next) => {
    answer(new URL(request.url ?? '/', 'http://any').pathname).then(
      ({ type, body }) => response.setHeader('Content-Type', `${type}; charset=utf-8`).end(body),
      next,
    );
  });
}
