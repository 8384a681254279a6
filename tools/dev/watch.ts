import { once } from 'node:events';
import { connect } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { createServer } from 'vite';
import { Program, StartError } from '../testkit/program.js';
import { color, say } from './box.js';
import { compilerOptions } from './nest-projects.js';

// `npm run dev`: compiles to dist/dev as one types, lets the running `npm start` run that in place
// of its own server and worker, and serves the pages by Vite.

const root = fileURLToPath(new URL('../../..', import.meta.url));
const COMPILED = /^Found (\d+) errors?\. Watching/;

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => process.exit(0));

try {
  const start = connect('.data/dev.sock');
  await once(start, 'connect').catch((cause: unknown) => {
    throw new StartError('No `npm start` runs from this folder: run it in another terminal first.', { cause });
  });
  // The reader of the lines handles the end of the connection.
  start.on('error', () => undefined);
  const lines = createInterface({ input: start })[Symbol.asyncIterator]();
  const { value: greeting } = (await lines.next()) as IteratorResult<string, undefined>;
  if (!greeting || !URL.canParse(greeting)) throw new StartError(greeting ?? 'The `npm start` has ended.');
  compile(() => start.write('compiled\n'));
  await servePages(greeting);
  for await (const line of lines) say(...(line.split('\t') as [string, string]));
  throw new StartError('The `npm start` has ended.');
} catch (error) {
  if (!(error instanceof StartError)) throw error;
  console.error(color('red', error.message));
  process.exit(1);
}

/** Runs the compiler, and calls `onCompiled` after each compilation without errors. */
function compile(onCompiled: () => void): void {
  const compiler = new Program({
    name: 'compiler',
    // The compiler itself: its start script would leave it running when killed.
    command: join(root, `node_modules/@typescript/typescript-${process.platform}-${process.arch}/lib/tsc`),
    // On errors nothing is written, so that running programs keep the files they may still load.
    args: [
      '-p',
      compilerOptions.tsConfigPath,
      ...'--outDir dist/dev --noEmitOnError --watch --preserveWatchOutput'.split(' '),
    ],
    env: process.env,
    cwd: root,
    onLine: (line) => {
      const text = line.replace(/^\d+:\d+:\d+ [AP]M - /, '');
      if (text.trim() === '') return;
      const errors = COMPILED.exec(text)?.[1];
      say('compiler', errors === undefined || errors === '0' ? text : color('red', text));
      if (errors === '0') onCompiled();
    },
  });
  void compiler.ended.finally(() => {
    say('compiler', color('red', 'The compiler ended: see its lines above.'));
    process.exit(1);
  });
}

async function servePages(serverUrl: string): Promise<void> {
  const pages = await createServer({
    configFile: join(root, 'web/vite.config.ts'),
    server: { proxy: { '/api': serverUrl, '/auth': serverUrl } },
  });
  await pages.listen();
  const [url = ''] = pages.resolvedUrls?.local ?? [];
  say('pages', `${url} with the calls to ${serverUrl}`);
}
