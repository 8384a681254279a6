import { createHash } from 'node:crypto';
import { Pennytext } from './client.js';
import { PennytextError } from './errors.js';
import type { ClientOptions } from './transport.js';

const accepted = { message_id: `SM${'0'.repeat(32)}`, credits: 1 };
const message = { to: '+12025550142', message: 'Hello' };

type Step = Response | Error | ((request: Request) => Promise<Response>);

const json = (status: number, body: object, headers: Record<string, string> = {}) =>
  new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json', ...headers } });
const refused = (status: number, code: string, headers: Record<string, string> = {}) =>
  json(
    status,
    { success: 'false', error: 'Failed', code, detail: `${code}.` },
    { 'x-request-id': 'req-1', ...headers },
  );

/** A client whose service takes these steps, one for each try. */
function scene(steps: readonly Step[], options: Partial<ClientOptions> = {}) {
  const requests: Request[] = [];
  const fetch = (url: string | URL | Request, init?: RequestInit): Promise<Response> => {
    const request = new Request(url, init);
    const step = steps[requests.length];
    requests.push(request);
    if (step === undefined) throw new Error('One try too many');
    if (step instanceof Error) return Promise.reject(step);
    return step instanceof Response ? Promise.resolve(step) : step(request);
  };
  const client = new Pennytext({ apiKey: 'key', baseUrl: 'https://api.example/', fetch, ...options });
  return { client, requests };
}

const failureOf = async (call: Promise<unknown>): Promise<PennytextError> => {
  const error = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (error instanceof PennytextError) return error;
  throw new Error(`Expected a PennytextError, got ${String(error)}`);
};

/** Never answers, but notices when the caller gives up. */
const hangs = ({ signal }: Request): Promise<Response> =>
  new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error));
  });

