import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startLocalServer, type LocalServer } from '../../testing/local-server.js';
import { unsafeAddresses, unsafeHosts } from '../testing/unsafe-hosts.js';
import type { ResolvedAddress, ResolveName } from '../../platform/network/guarded-connector.js';
import { GuardedClient } from './webhook-client.js';

const loopback: ResolvedAddress = { address: '127.0.0.1', family: 4 };
/** A global unicast address that is not allocated, so that no test calls a third party. */
const unrouted: ResolvedAddress = { address: '2d00::1', family: 6 };
const NOT_CALLED = 'The address is not on the public internet, so it was not called.';
const PRIVATE = 'A webhook must be reachable from the internet: this address is private.';

describe('GuardedClient', () => {
  let server: LocalServer;
  let port: string;
  const clients: GuardedClient[] = [];

  beforeEach(async () => {
    server = await startLocalServer();
    server.answer = (response) => response.end('fine');
    port = new URL(server.url).port;
  });

  afterEach(async () => {
    await Promise.all(clients.splice(0).map((client) => client.close()));
    await server.close();
  });

  function clientOf(
    options: { allowPrivate?: boolean; timeoutMs?: number; resolve?: ResolveName } = {},
  ): GuardedClient {
    const client = new GuardedClient({ allowPrivate: false, timeoutMs: 2_000, ...options });
    clients.push(client);
    return client;
  }
  const post = (client: GuardedClient, url: string) => client.post(url, { 'content-type': 'application/json' }, '{}');

  describe('does not connect to', () => {
    const hosts = unsafeHosts.flatMap(([what, forms]) => forms.map((host) => [what, host] as const));

    it('unsafe addresses in more than sixty forms', () => {
      expect(new Set(hosts.map(([, host]) => host)).size).toBeGreaterThanOrEqual(60);
    });

    it.each(hosts)('%s: %s', async (_what, host) => {
      expect(await post(clientOf(), `http://${host}:${port}/`)).toEqual({ kind: 'failed', reason: expect.any(String) });
      expect(server.requests).toEqual([]);
    });

    it.each(hosts)('a redirect to %s: %s', async (_what, host) => {
      const client = clientOf({ allowPrivate: true });
      const there = `http://${host}:${port}/there`;
      server.answer = (response) => response.writeHead(307, { location: encodeURI(there) }).end();
      expect(await post(client, `${server.url}/here`)).toMatchObject({ kind: 'answered', status: 307 });
      expect(server.requests.map(({ url }) => url)).toEqual(['/here']);
    });

    it.each(unsafeAddresses)('a name whose address is %s', async (address) => {
      const family = address.includes(':') ? 6 : 4;
      const client = clientOf({ resolve: async () => [{ address, family }] });
      expect(await post(client, `http://rebind.test:${port}/`)).toEqual({ kind: 'failed', reason: NOT_CALLED });
      expect(server.requests).toEqual([]);
    });

    it('a name with a private address among public ones', async () => {
      const client = clientOf({ resolve: async () => [unrouted, loopback] });
      expect(await post(client, `http://rebind.test:${port}/`)).toEqual({ kind: 'failed', reason: NOT_CALLED });
    });

    it('a name whose answer changes from a public to a private address; each connection resolves it once', async () => {
      const answers: ResolvedAddress[][] = [[unrouted], [loopback], [loopback]];
      const asked: string[] = [];
      const client = clientOf({
        timeoutMs: 300,
        resolve: async (name) => {
          asked.push(name);
          return answers.shift() ?? [];
        },
      });
      const outcomes = [];
      for (let call = 0; call < 3; call += 1) outcomes.push(await post(client, `http://rebind.test:${port}/`));
      expect(asked).toHaveLength(3);
      expect(outcomes[0]).toMatchObject({ kind: 'failed' });
      expect(outcomes.slice(1)).toEqual([
        { kind: 'failed', reason: NOT_CALLED },
        { kind: 'failed', reason: NOT_CALLED },
      ]);
      expect(server.requests).toEqual([]);
    });

    it('a private address that the system connects to in place of the checked one', async () => {
      const forged: ResolvedAddress = {
        family: 4,
        get address() {
          reads += 1;
          return reads === 1 ? unrouted.address : loopback.address;
        },
      };
      let reads = 0;
      const client = clientOf({ resolve: async () => [forged] });
      expect(await post(client, `http://rebind.test:${port}/`)).toEqual({ kind: 'failed', reason: NOT_CALLED });
      expect(reads).toBeGreaterThan(1);
      expect(server.requests).toEqual([]);
    });

    it.each([
      'ftp://example.com/',
      'file:///etc/passwd',
      'https://user:word@example.com/',
      'gopher://example.com/',
      'x',
    ])('%s', async (url) => {
      expect(await post(clientOf(), url)).toMatchObject({ kind: 'failed' });
    });

    it.each([22, 25, 81, 587, 1023, 3306, 5432, 6379, 6667, 9200, 11211, 27017])('port %i', async (refused) => {
      expect(await post(clientOf({ allowPrivate: true }), `http://127.0.0.1:${refused}/`)).toMatchObject({
        kind: 'failed',
        reason: expect.stringContaining('port'),
      });
    });

    it('link-local and metadata addresses, even when the operator allows private ones', async () => {
      const resolve: ResolveName = async () => [{ address: '169.254.169.254', family: 4 }];
      const client = clientOf({ allowPrivate: true, resolve });
      expect(await post(client, 'http://169.254.169.254/')).toEqual({ kind: 'failed', reason: PRIVATE });
      expect(await post(client, 'http://metadata.test/')).toEqual({ kind: 'failed', reason: NOT_CALLED });
    });
  });

  describe('with private addresses allowed', () => {
    const open = (timeoutMs = 2_000) => clientOf({ allowPrivate: true, timeoutMs, resolve: async () => [loopback] });

    it('posts the body with the headers, and returns status and text', async () => {
      server.answer = (response) => response.writeHead(201, { 'retry-after': '7' }).end('made');
      expect(await post(open(), `http://name.test:${port}/a?b=c`)).toEqual({
        kind: 'answered',
        status: 201,
        retryAfter: '7',
        text: 'made',
      });
      expect(server.requests).toMatchObject([{ method: 'POST', url: '/a?b=c', authorization: undefined }]);
    });

    it('keeps the first 1,000 complete characters of the answer and replaces NUL', async () => {
      server.answer = (response) => response.end(`\u0000${'👍'.repeat(2_000)}`);
      const outcome = await post(open(), server.url);
      expect(outcome).toMatchObject({ kind: 'answered', text: `\ufffd${'👍'.repeat(999)}` });
    });

    it('stops reading an endless answer at its bound', async () => {
      let sent = 0;
      server.answer = (response) => {
        const more = () => {
          sent += 65_536;
          if (!response.destroyed) response.write('x'.repeat(65_536), () => setImmediate(more));
        };
        more();
      };
      expect(await post(open(), server.url)).toMatchObject({ kind: 'answered', status: 200, text: 'x'.repeat(1_000) });
      expect(sent).toBeLessThan(20_000_000);
    });

    it('times out when the answer is not complete in time: none, headers only, or a dripping body', async () => {
      const late = { kind: 'failed', reason: 'There was no complete answer within 0.2 s.' };
      const client = open(200);
      server.answer = () => undefined;
      expect(await post(client, server.url)).toEqual(late);
      server.answer = (response) => response.writeHead(200).flushHeaders();
      expect(await post(client, server.url)).toEqual(late);
      server.answer = (response) => {
        const drip = setInterval(() => response.write('.'), 20);
        response.on('close', () => clearInterval(drip));
      };
      expect(await post(client, server.url)).toEqual(late);
    });

    it('times out when a name server does not answer', async () => {
      const client = clientOf({ timeoutMs: 200, resolve: () => new Promise(() => undefined) });
      expect(await post(client, 'http://slow.test/')).toMatchObject({ reason: expect.stringContaining('0.2 s') });
    });

    it('rejects an answer with headers beyond its bound', async () => {
      server.answer = (response) => response.writeHead(200, { 'x-long': 'x'.repeat(20_000) }).end();
      expect(await post(open(), server.url)).toEqual({
        kind: 'failed',
        reason: 'The headers of the answer are too large.',
      });
    });

    it('does not store cookies', async () => {
      const cookies: (string | undefined)[] = [];
      const plain: Server = createServer((request, response) => {
        cookies.push(request.headers.cookie);
        response.writeHead(200, { 'set-cookie': 'a=b; Path=/' }).end();
      });
      await new Promise<void>((resolve) => plain.listen(0, '127.0.0.1', resolve));
      const client = open();
      const url = `http://127.0.0.1:${(plain.address() as AddressInfo).port}/`;
      await post(client, url);
      await post(client, url);
      plain.close();
      plain.closeAllConnections();
      expect(cookies).toEqual([undefined, undefined]);
    });

    it('explains why there is no answer', async () => {
      server.answer = (response) => response.destroy();
      expect(await post(open(), server.url)).toEqual({
        kind: 'failed',
        reason: 'The connection broke before the answer was complete.',
      });
      await server.close();
      expect(await post(open(), server.url)).toEqual({ kind: 'failed', reason: 'The connection was refused.' });
      const notFound = Object.assign(new Error('not found'), { code: 'ENOTFOUND' });
      const client = clientOf({ resolve: async () => Promise.reject(notFound) });
      expect(await post(client, 'http://missing.test/')).toMatchObject({
        reason: 'The name of the host does not resolve.',
      });
    });

    it('rejects a certificate that no known authority signed', async () => {
      const client = open();
      server.answer = (response) => response.end();
      expect(await post(client, `https://127.0.0.1:${port}/`)).toMatchObject({ kind: 'failed' });
    });
  });
});
