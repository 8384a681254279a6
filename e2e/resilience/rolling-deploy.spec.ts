import { once } from 'node:events';
import { existsSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { connect as connectHttp2 } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { run } from '../../tools/testkit/program.js';
import { until } from '../../tools/testkit/until.js';
import { expectLedgerClean } from '../testing/invariants.js';
import { DOMAIN, findNginx, Nginx } from '../testing/nginx.js';
import { clientOf, ProxiedLoad } from '../testing/proxied-load.js';
import { repository } from '../testing/repository.js';
import { Stack } from '../testing/stack.js';

/**
 * Two servers behind ops/nginx/pennytext.conf are replaced one by one with
 * ops/nginx/replace-server.sh, as docs/upgrading.md describes, while requests arrive.
 * containers.spec.ts replaces containers in place of processes.
 */
const REQUESTS = 5_000;
const CREDITS = 1_000_000;
const LOAD_WITHIN_MS = 180_000;
const REPLACED_WITHIN_MS = 120_000;
const replaceServer = join(repository, 'ops/nginx/replace-server.sh');

test.skip(findNginx() === undefined, 'this machine has no nginx');

let nginx: Nginx | undefined;
let stack: Stack | undefined;
const others: Server[] = [];

test.afterEach(async () => {
  await nginx?.stop();
  nginx = undefined;
  for (const server of others.splice(0)) await new Promise((resolve) => server.close(resolve));
  await stack?.stop();
  stack = undefined;
});

test('nginx takes the shipped file, speaks HTTP/2 and passes requests on unchanged', async () => {
  const seen: IncomingMessage[] = [];
  const [first, second] = [await listening((request) => seen.push(request)), await listening()];
  nginx = await Nginx.start({ serverPorts: [first.port, second.port], logFile: test.info().outputPath('nginx.log') });
  await new Promise((resolve) => second.server.close(resolve));
  const pool = clientOf(nginx);
  const status = async (path: string) => {
    const { statusCode, body } = await pool.request({ path, method: 'GET', headers: { host: DOMAIN } });
    await body.dump();
    return statusCode;
  };

  // The operator's own paths are closed, in every spelling; paths for a monitor outside are open.
  const paths = ['/metrics', '/%6detrics', '//metrics', '/operator', '/operator/queues', '/a/../operator/queues'];
  for (const path of paths) expect([path, await status(path)]).toEqual([path, 404]);
  expect(seen).toEqual([]);
  for (const path of ['/readyz', '/healthz', '/metrics-of-mine'])
    expect([path, await status(path)]).toEqual([path, 200]);

  // Twilio signs path and query as they are.
  const path = '/webhooks//twilio/%69nbound/../x?a=%20b&c=d%2Fe';
  const headers = { host: DOMAIN, 'x-forwarded-for': '198.51.100.7' };
  const answer = await pool.request({ path, method: 'POST', headers, body: 'a=b' });
  await answer.body.dump();
  expect(seen.at(-1)).toMatchObject({
    url: path,
    headers: { host: DOMAIN, 'x-forwarded-for': '127.0.0.1', 'x-forwarded-proto': 'https' },
  });
  await pool.close();

  const session = connectHttp2(nginx.url, { ca: nginx.certificate, servername: DOMAIN });
  await once(session, 'connect');
  expect(session.alpnProtocol).toBe('h2');
  session.close();

  const redirect = await fetch(`http://127.0.0.1:${nginx.ports.http}/login?next=%2F`, {
    redirect: 'manual',
    headers: { host: DOMAIN },
  });
  expect([redirect.status, redirect.headers.get('location')]).toEqual([
    301,
    expect.stringMatching(/^https:\/\/[^/]+\/login\?next=%2F$/),
  ]);
});

test('two servers are replaced one by one under load, and none of 5,000 requests fails', async () => {
  const product = await Stack.start({
    servers: 2,
    receiptDelayMs: 100,
    logFolder: test.info().outputPath('logs'),
    env: { DRAIN_SECONDS: '1', TRUST_PROXY: '1' },
  });
  stack = product;
  const serverPorts = product.serverPorts as [number, number];
  const front = await Nginx.start({ serverPorts, logFile: test.info().outputPath('nginx.log') });
  nginx = front;
  const account = await product.account(CREDITS);
  const load = new ProxiedLoad(front, account.apiKey);
  const more = (count: number, after: number) =>
    until(`${count} more requests are answered`, () => load.answered >= after + count, { timeoutMs: LOAD_WITHIN_MS });
  for (const index of [0, 1]) {
    await more(200, load.answered);
    const { code, errors } = await replace(product, index, front.rotation);
    expect([code, errors]).toEqual([0, '']);
  }
  await more(REQUESTS, 0);
  await more(200, load.answered);
  const outcomes = await load.stop();

  expect(outcomes.filter(({ kind }) => kind !== 'accepted')).toEqual([]);
  const ids = new Set(outcomes.map((outcome) => (outcome.kind === 'accepted' ? outcome.answer.message_id : '')));
  expect(ids.size).toBe(outcomes.length);
  expect(await product.api.balance(account.apiKey)).toMatchObject({ used: outcomes.length });
  await expectLedgerClean(product);
});

test('a server that does not become ready stays out of the rotation, and the next is not touched', async () => {
  const [first, second] = [await listening(undefined, 503), await listening()];
  nginx = await Nginx.start({ serverPorts: [first.port, second.port], logFile: test.info().outputPath('nginx.log') });
  const pool = clientOf(nginx);
  const answering = async () => {
    const ports = new Set<string>();
    for (let request = 0; request < 10; request += 1) {
      const { headers, body } = await pool.request({ path: '/', method: 'GET', headers: { host: DOMAIN } });
      await body.dump();
      ports.add(String(headers['x-port']));
    }
    return [...ports].toSorted();
  };
  expect(await answering()).toEqual([first.port, second.port].map(String).toSorted());

  const { rotation } = nginx;
  const env = { ROTATION: rotation, READY_SECONDS: '1' };
  const failed = await run(replaceServer, [String(first.port), 'true'], { env, timeoutMs: 30_000 });
  expect([failed.code, failed.errors]).toEqual([1, expect.stringContaining('is not ready after 1 s')]);
  expect(existsSync(join(rotation, `without-${first.port}`))).toBe(true);
  expect(await answering()).toEqual([String(second.port)]);

  const refused = await run(replaceServer, [String(second.port), 'true'], { env, timeoutMs: 30_000 });
  expect([refused.code, refused.errors]).toEqual([1, expect.stringContaining('another server is out')]);
  expect(existsSync(join(rotation, `without-${second.port}`))).toBe(false);
  rmSync(join(rotation, `without-${first.port}`));

  const unreplaced = await run(replaceServer, [String(second.port), 'false'], { env, timeoutMs: 30_000 });
  expect([unreplaced.code, unreplaced.errors]).toEqual([1, expect.stringContaining('was not replaced')]);
  expect(await answering()).toEqual([String(first.port)]);
  rmSync(join(rotation, `without-${second.port}`));
  expect(await answering()).toHaveLength(2);
  await pool.close();
});

/** A server that answers 200 and its port, and /readyz with a status. */
async function listening(
  onRequest?: (request: IncomingMessage) => unknown,
  readiness = 200,
): Promise<{ server: Server; port: number }> {
  const server = createServer((request, response) => {
    onRequest?.(request);
    response.statusCode = request.url === '/readyz' ? readiness : 200;
    response.setHeader('x-port', String((server.address() as AddressInfo).port)).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  others.push(server);
  return { server, port: (server.address() as AddressInfo).port };
}

/**
 * Runs replace-server.sh for a server of the product. Its command stands for `docker` or
 * `systemctl`: a request to this process, which stops the server with SIGTERM and starts a new one.
 */
async function replace(product: Stack, index: number, rotation: string) {
  const control = createServer((_request, response) => {
    void replaced().then(
      () => response.end(),
      (error: unknown) => response.writeHead(500).end(String(error)),
    );
  });
  const replaced = async () => {
    await product.program(`server-${index}`).stop();
    await product.startServer(index);
  };
  control.listen(0, '127.0.0.1');
  await once(control, 'listening');
  const url = `http://127.0.0.1:${(control.address() as AddressInfo).port}`;
  try {
    return await run(
      replaceServer,
      [String(product.serverPorts[index]), 'curl', '--silent', '--show-error', '--fail', url],
      { env: { ROTATION: rotation }, timeoutMs: REPLACED_WITHIN_MS },
    );
  } finally {
    control.close();
  }
}