describe('a call', () => {
  it('posts JSON with the key as bearer token', async () => {
    const { client, requests } = scene([json(200, accepted)]);
    expect(await client.send(message)).toEqual(accepted);
    const [request] = requests;
    expect(request).toMatchObject({ url: 'https://api.example/api/sendsms', method: 'POST' });
    expect(request?.headers.get('authorization')).toBe('Bearer key');
    expect(await request?.json()).toEqual(message);
  });

  it('uploads bytes as a form, whose boundary it does not choose, and again after a lost answer', async () => {
    const uploaded = { media_id: `ME${'0'.repeat(32)}`, type: 'image/png', bytes: 3 };
    const lost = new TypeError('fetch failed', { cause: new Error('ECONNRESET') });
    const { client, requests } = scene([lost, json(200, uploaded), json(200, uploaded)]);
    expect(await client.media.upload(new Uint8Array([1, 2, 3]))).toEqual(uploaded);
    const [, request] = requests;
    expect(request?.url).toBe('https://api.example/api/media');
    expect(request?.headers.get('content-type')).toMatch(/^multipart\/form-data; boundary=./);
    const file = (await request?.formData())?.get('file');
    expect(file instanceof Blob && [...new Uint8Array(await file.arrayBuffer())]).toEqual([1, 2, 3]);
    await client.media.upload({ url: 'https://example.com/a.png' });
    expect(await requests[2]?.json()).toEqual({ url: 'https://example.com/a.png' });
  });

  it('sends one Idempotency-Key for all tries, and another for the next call', async () => {
    const lost = new TypeError('fetch failed', { cause: new Error('ECONNRESET') });
    const { client, requests } = scene([lost, refused(503, 'unavailable'), json(200, accepted), json(200, accepted)]);
    jest.useFakeTimers();
    const first = client.send(message);
    await jest.runAllTimersAsync();
    await first;
    jest.useRealTimers();
    await client.send(message);
    const keys = requests.map(({ headers }) => headers.get('idempotency-key'));
    expect(keys[0]).toMatch(/^[0-9a-f-]{36}$/);
    expect(keys.slice(0, 3)).toEqual([keys[0], keys[0], keys[0]]);
    expect(keys[3]).not.toBe(keys[0]);
  });

  it('takes an Idempotency-Key of your own', async () => {
    const { client, requests } = scene([json(200, accepted)]);
    await client.send(message, { idempotencyKey: 'order-7' });
    expect(requests[0]?.headers.get('idempotency-key')).toBe('order-7');
  });

  it('waits as long as Retry-After asks', async () => {
    const { client, requests } = scene([refused(429, 'rate_limited', { 'retry-after': '7' }), json(200, accepted)]);
    jest.useFakeTimers();
    const call = client.send(message);
    await jest.advanceTimersByTimeAsync(6_999);
    expect(requests).toHaveLength(1);
    await jest.advanceTimersByTimeAsync(1);
    await call;
    expect(requests).toHaveLength(2);
    jest.useRealTimers();
  });

  it('works where fetch knows no other redirects than "follow" and "manual", and follows none', async () => {
    const { client, requests } = scene([json(200, accepted)]);
    await client.send(message);
    expect(requests[0]?.redirect).toBe('manual');
    const hidden = Object.defineProperties(Response.error(), { type: { value: 'opaqueredirect' } });
    const moved = new Response(null, { status: 307, headers: { location: 'https://thief.example/' } });
    for (const [answer, detail] of [
      [moved, 'to https://thief.example/.'],
      [hidden, 'is a redirect.'],
    ] as const) {
      const { client: led, requests: asked } = scene([answer]);
      expect(await failureOf(led.send(message))).toMatchObject({
        code: 'invalid_answer',
        detail: expect.stringContaining(detail),
      });
      expect(asked).toHaveLength(1);
    }
  });

  it('fails at once when it would have to wait longer than its bound', async () => {
    const { client, requests } = scene([refused(429, 'key_budget', { 'retry-after': '3600' })]);
    expect(await failureOf(client.send(message))).toMatchObject({ code: 'key_budget', retryAfterSeconds: 3_600 });
    expect(requests).toHaveLength(1);
  });

  it.each([
    [400, 'invalid_number'],
    [401, 'unknown_api_key'],
    [402, 'insufficient_credits'],
    [409, 'price_above_max'],
  ])('is not repeated after %i %s', async (status, code) => {
    const { client, requests } = scene([refused(status, code)]);
    expect(await failureOf(client.send(message))).toMatchObject({
      code,
      status,
      detail: `${code}.`,
      requestId: 'req-1',
      body: { success: 'false', code },
    });
    expect(requests).toHaveLength(1);
  });

  it('waits for a first try that is still running', async () => {
    const { client } = scene([refused(409, 'idempotency_in_progress'), json(200, accepted)]);
    jest.useFakeTimers();
    const call = client.send(message);
    await jest.runAllTimersAsync();
    expect(await call).toEqual(accepted);
    jest.useRealTimers();
  });

  it('is repeated as often as maxRetries', async () => {
    const { client, requests } = scene(
      [1, 2, 3].map(() => refused(500, 'internal')),
      { maxRetries: 2 },
    );
    jest.useFakeTimers();
    const failed = failureOf(client.balance());
    await jest.runAllTimersAsync();
    expect(await failed).toMatchObject({ code: 'internal', status: 500 });
    expect(requests).toHaveLength(3);
    jest.useRealTimers();
  });

  it('verifies a code once, as a repetition would count as another attempt', async () => {
    const { client, requests } = scene([new TypeError('fetch failed', { cause: new Error('ECONNRESET') })]);
    expect(await failureOf(client.otp.verify({ otp: '042117' }))).toMatchObject({
      code: 'connection_failed',
      detail: 'ECONNRESET',
    });
    expect(requests).toHaveLength(1);
  });

  it('ends a try that takes too long', async () => {
    const { client } = scene([hangs], { timeoutMs: 20, maxRetries: 0 });
    expect(await failureOf(client.balance())).toMatchObject({ code: 'timed_out', status: undefined });
  });

  it('ends with the reason of its signal, during a try and during a wait', async () => {
    for (const step of [hangs, refused(429, 'rate_limited', { 'retry-after': '20' })]) {
      const { client, requests } = scene([step]);
      const stop = new AbortController();
      const call = client.send(message, { signal: stop.signal });
      const reason = new Error('Enough');
      setTimeout(() => stop.abort(reason), 20);
      await expect(call).rejects.toBe(reason);
      expect(requests).toHaveLength(1);
    }
  });

  it('sends nothing when its signal has already ended', async () => {
    const { client, requests } = scene([]);
    await expect(client.balance({ signal: AbortSignal.abort() })).rejects.toMatchObject({ name: 'AbortError' });
    expect(requests).toHaveLength(0);
  });

  it.each([
    [new Response('<html>', { status: 200 }), 'invalid_answer'],
    [new Response('<html>', { status: 404 }), 'invalid_answer'],
    [new Response('Bad Gateway', { status: 502 }), 'unavailable'],
  ])('names an answer that is not the API’s', async (answer, code) => {
    const { client } = scene([answer], { maxRetries: 0 });
    expect(await failureOf(client.balance())).toMatchObject({ code, status: answer.status });
  });
});

