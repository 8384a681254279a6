import { execFile, execFileSync, spawn, spawnSync } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import { accepted, acceptedBulk, messagePage, sentOtp, verifiedOtp } from '../../contract/examples.js';
import { describeConformance, whereTool } from '../conformance/testing/language-suite.js';

/** The first build on a machine compiles Go's own library. */
const BUILD_BOUND_MS = 300_000;

const whereGo = whereTool('go', 'version');
const folder = mkdtempSync(join(tmpdir(), 'pennytext-go-'));
const tests = join(folder, 'pennytext.test');
const run = promisify(execFile);
const env = { ...process.env, GOFLAGS: '-mod=mod -modcacherw', GOPROXY: 'off', GOTOOLCHAIN: 'local' };

function go(...args: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync('go', args, { cwd: __dirname, env, encoding: 'utf8' });
  return status === 0 ? stdout : stdout + stderr;
}

function build(): void {
  const output = go('test', '-c', '-o', tests, '.');
  if (output !== '') throw new Error(output);
}

afterAll(() => rmSync(folder, { recursive: true, force: true }));

describeConformance(
  whereGo,
  'Go',
  () => {
    build();
    return { command: tests, args: [], cwd: __dirname };
  },
  ['untyped_arguments', 'empty_arguments'],
);

whereGo('the Go client', () => {
  it('passes its tests', () => {
    const { stdout } = spawnSync(tests, ['-test.timeout=60s'], { cwd: __dirname, encoding: 'utf8' });
    expect(stdout.trim()).toBe('PASS');
  });

  it('is formatted by gofmt', () => {
    expect(execFileSync('gofmt', ['-l', __dirname], { encoding: 'utf8' })).toBe('');
  });

  it(
    'is accepted by go vet',
    () => {
      expect(go('vet', './...')).toBe('');
    },
    BUILD_BOUND_MS,
  );
});

whereGo('the module of the Go client', () => {
  const [program = '', rest = '', receiver = ''] = Array.from(
    readFileSync(join(__dirname, 'README.md'), 'utf8').matchAll(/^```go\n([^]*?)^```$/gm),
    ([, code = '']) => code,
  );
  const answers: Readonly<Record<string, unknown>> = {
    '/api/sendsms': accepted,
    '/api/sendbulk': acceptedBulk,
    '/api/sendotp': sentOtp,
    '/api/verifyotp': verifiedOtp,
    '/api/messages?status=failed': messagePage,
  };
  const site = join(folder, 'site');
  const requests: string[] = [];
  const server = createServer((request, response) => {
    const path = request.url ?? '';
    const file = join(site, path);
    if (answers[path]) requests.push(path);
    if (answers[path]) response.end(JSON.stringify(answers[path]));
    else if (existsSync(file) && statSync(file).isFile()) response.end(readFileSync(file));
    else response.writeHead(404).end();
  });
  let options: { cwd: string; env: NodeJS.ProcessEnv };

  beforeAll(async () => {
    execFileSync(process.execPath, [join(__dirname, '../../tools/clients/pack-go.mjs'), join(site, 'clients')]);
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const [, proxies = ''] =
      /GOPROXY=(\S+) GONOSUMDB=pennytext\.example/.exec(readFileSync(join(__dirname, 'README.md'), 'utf8')) ?? [];
    options = {
      cwd: join(folder, 'project'),
      env: {
        ...env,
        GOMODCACHE: join(folder, 'modules'),
        // The first proxy does not know the module.
        GOPROXY: proxies
          .replace('https://proxy.golang.org', `${address}/none`)
          .replace('https://sms.example.com', address),
        GONOSUMDB: 'pennytext.example',
        PENNYTEXT_URL: address,
        PENNYTEXT_API_KEY: 'key',
        PENNYTEXT_WEBHOOK_SECRET: 'whsec_c2VjcmV0',
      },
    };
    for (const [name, code] of Object.entries({ send: program.replace(/\}\n$/, `${rest}}\n`), receive: receiver })) {
      mkdirSync(join(folder, 'project', name), { recursive: true });
      writeFileSync(join(folder, 'project', name, 'main.go'), code);
    }
    await run('go', ['mod', 'init', 'example.com/project'], options);
    await run('go', ['get', 'pennytext.example/pennytext'], options);
    await run('go', ['build', '-o', 'programs/', './...'], options);
  }, BUILD_BOUND_MS);

  afterAll(() => server.close());

  it('is installed from the site without a registry, with its license and without its tests', () => {
    const installed = readdirSync(join(folder, 'modules/pennytext.example/pennytext@v0.1.0'));
    expect(installed).toEqual(expect.arrayContaining(['LICENSE', 'README.md', 'client.go', 'go.mod']));
    expect(installed.filter((name) => !/\.(go|md|mod)$|^LICENSE$/.test(name) || name.includes('_test'))).toEqual([]);
  });

  it('sends, verifies and lists as its README shows', async () => {
    const { stdout } = await run(join(folder, 'project/programs/send'), [], options);
    expect(stdout).toContain(`${accepted.message_id} ${accepted.credits} ${accepted.balance}\n`);
    expect(stdout).toMatch(/\ntrue <nil>\n\+12025550142 \n<nil>\n$/);
    expect(requests).toEqual(Object.keys(answers));
  });

  it('verifies webhooks as its README shows', async () => {
    const port = await freePort();
    const child = spawn(join(folder, 'project/programs/receive'), {
      ...options,
      env: { ...options.env, PORT: String(port) },
    });
    const log = createInterface({ input: child.stderr });
    try {
      const body = '{"MessageId":"SM1","Sender":"+12025550142","Message":"Yes"}';
      const timestamp = String(Math.floor(Date.now() / 1_000));
      const signature = createHmac('sha256', 'secret').update(`msg_1.${timestamp}.${body}`).digest('base64');
      const headers = { 'webhook-id': 'msg_1', 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` };
      const post = (text: string) => fetch(`http://127.0.0.1:${port}/hook`, { method: 'POST', headers, body: text });
      const line = once(log, 'line');
      expect((await untilListening(() => post(body))).status).toBe(200);
      expect(await line).toEqual([expect.stringContaining('+12025550142: Yes')]);
      expect((await post(`${body} `)).status).toBe(400);
    } finally {
      child.kill();
    }
  });
});

async function freePort(): Promise<number> {
  const server = createServer();
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  return port;
}

/** Repeats a request for ten seconds while nothing listens. */
async function untilListening(request: () => Promise<Response>): Promise<Response> {
  for (let tries = 0; ; tries++) {
    try {
      return await request();
    } catch (error) {
      if (tries === 200) throw error;
      await setTimeout(50);
    }
  }
}
