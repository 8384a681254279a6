import type { CarrierMessage } from '../../carriers/carrier.js';
import { json, startLocalServer, type LocalServer } from '../../testing/local-server.js';
import { testConfig, testVariables } from '../../testing/test-config.js';
import { TwilioCarrier } from './twilio-carrier.js';

const SID = `SM${'a'.repeat(32)}`;
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
  sender: '+15005550006',
  body: 'Grüße & 100 % 😀',
};

/** A message resource of Twilio's API. */
const resource = (changes: object = {}) => ({
  sid: SID,
  account_sid: testVariables.TWILIO_ACCOUNT_SID,
  to: '+14155552671',
  from: '+15005550006',
  body: 'Hello',
  status: 'queued',
  messaging_service_sid: null,
  error_code: null,
  date_created: 'Fri, 20 Nov 2026 12:00:00 +0000',
  date_sent: null,
  ...changes,
});

describe('TwilioCarrier', () => {
  let server: LocalServer;
  let carrier: TwilioCarrier;

  beforeEach(async () => {
    server = await startLocalServer();
    carrier = carrierAt(server.url);
  });

  afterEach(async () => {
    await carrier.close();
    await server.close();
  });

  const carrierAt = (url: string, timeout = {}) => new TwilioCarrier(testConfig({ TWILIO_API_URL: url, ...timeout }));
  const becomeImpatient = async () => {
    await carrier.close();
    carrier = carrierAt(server.url, { CARRIER_TIMEOUT_MS: String(TIMEOUT_MS) });
  };

  describe('send', () => {
    it('posts the message with its id in the status callback', async () => {
      server.answer = json(201, resource());
      expect(await carrier.send(message)).toEqual({ kind: 'accepted', carrierId: SID });
      const [request] = server.requests;
      expect(request).toMatchObject({
        method: 'POST',
        url: `/2010-04-01/Accounts/${testVariables.TWILIO_ACCOUNT_SID}/Messages.json`,
      });
      expect(request?.form).toEqual({
        To: message.recipient,
        From: message.sender,
        Body: message.body,
        StatusCallback:
          'https://pennytext.test/webhooks/twilio/status?message_id=SM0190f0aa12347abc8def0123456789ab&account_id=0190f0aa-0000-7abc-8def-0123456789ab',
      });
      const credentials = `${testVariables.TWILIO_ACCOUNT_SID}:${testVariables.TWILIO_AUTH_TOKEN}`;
      expect(request?.authorization).toBe(`Basic ${Buffer.from(credentials).toString('base64')}`);
    });

    it('tells Twilio how long the message is of use', async () => {
      server.answer = json(201, resource());
      for (const validSeconds of [600, 0.2, -5, 90_000]) await carrier.send({ ...message, validSeconds });
      expect(server.requests.map(({ form }) => Number(form?.['ValidityPeriod']))).toEqual([600, 1, 1, 14_400]);
    });

    it('names the files of a message by links, in their order, and leaves out an empty text', async () => {
      server.answer = json(201, resource());
      const mediaUrls = ['https://media.pennytext.test/m/1?e=2&s=a', 'https://media.pennytext.test/m/2'];
      await carrier.send({ ...message, body: '', mediaUrls });
      const form = new URLSearchParams(server.requests[0]?.body);
      expect(form.getAll('MediaUrl')).toEqual(mediaUrls);
      expect(form.has('Body')).toBe(false);
      await carrier.send({ ...message, mediaUrls });
      expect(new URLSearchParams(server.requests[1]?.body).get('Body')).toBe(message.body);
    });

    it('lets a messaging service choose the number', async () => {
      server.answer = json(201, resource());
      const sender = `MG${'0'.repeat(32)}`;
      await carrier.send({ ...message, sender });
      expect(server.requests[0]?.form).toMatchObject({ MessagingServiceSid: sender });
      expect(server.requests[0]?.form).not.toHaveProperty('From');
    });

    it('returns refused with the carrier’s code', async () => {
      server.answer = json(400, { code: 21_211, message: 'Invalid To', status: 400 });
      expect(await carrier.send(message)).toMatchObject({ kind: 'refused', carrierError: 21_211 });
    });

    it('returns unavailable on HTTP 429 after one request', async () => {
      server.answer = json(429, { code: 20_429, message: 'Too many', status: 429 });
      expect(await carrier.send(message)).toMatchObject({ kind: 'unavailable' });
      expect(server.requests).toHaveLength(1);
    });

    it.each([500, 502, 503, 504])('returns unknown on HTTP %i after one request', async (status) => {
      server.answer = json(status, { code: 20_500, message: 'Internal error', status });
      expect(await carrier.send(message)).toMatchObject({ kind: 'unknown' });
      expect(server.requests).toHaveLength(1);
    });

    it.each(['<h1>Bad gateway</h1>', '', 'null'])('returns unknown when a proxy answers 502 with %p', async (body) => {
      server.answer = (response) => response.writeHead(502, { 'content-type': 'text/html' }).end(body);
      expect(await carrier.send(message)).toMatchObject({ kind: 'unknown' });
    });

    it.each(['<h1>Welcome</h1>', '', '{}'])('returns unknown when a proxy answers 200 with %p', async (body) => {
      server.answer = (response) => response.writeHead(200, { 'content-type': 'text/html' }).end(body);
      expect(await carrier.send(message)).toMatchObject({ kind: 'unknown' });
    });

    it.each([
      [401, { code: 20_003, message: 'Authenticate', status: 401 }, 20_003],
      [403, {}, null],
      [403, { type: 'about:blank', title: 'Forbidden', status: 403, code: 20_403 }, 20_403],
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
        response.writeHead(201, { 'content-type': 'application/json' });
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
      server.answer = json(201, resource());
      expect(await carrier.send(message)).toEqual({ kind: 'accepted', carrierId: SID });
    });
  });

  describe('find', () => {
    it.each([
      ['delivered', null, 'delivered'],
      ['undelivered', 30_003, 'undelivered'],
      ['sent', null, 'sent'],
    ])('returns a message that is %s', async (status, code, expected) => {
      server.answer = json(200, resource({ status, error_code: code }));
      expect(await carrier.find(SID)).toEqual({
        carrierId: SID,
        sender: '+15005550006',
        chosenNumber: null,
        body: 'Hello',
        files: 0,
        createdAt: new Date('2026-11-20T12:00:00Z'),
        status: expected,
        carrierError: code,
      });
      expect(server.requests[0]?.url).toBe(
        `/2010-04-01/Accounts/${testVariables.TWILIO_ACCOUNT_SID}/Messages/${SID}.json`,
      );
    });

    it('returns the number that a messaging service chose, once it has', async () => {
      const service = `MG${'5'.repeat(32)}`;
      for (const from of [null, '+15005550009']) {
        server.answer = json(200, resource({ messaging_service_sid: service, from }));
        expect(await carrier.find(SID)).toMatchObject({ sender: service, chosenNumber: from });
      }
    });

    it('returns how many files a message has', async () => {
      server.answer = json(200, resource({ num_media: '3', body: null }));
      expect(await carrier.find(SID)).toMatchObject({ files: 3, body: '' });
    });

    it('returns undefined for 404', async () => {
      server.answer = json(404, { code: 20_404, message: 'not found', status: 404 });
      expect(await carrier.find(SID)).toBeUndefined();
    });

    it('throws when the request fails', async () => {
      server.answer = json(503, {});
      await expect(carrier.find(SID)).rejects.toMatchObject({ status: 503 });
    });
  });

  describe('check', () => {
    it('resolves when the account may list its messages, and throws otherwise', async () => {
      server.answer = json(200, { messages: [], next_page_uri: null });
      await carrier.check();
      server.answer = json(401, { code: 20_003, message: 'Authenticate', status: 401 });
      await expect(carrier.check()).rejects.toMatchObject({ status: 401 });
    });
  });

  describe('listTo', () => {
    const page = (from: number, count: number, next: string | null) => ({
      messages: Array.from({ length: count }, (_, n) =>
        resource({
          sid: `SM${String(from + n).padStart(32, '0')}`,
          date_created: new Date(Date.UTC(2026, 10, 20, 12, 0, 0) - (from + n) * 1_000).toUTCString(),
        }),
      ),
      next_page_uri: next,
      uri: '/x',
      page: 0,
      page_size: 100,
    });

    it('returns the messages since an instant, oldest first, and requests no further page', async () => {
      const pages = new Map([
        ['0', page(0, 100, '/2010-04-01/Accounts/AC/Messages.json?Page=1')],
        ['1', page(100, 100, '/2010-04-01/Accounts/AC/Messages.json?Page=2')],
        ['2', page(200, 100, null)],
      ]);
      server.answer = (response, { url }) =>
        json(200, pages.get(/[?&]Page=(\d)/.exec(url)?.[1] ?? '0') ?? {})(response, server.requests[0] as never);
      const since = new Date(Date.UTC(2026, 10, 20, 12, 0, 0) - 150 * 1_000);
      const records = await carrier.listTo('+14155552671', since);
      expect(records).toHaveLength(151);
      expect(records.map(({ createdAt }) => createdAt.getTime())).toEqual(
        records.map(({ createdAt }) => createdAt.getTime()).sort((a, b) => a - b),
      );
      expect(server.requests).toHaveLength(2);
      expect(new URL(server.requests[0]?.url ?? '', server.url).searchParams.get('To')).toBe('+14155552671');
    });

    it('leaves out what the number sent to us when it is one of ours', async () => {
      server.answer = json(200, {
        messages: [
          resource({ direction: 'inbound' }),
          resource({ sid: `SM${'b'.repeat(32)}`, direction: 'outbound-api' }),
        ],
        next_page_uri: null,
      });
      const records = await carrier.listTo('+14155552671', new Date(0));
      expect(records.map(({ carrierId }) => carrierId)).toEqual([`SM${'b'.repeat(32)}`]);
    });

    it('returns no messages when the carrier has none', async () => {
      server.answer = json(200, page(0, 0, null));
      expect(await carrier.listTo('+14155552671', new Date(0))).toEqual([]);
    });

    it('throws when the request fails', async () => {
      server.answer = json(500, {});
      await expect(carrier.listTo('+14155552671', new Date(0))).rejects.toMatchObject({ status: 500 });
    });
  });

  describe('listReplies', () => {
    it('returns the incoming messages of a number since an instant, oldest first', async () => {
      const came = (sid: string, more: object = {}) =>
        resource({ sid, direction: 'inbound', from: '+14155552671', to: '+15005550006', num_segments: '2', ...more });
      server.answer = json(200, {
        messages: [
          came('SM2', { body: 'Yes\0', num_media: '3', messaging_service_sid: `MG${'1'.repeat(32)}` }),
          resource({ sid: 'SM9', direction: 'outbound-api', to: '+15005550006' }),
          came('SM1', { messaging_service_sid: null }),
        ],
        next_page_uri: null,
      });
      expect(await carrier.listReplies('+15005550006', new Date('2026-11-20T11:00:00Z'))).toEqual([
        expect.objectContaining({ carrierId: 'SM1', service: undefined, text: 'Hello', segments: 2, files: 0 }),
        {
          carrierId: 'SM2',
          sender: '+14155552671',
          recipient: '+15005550006',
          service: `MG${'1'.repeat(32)}`,
          text: 'Yes\ufffd',
          segments: 2,
          files: 3,
          createdAt: new Date('2026-11-20T12:00:00Z'),
        },
      ]);
      const asked = new URL(server.requests[0]?.url ?? '', server.url).searchParams;
      expect([asked.get('To'), asked.get('DateSent>')]).toEqual(['+15005550006', '2026-11-20T11:00:00Z']);
    });

    it.each([
      ['0', 1],
      ['1', 1],
      ['1.5', 1],
      ['99999', 1_000],
      ['many', 1],
    ])('counts %p segments as %i', async (segments, counted) => {
      const reply = resource({ direction: 'inbound', num_segments: segments });
      server.answer = json(200, { messages: [reply], next_page_uri: null });
      expect(await carrier.listReplies('+15005550006', new Date(0))).toMatchObject([{ segments: counted }]);
    });

    it('throws when the request fails', async () => {
      server.answer = json(500, {});
      await expect(carrier.listReplies('+15005550006', new Date(0))).rejects.toMatchObject({ status: 500 });
    });
  });

  describe('files', () => {
    const MM = `MM${'b'.repeat(32)}`;
    const path = `/2010-04-01/Accounts/${testVariables.TWILIO_ACCOUNT_SID}/Messages/${MM}/Media`;

    it('are listed with the addresses that they are fetched from', async () => {
      server.answer = json(200, {
        media_list: [{ sid: 'ME1', content_type: 'image/jpeg', uri: `${path}/ME1.json` }],
        next_page_uri: null,
      });
      expect(await carrier.listFiles(MM)).toEqual([{ url: `${server.url}${path}/ME1`, type: 'image/jpeg' }]);
      expect(server.requests[0]?.url.split('?')[0]).toBe(`${path}.json`);
      expect(carrier.headersFor(new URL(`${server.url}${path}/ME1`))).toEqual({
        authorization: server.requests[0]?.authorization,
      });
    });

    it('are none of a deleted message, and unknown when the request fails', async () => {
      server.answer = json(404, {});
      expect(await carrier.listFiles(MM)).toEqual([]);
      server.answer = json(500, {});
      await expect(carrier.listFiles(MM)).rejects.toMatchObject({ status: 500 });
    });

    it('are deleted, also those that are gone', async () => {
      const url = new URL(`${server.url}${path}/ME${'a'.repeat(32)}`);
      for (const status of [204, 404]) {
        server.answer = json(status, {});
        await carrier.deleteFile(url);
      }
      expect(server.requests.map(({ method, url: asked }) => `${method} ${asked}`)).toEqual([
        `DELETE ${url.pathname}.json`,
        `DELETE ${url.pathname}.json`,
      ]);
      server.answer = json(500, {});
      await expect(carrier.deleteFile(url)).rejects.toMatchObject({ status: 500 });
    });

    it('are not deleted anywhere else', async () => {
      await carrier.deleteFile(new URL('https://media.twiliocdn.com/AC1/abc'));
      expect(server.requests).toEqual([]);
    });
  });
});
