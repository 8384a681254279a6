import { Webhook } from 'standardwebhooks';
import { TestSandbox, until } from '../testing/test-sandbox.js';
import type { HookLine, HookView } from './hook-book.js';

const sandbox = new TestSandbox();
const secret = `whsec_${Buffer.from('a secret of 24 bytes or so').toString('base64')}`;

beforeAll(() => sandbox.start());
beforeEach(() => sandbox.post('/_control/reset', {}));
afterAll(() => sandbox.stop());

const kept = (query = '') => sandbox.get<HookView[]>(`/_control/hooks${query}`);
const call = (path: string, init: RequestInit = {}) =>
  fetch(`${sandbox.url}/hooks/in/${path}`, { method: 'POST', redirect: 'manual', ...init });
const answer = (name: string, settings: object) => sandbox.post(`/_control/hooks/${name}`, settings);

/** Headers and body as a product that keeps to Standard Webhooks sends them. */
function signed(body: string, { id = 'msg_1', at = new Date() } = {}) {
  const headers = {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': new Webhook(secret).sign(id, at, body),
  };
  return { headers, body };
}

describe('/hooks/in/{name}', () => {
  it('stores requests, oldest first, and answers 200', async () => {
    expect((await call('orders?x=1', { body: '{"a": "Größe"}', headers: { 'x-more': 'yes' } })).status).toBe(200);
    expect((await call('orders/deeper', { method: 'DELETE' })).status).toBe(200);
    await call('others', { method: 'GET' });
    expect(await kept('?name=orders')).toMatchObject([
      {
        name: 'orders',
        method: 'POST',
        path: '/hooks/in/orders?x=1',
        headers: { 'x-more': 'yes' },
        body: '{"a": "Größe"}',
        bytes: 16,
        isCut: false,
        at: expect.stringMatching(/^\d{4}-.*Z$/),
        attempt: 1,
        answered: { status: 200, tookMs: expect.any(Number) },
        webhook: { id: null, timestamp: null, signature: null },
      },
      { method: 'DELETE', path: '/hooks/in/orders/deeper', body: '' },
    ]);
    expect(await kept()).toHaveLength(3);
    expect((await kept('?limit=1'))[0]).toMatchObject({ name: 'others', method: 'GET' });
  });

  it('stores the first 64 KiB of a body and rejects bodies above 1 MiB', async () => {
    await call('big', { body: 'x'.repeat(70_000) });
    expect(await kept()).toMatchObject([{ bytes: 70_000, isCut: true, body: 'x'.repeat(65_536) }]);
    expect((await call('big', { body: 'x'.repeat(1_048_577) })).status).toBe(413);
    expect(await kept()).toHaveLength(1);
  });

  it('stores the newest 500 requests', async () => {
    for (let batch = 0; batch < 51; batch++) {
      await Promise.all(Array.from({ length: 10 }, () => call('many', { body: String(batch) })));
    }
    const bodies = (await kept()).map(({ body }) => Number(body));
    expect([bodies.length, bodies[0], bodies.at(-1)]).toEqual([500, 1, 50]);
  }, 20_000);

  it('counts the attempts of one webhook-id', async () => {
    await call('orders', signed('{}'));
    await call('orders', signed('{}', { id: 'msg_2' }));
    await call('orders', signed('{}'));
    expect((await kept()).map(({ webhook, attempt }) => [webhook.id, attempt])).toEqual([
      ['msg_1', 1],
      ['msg_2', 1],
      ['msg_1', 2],
    ]);
  });

  it('rejects an invalid name', async () => {
    expect((await call('a%20b')).status).toBe(400);
    expect(await kept()).toEqual([]);
  });
});

