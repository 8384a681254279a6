import type { CarrierMessage } from '../../carriers/carrier.js';
import { json, startLocalServer, type LocalServer } from '../../testing/local-server.js';
import { TelnyxCarrier } from './telnyx-carrier.js';

const ID = '40385f64-5717-4562-b3fc-2c963f66afa6';
/**
 * Timeout of the carrier that gets no answer. The usual carrier has time for answers on a busy
 * machine.
 */
const TIMEOUT_MS = 1_000;
const SLOW_MACHINE_MS = 5_000;

const message: CarrierMessage = {
  id: '0190f0aa-1234-7abc-8def-0123456789ab',
  accountId: '0190f0aa-0000-7abc-8def-0123456789ab',
  recipient: '+14155552671',
  sender: '+15005550100',
  body: 'Grüße & 100 % 😀',
  validSeconds: 600,
};
const statusUrl =
  'https://pennytext.test/webhooks/telnyx/status?message_id=SM0190f0aa12347abc8def0123456789ab&account_id=0190f0aa-0000-7abc-8def-0123456789ab';

/** A message of Telnyx's API. */
const stored = (changes: object = {}, status = 'queued') => ({
  data: {
    record_type: 'message',
    direction: 'outbound',
    id: ID,
    type: 'SMS',
    from: { phone_number: '+15005550100', carrier: 'Telnyx', line_type: 'Wireless' },
    to: [{ phone_number: '+14155552671', status, carrier: 'T-MOBILE USA', line_type: 'Wireless' }],
    text: 'Hello',
    webhook_url: statusUrl,
    errors: [],
    received_at: '2026-11-20T12:00:00.000+00:00',
    ...changes,
  },
});
/** A detail record; `secondsAgo` before noon. */
const detail = (uuid: string, secondsAgo: number, changes: object = {}) => ({
  record_type: 'message_detail_record',
  uuid,
  cli: '+15005550100',
  cld: '+14155552671',
  direction: 'outbound',
  status: 'delivered',
  errors: [],
  delivery_status_webhook_url: statusUrl,
  created_at: new Date(Date.UTC(2026, 10, 20, 12) - secondsAgo * 1_000).toISOString(),
  ...changes,
});
const uuid = (n: number) => `40385f64-5717-4562-b3fc-${String(n).padStart(12, '0')}`;
const failure = (code: string) => ({ errors: [{ code, title: 'No', detail: 'no' }] });