describe('a list', () => {
  const pages = () => [
    json(200, { messages: [{ message_id: 'a' }, { message_id: 'b' }], next_cursor: 'c1' }),
    json(200, { messages: [], next_cursor: 'c2' }),
    json(200, { messages: [{ message_id: 'c' }], next_cursor: null }),
  ];

  it('reads all pages', async () => {
    const { client, requests } = scene(pages());
    const ids: string[] = [];
    for await (const { message_id: id } of client.messages.list({ status: 'failed' })) ids.push(id);
    expect(ids).toEqual(['a', 'b', 'c']);
    expect(requests.map(({ url }) => new URL(url).search)).toEqual([
      '?status=failed',
      '?status=failed&cursor=c1',
      '?status=failed&cursor=c2',
    ]);
  });

  it('reads no more pages than are taken', async () => {
    const { client, requests } = scene(pages());
    expect(await client.messages.list().take(2)).toHaveLength(2);
    expect(requests).toHaveLength(1);
  });
});

describe('a download', () => {
  const bytes = Buffer.from('GIF89a');
  const file = () =>
    new Response(bytes, {
      headers: {
        'content-type': 'image/gif',
        'content-length': String(bytes.length),
        'content-disposition': 'attachment; filename="ME1.gif"',
        'repr-digest': `sha-256=:${createHash('sha256').update(bytes).digest('base64')}:`,
      },
    });

  it('has the facts of the file and its bytes, as a stream or all at once', async () => {
    const { client, requests } = scene([file(), file()]);
    const media = await client.media.download('ME1/..');
    expect(media).toMatchObject({
      type: 'image/gif',
      name: 'ME1.gif',
      size: 6,
      sha256: createHash('sha256').update(bytes).digest('hex'),
    });
    expect(Buffer.from(await media.bytes()).equals(bytes)).toBe(true);
    const chunks: Uint8Array[] = [];
    for await (const chunk of (await client.media.download('ME1')).stream) chunks.push(chunk);
    expect(Buffer.concat(chunks).equals(bytes)).toBe(true);
    expect(requests[0]).toMatchObject({ url: 'https://api.example/api/media/ME1%2F..', method: 'GET' });
  });

  it('waits for a file that is being copied, and is refused for one that is gone', async () => {
    const pending = () => refused(409, 'media_pending', { 'retry-after': '5' });
    const { client, requests } = scene([pending(), refused(503, 'unavailable'), file(), refused(410, 'media_expired')]);
    jest.useFakeTimers();
    const download = client.media.download('ME1');
    await jest.advanceTimersByTimeAsync(4_999);
    expect(requests).toHaveLength(1);
    await jest.runAllTimersAsync();
    expect((await download).size).toBe(6);
    jest.useRealTimers();
    expect(await failureOf(client.media.download('ME1'))).toMatchObject({ code: 'media_expired', status: 410 });
    expect(requests).toHaveLength(4);
  });

  it('is incomplete when the connection breaks', async () => {
    const broken = new ReadableStream<Uint8Array>({
      start(controller) {
        controller.enqueue(new Uint8Array(3));
        controller.error(new TypeError('terminated'));
      },
    });
    const { client } = scene([new Response(broken, { headers: { 'content-type': 'image/gif' } })]);
    const media = await client.media.download('ME1');
    expect(await failureOf(media.bytes())).toMatchObject({
      code: 'connection_failed',
      message: expect.stringMatching('incomplete'),
    });
  });
});

it('asks for the record of a message by its id, which is escaped', async () => {
  const { client, requests } = scene([json(200, { success: 'true', transitions: [{ status: 'queued' }] })]);
  const { transitions } = await client.messages.record('SM1/../2');
  expect(transitions).toEqual([{ status: 'queued' }]);
  expect(new URL(requests[0]?.url ?? '').pathname).toBe('/api/messages/SM1%2F..%2F2/record');
});

it('needs a key and an address', () => {
  expect(() => new Pennytext({ apiKey: '', baseUrl: 'https://api.example' })).toThrow('apiKey');
});