describe('POST /_control/hooks/{name}', () => {
  it('sets the status for a number of requests', async () => {
    expect((await answer('orders', { status: 503, count: 2 })).json).toEqual({
      status: 503,
      delayMs: 0,
      hang: false,
      redirectTo: null,
      count: 2,
    });
    const statuses = [];
    for (let n = 0; n < 3; n++) statuses.push((await call('orders')).status);
    expect(statuses).toEqual([503, 503, 200]);
    expect((await call('others')).status).toBe(200);
    expect(await sandbox.get('/_control/hooks/orders')).toMatchObject({ status: 200, count: null });
    expect((await kept('?name=orders')).map(({ answered }) => answered.status)).toEqual([503, 503, 200]);
  });

  it('redirects', async () => {
    await answer('orders', { redirectTo: 'http://127.0.0.1:1/elsewhere' });
    const { status, headers } = await call('orders');
    expect([status, headers.get('location')]).toEqual([307, 'http://127.0.0.1:1/elsewhere']);
  });

  it('answers late', async () => {
    await answer('orders', { delayMs: 100 });
    const startedAt = performance.now();
    await call('orders');
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(95);
  });

  it.each([
    ['its answer is set', () => answer('orders', {})],
    ['the sandbox is reset', () => sandbox.post('/_control/reset', {})],
  ])('breaks the connections that it has left unanswered when %s', async (_title, end) => {
    await answer('orders', { hang: true });
    const outcome = call('orders', {}).catch((error: Error) => error);
    await until('it is kept', async () => (await kept()).length === 1);
    await end();
    expect(await outcome).toMatchObject({ name: 'TypeError' });
  });

  it('stores a request and never answers it', async () => {
    await answer('orders', { hang: true });
    const caller = new AbortController();
    const hanging = call('orders', { signal: caller.signal });
    await until('it is kept', async () => (await kept()).length === 1);
    expect(await kept()).toMatchObject([{ answered: { status: null, tookMs: null } }]);
    caller.abort();
    await expect(hanging).rejects.toThrow('abort');
  });

  it.each([
    [{ status: 99 }, 'status: must be a status from 200 to 599'],
    [{ status: 200, redirectTo: 'http://x' }, 'status: must be from 300 to 399 for a redirect'],
    [{ delayMs: 60_001 }, 'delayMs: must be up to 60000 milliseconds'],
    [{ count: 0 }, 'count: '],
    [{ staus: 500 }, 'staus'],
  ])('rejects %j', async (settings, words) => {
    const { status, json } = await answer('orders', settings);
    expect([status, json['error']]).toEqual([400, expect.stringContaining(words)]);
  });

  it('is cleared by a reset', async () => {
    await answer('orders', { status: 500 });
    await call('orders');
    await sandbox.post('/_control/reset', {});
    expect(await kept()).toEqual([]);
    expect((await call('orders')).status).toBe(200);
  });
});

describe('the signature check', () => {
  const verdict = async (body: object) => {
    const [line] = await sandbox.get<HookLine[]>('/_hooks/requests');
    return sandbox.post(`/_hooks/requests/${line?.id}/verdict`, body);
  };

  it('accepts the secret with or without its prefix', async () => {
    await call('orders', signed('{"a": "Größe"}'));
    const good = { holds: true, reason: 'The signature is valid.' };
    expect((await verdict({ secret })).json).toEqual(good);
    expect((await verdict({ secret: ` ${secret.slice(6)}\n` })).json).toEqual(good);
  });

  it('accepts one valid signature among several', async () => {
    const { headers, body } = signed('{}');
    const several = `v1,${Buffer.from('other').toString('base64')} v1a,x ${headers['webhook-signature']}`;
    await call('orders', { body, headers: { ...headers, 'webhook-signature': several } });
    expect((await verdict({ secret })).json).toMatchObject({ holds: true });
  });

  it.each([
    ['another secret', signed('{}'), 'whsec_b3RoZXI=', 'not made with this secret'],
    ['another body', { ...signed('{}'), body: '{ }' }, secret, 'not made with this secret'],
    [
      'a timestamp that is none',
      { body: '{}', headers: { ...signed('{}').headers, 'webhook-timestamp': 'now' } },
      secret,
      'is not a number of seconds',
    ],
    ['no signature', { body: '{}' }, secret, 'has no webhook-id and no webhook-timestamp and no webhook-signature'],
    ['a body that was cut', signed('x'.repeat(70_000)), secret, 'too long to be stored'],
    ['no secret', signed('{}'), 'my secret!', 'This is not a signing secret'],
  ])('rejects %s', async (_what, request, given, words) => {
    await call('orders', request);
    expect((await verdict({ secret: given })).json).toEqual({ holds: false, reason: expect.stringContaining(words) });
  });

  it('rejects an old timestamp', async () => {
    await call('orders', signed('{}', { at: new Date(Date.now() - 600_000) }));
    const reason = expect.stringContaining('but its timestamp is 60') as string;
    expect((await verdict({ secret })).json).toEqual({ holds: false, reason });
  });

  it('requires a secret and a stored request', async () => {
    await call('orders');
    expect((await verdict({})).status).toBe(400);
    expect((await sandbox.post('/_hooks/requests/none/verdict', { secret })).status).toBe(404);
  });
});

describe('the inspector', () => {
  it('lists requests newest first, shows one, and sends requests and their answers to an open page', async () => {
    const events = await fetch(`${sandbox.url}/_hooks/events`);
    await call('orders', signed('{"MessageId":  "SM1"}'));
    const [line] = await sandbox.get<HookLine[]>('/_hooks/requests');
    expect(line).toMatchObject({ name: 'orders', method: 'POST', preview: '{"MessageId": "SM1"}', attempt: 1 });
    expect(await sandbox.get(`/_hooks/requests/${line?.id}`)).toMatchObject({ webhook: { id: 'msg_1' } });
    expect((await fetch(`${sandbox.url}/_hooks/requests/none`)).status).toBe(404);
    const told: (number | null)[] = [];
    let text = '';
    for await (const chunk of events.body ?? []) {
      text += Buffer.from(chunk).toString('utf8');
      const lines = [...text.matchAll(/^event: hook\ndata: (.*)\n\n/gm)].map(
        ([, data]) => JSON.parse(data ?? '') as HookLine,
      );
      told.splice(0, told.length, ...lines.map(({ answered }) => answered.status));
      if (told.length === 2) break;
    }
    expect(told).toEqual([null, 200]);
  });
});