describe('TelnyxCarrier', () => {
  let server: LocalServer;
  let carrier: TelnyxCarrier;

  beforeEach(async () => {
    server = await startLocalServer();
    carrier = carrierAt(server.url);
  });

  afterEach(async () => {
    await carrier.close();
    await server.close();
  });

  const carrierAt = (apiUrl: string, timeoutMs = 10_000) =>
    new TelnyxCarrier({ apiKey: 'KEY0123', publicKey: '', apiUrl }, 'https://pennytext.test', timeoutMs);
  const becomeImpatient = async () => {
    await carrier.close();
    carrier = carrierAt(server.url, TIMEOUT_MS);
  };

  describe('send', () => {
    it('posts the message with its id in the URL for receipts', async () => {
      server.answer = json(200, stored());
      expect(await carrier.send(message)).toEqual({ kind: 'accepted', carrierId: ID });
      const [request] = server.requests;
      expect(request).toMatchObject({ method: 'POST', url: '/v2/messages', authorization: 'Bearer KEY0123' });
      expect(JSON.parse(request?.body ?? '')).toEqual({
        from: message.sender,
        to: message.recipient,
        text: message.body,
        type: 'SMS',
        webhook_url: statusUrl,
      });
    });

    it('names the files of a message by links, and leaves out an empty text', async () => {
      server.answer = json(200, stored());
      const mediaUrls = ['https://media.pennytext.test/m/1?e=2&s=a', 'https://media.pennytext.test/m/2'];
      await carrier.send({ ...message, body: '', mediaUrls });
      expect(JSON.parse(server.requests[0]?.body ?? '')).toEqual({
        from: message.sender,
        to: message.recipient,
        type: 'MMS',
        media_urls: mediaUrls,
        webhook_url: statusUrl,
      });
    });

    it('returns refused with the carrier’s code', async () => {
      server.answer = json(400, failure('40310'));
      expect(await carrier.send(message)).toEqual({ kind: 'refused', carrierError: 40_310 });
    });

    it('returns unavailable on HTTP 429 after one request, with the wait that Telnyx wants', async () => {
      server.answer = json(429, failure('10011'), { 'retry-after': '3' });
      expect(await carrier.send(message)).toMatchObject({ kind: 'unavailable', retryAfterMs: 3_000 });
      expect(server.requests).toHaveLength(1);
    });

    it.each([500, 502, 503, 504])('returns unknown on HTTP %i after one request', async (status) => {
      server.answer = json(status, failure('10007'));
      expect(await carrier.send(message)).toMatchObject({ kind: 'unknown' });
      expect(server.requests).toHaveLength(1);
    });

    it.each(['<h1>Bad gateway</h1>', '', 'null'])('returns unknown when a proxy answers 502 with %p', async (body) => {
      server.answer = (response) => response.writeHead(502, { 'content-type': 'text/html' }).end(body);
      expect(await carrier.send(message)).toMatchObject({ kind: 'unknown' });
    });

    it.each([
      ['text/html', '<h1>Welcome</h1>'],
      ['text/html', ''],
      ['application/json', '{}'],
      ['application/json', '{"data":{"id":"1"}}'],
      ['application/json', 'null'],
      ['application/json', '{"data":'],
    ])('returns unknown when a proxy answers 200 with %s %p', async (type, body) => {
      server.answer = (response) => response.writeHead(200, { 'content-type': type }).end(body);
      expect(await carrier.send(message)).toMatchObject({ kind: 'unknown' });
    });

    it.each([
      [401, failure('10009'), 10_009],
      [403, {}, null],
      [403, failure('20013'), 20_013],
    ])('returns suspended on HTTP %i with %j', async (httpStatus, body, carrierError) => {
      server.answer = json(httpStatus, body);
      expect(await carrier.send(message)).toEqual({ kind: 'suspended', httpStatus, carrierError });
    });

    it('returns unavailable when the connection is refused', async () => {
      const gone = await startLocalServer();
      await gone.close();
      const alone = carrierAt(gone.url);
      expect(await alone.send(message)).toMatchObject({ kind: 'unavailable' });
      await alone.close();
    });

    it('returns unknown when no answer arrives in time', async () => {
      server.answer = () => undefined;
      await becomeImpatient();
      const start = performance.now();
      expect(await carrier.send(message)).toMatchObject({ kind: 'unknown' });
      expect(performance.now() - start).toBeLessThan(TIMEOUT_MS + SLOW_MACHINE_MS);
      expect(server.requests).toHaveLength(1);
    });

    it('returns unknown when the answer is not complete in time', async () => {
      let drip: NodeJS.Timeout | undefined;
      server.answer = (response) => {
        response.writeHead(200, { 'content-type': 'application/json' });
        drip = setInterval(() => response.write(' '), TIMEOUT_MS / 8);
        response.on('close', () => clearInterval(drip));
      };
      await becomeImpatient();
      const start = performance.now();
      expect(await carrier.send(message)).toMatchObject({ kind: 'unknown' });
      expect(performance.now() - start).toBeLessThan(TIMEOUT_MS + SLOW_MACHINE_MS);
      clearInterval(drip);
    });

    it('returns unknown when the connection drops after the request has left', async () => {
      server.answer = (response) => response.destroy();
      expect(await carrier.send(message)).toMatchObject({ kind: 'unknown' });
      expect(server.requests).toHaveLength(1);
    });

    it('sends again after every kind of failure', async () => {
      for (const answer of [json(500, {}), (response: { destroy(): unknown }) => void response.destroy()]) {
        server.answer = answer;
        await carrier.send(message);
      }
      server.answer = json(200, stored());
      expect(await carrier.send(message)).toEqual({ kind: 'accepted', carrierId: ID });
    });
  });

  describe('find', () => {
    it.each([
      ['delivered', [], 'delivered', null],
      ['delivery_failed', [{ code: '40012', title: 'Invalid' }], 'undelivered', 40_012],
      ['sending_failed', [{ code: '40014', title: 'Expired' }], 'failed', 40_014],
      ['sent', undefined, 'sent', null],
    ])('returns a message that is %s', async (status, errors, expected, carrierError) => {
      server.answer = json(200, stored({ errors }, status));
      expect(await carrier.find(ID)).toEqual({
        carrierId: ID,
        messageId: message.id,
        sender: '+15005550100',
        chosenNumber: null,
        body: 'Hello',
        createdAt: new Date('2026-11-20T12:00:00Z'),
        status: expected,
        carrierError,
      });
      expect(server.requests[0]?.url).toBe(`/v2/messages/${ID}`);
    });

    it.each([
      [{ amount: '0.0051', currency: 'USD' }, 5_100n],
      [{ amount: '0.0051', currency: 'EUR' }, undefined],
      [{ amount: '1000.000001', currency: 'USD' }, undefined],
      [{ amount: null, currency: 'USD' }, undefined],
      [null, undefined],
    ])('returns a message that costs %j', async (cost, costMicrousd) => {
      server.answer = json(200, stored({ cost }));
      expect(await carrier.find(ID)).toMatchObject({ carrierId: ID, costMicrousd });
    });

    it('returns a message of another program without an id of ours', async () => {
      server.answer = json(200, stored({ webhook_url: 'https://example.com/hooks' }));
      expect((await carrier.find(ID))?.messageId).toBeUndefined();
    });

    it('returns undefined for 404', async () => {
      server.answer = json(404, failure('10005'));
      expect(await carrier.find(ID)).toBeUndefined();
    });

    it('throws when the request fails, and when the answer has another shape', async () => {
      server.answer = json(503, {});
      await expect(carrier.find(ID)).rejects.toMatchObject({ status: 503 });
      server.answer = json(200, { data: { id: ID } });
      await expect(carrier.find(ID)).rejects.toThrow('received_at');
    });
  });

  describe('check', () => {
    it('resolves when the account may list its messaging profiles, and throws otherwise', async () => {
      server.answer = json(200, { data: [], meta: { page_number: 1, total_pages: 1 } });
      await carrier.check();
      expect(server.requests[0]?.url).toMatch(/^\/v2\/messaging_profiles\?/);
      server.answer = json(401, failure('10009'));
      await expect(carrier.check()).rejects.toMatchObject({ status: 401 });
    });
  });

  describe('listTo', () => {
    const page = (from: number, count: number, number: number, total: number) => ({
      data: Array.from({ length: count }, (_, n) => detail(uuid(from + n), from + n)),
      meta: { page_number: number, page_size: 50, total_pages: total, total_results: 120 },
    });

    it('returns the records since an instant with our ids, oldest first, and requests no further page', async () => {
      const pages = [page(0, 50, 1, 3), page(50, 50, 2, 3), page(100, 20, 3, 3)];
      server.answer = (response, request) =>
        json(200, pages[Number(/page(?:%5B|\[)number(?:%5D|\])=(\d)/.exec(request.url)?.[1] ?? 1) - 1] ?? {})(
          response,
          request,
        );
      const records = await carrier.listTo('+14155552671', new Date(Date.UTC(2026, 10, 20, 12) - 75_000));
      expect(records.map(({ carrierId }) => carrierId)).toEqual(Array.from({ length: 76 }, (_, n) => uuid(75 - n)));
      expect(records[0]).toEqual({
        carrierId: uuid(75),
        messageId: message.id,
        sender: '+15005550100',
        chosenNumber: null,
        body: null,
        createdAt: new Date(Date.UTC(2026, 10, 20, 12) - 75_000),
        status: 'delivered',
        carrierError: null,
      });
      expect(server.requests).toHaveLength(2);
      const asked = new URL(server.requests[0]?.url ?? '', server.url);
      expect(asked.pathname).toBe('/v2/detail_records');
      expect(Object.fromEntries(asked.searchParams)).toMatchObject({
        'filter[record_type]': 'messaging',
        'filter[direction]': 'outbound',
        'filter[cld]': '+14155552671',
        'filter[created_at][gte]': '2026-11-20',
        sort: '-created_at',
        'page[size]': '50',
      });
    });

    it('reads the code of a failure, and leaves out what the number sent to us', async () => {
      server.answer = json(200, {
        data: [
          detail(uuid(1), 1, { status: 'gw_reject', errors: ['40300'] }),
          detail(uuid(2), 2, { direction: 'inbound', status: 'received' }),
          detail(uuid(3), 3, { status: undefined, delivery_status_webhook_url: 'https://example.com/x' }),
        ],
        meta: { page_number: 1, total_pages: 1 },
      });
      expect(await carrier.listTo('+14155552671', new Date(0))).toMatchObject([
        { carrierId: uuid(3), messageId: undefined, status: 'sent' },
        { carrierId: uuid(1), messageId: message.id, status: 'failed', carrierError: 40_300 },
      ]);
    });

    it('returns no messages when the carrier has none', async () => {
      server.answer = json(200, { data: [], meta: { page_number: 1, total_pages: 0 } });
      expect(await carrier.listTo('+14155552671', new Date(0))).toEqual([]);
    });

    it('throws when the request fails', async () => {
      server.answer = json(500, {});
      await expect(carrier.listTo('+14155552671', new Date(0))).rejects.toMatchObject({ status: 500 });
    });
  });
});
