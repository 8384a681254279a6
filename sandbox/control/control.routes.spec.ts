import { TestSandbox, until } from '../testing/test-sandbox.js';

const sandbox = new TestSandbox();
const sender = '+15005550006';
const recipient = '+14155552671';
/** Timers may fire a millisecond before the clock is there. */
const TIMER_EARLY_MS = 5;
const hello = { to: recipient, from: sender, body: 'Hello' };

interface SeenMessage {
  readonly sid: string;
  readonly body: string;
  readonly status: string;
}

beforeAll(() => sandbox.start());
beforeEach(async () => {
  await sandbox.post('/_control/reset', {});
  sandbox.product.posts.length = 0;
});
afterAll(() => sandbox.stop());

const seen = (query = '') => sandbox.get<SeenMessage[]>(`/_control/messages${query}`);
const fault = (settings: object) => sandbox.post('/_control/faults', { service: 'twilio', ...settings });

describe('GET /_control/messages', () => {
  it('lists accepted messages, oldest first', async () => {
    const statusCallback = `${sandbox.product.url}/status`;
    const { sid } = await sandbox.sdk().messages.create({ ...hello, statusCallback });
    await sandbox.sdk().messages.create({ ...hello, to: '+442071838750', body: 'Second' });
    await sandbox.post('/_control/inbound', { from: recipient, to: sender, body: 'a reply is not listed' });
    expect((await seen()).map(({ body }) => body)).toEqual(['Hello', 'Second']);
    expect(await seen(`?to=${recipient}`)).toMatchObject([
      { sid, to: recipient, from: sender, body: 'Hello', statusCallback, at: expect.stringMatching(/^\d{4}-.*Z$/) },
    ]);
    expect((await seen(`?after=${sid}`)).map(({ body }) => body)).toEqual(['Second']);
    expect((await seen('?limit=1')).map(({ body }) => body)).toEqual(['Hello']);
    expect(await seen('?to=+999999999')).toEqual([]);
  });

  it('streams lists of more than one chunk', async () => {
    const client = sandbox.sdk();
    for (let batch = 0; batch < 11; batch++) {
      await Promise.all(Array.from({ length: 100 }, () => client.messages.create(hello)));
    }
    expect(await seen()).toHaveLength(1100);
    expect(await sandbox.get('/_control/messages/count')).toMatchObject({ count: 1100 });
  }, 20_000);
});

describe('POST /_control/inbound', () => {
  it('posts a signed reply and returns the status of the product', async () => {
    const { json } = await sandbox.post('/_control/inbound', {
      from: recipient,
      to: sender,
      body: 'Größe & 🎉 = 100%',
    });
    expect(json['status']).toBe(200);
    expect(sandbox.product.posts).toMatchObject([
      {
        path: '/webhooks/twilio/inbound',
        isSigned: true,
        fields: {
          MessageSid: json['sid'],
          SmsSid: json['sid'],
          From: recipient,
          To: sender,
          Body: 'Größe & 🎉 = 100%',
          NumMedia: '0',
          NumSegments: '1',
        },
      },
    ]);
    expect(sandbox.product.posts[0]?.fields).not.toHaveProperty('MessagingServiceSid');
  });

  it('does not retry after a 5xx and returns the error that Twilio would log', async () => {
    sandbox.product.answers = [500];
    const { json } = await sandbox.post('/_control/inbound', { from: recipient, to: sender, body: 'Hello' });
    expect(json).toMatchObject({ status: 500, error: '11200: HTTP retrieval failure: 500' });
    expect(sandbox.product.posts).toHaveLength(1);
  });

  it('includes the messaging service of the sender', async () => {
    const messagingServiceSid = `MG${'0'.repeat(32)}`;
    await sandbox.sdk().messages.create({ to: recipient, messagingServiceSid, body: 'Hello' });
    await sandbox.post('/_control/inbound', { from: recipient, to: sender, body: 'Hello back' });
    expect(sandbox.product.posts.at(-1)?.fields).toMatchObject({ MessagingServiceSid: messagingServiceSid });
  });

  it('reports an answer that is not TwiML', async () => {
    sandbox.product.answers = [{ body: '{"success":"true"}', contentType: 'application/json' }];
    const { json } = await sandbox.post('/_control/inbound', { from: recipient, to: sender, body: 'Hello' });
    expect(json).toMatchObject({ status: 200, error: '12300: Invalid Content-Type: application/json' });
  });

  it('forwards STOP to the product and answers it once', async () => {
    for (let n = 0; n < 2; n++) await sandbox.post('/_control/inbound', { from: recipient, to: sender, body: 'STOP' });
    expect(sandbox.product.posts.map(({ fields }) => fields['Body'])).toEqual(['STOP', 'STOP']);
    const sent = await sandbox.sdk().messages.list({ to: recipient });
    expect(sent).toMatchObject([
      { direction: 'outbound-reply', body: expect.stringMatching(/^You have successfully been unsubscribed/) },
    ]);
    expect(await seen()).toEqual([]);
    expect(await sandbox.get('/_control/messages/count')).toMatchObject({ count: 0 });
  });

  it('returns status 0 and the error when the product does not answer', async () => {
    const other = new TestSandbox();
    await other.start();
    await other.product.stop();
    const { json } = await other.post('/_control/inbound', { from: recipient, to: sender, body: 'Hello' });
    expect(json).toMatchObject({ status: 0, error: expect.stringMatching(/^11205: .*ECONNREFUSED/) });
    await other.stopSandbox();
  });

  it('rejects messages to a phone between its STOP and START', async () => {
    await sandbox.post('/_control/inbound', { from: recipient, to: sender, body: 'stop' });
    await expect(sandbox.sdk().messages.create(hello)).rejects.toMatchObject({ status: 400, code: 21610 });
    await sandbox.post('/_control/inbound', { from: recipient, to: sender, body: 'START' });
    await expect(sandbox.sdk().messages.create(hello)).resolves.toMatchObject({ status: 'queued' });
  });

  it.each([
    [{}, 'from: '],
    [{ from: '12', to: sender, body: 'x' }, 'from: is not a phone number'],
    [{ from: recipient, to: sender, body: '' }, 'body: must not be empty'],
    [{ from: recipient, to: recipient, body: 'x' }, 'to: must differ from'],
    [{ from: recipient, to: sender, body: 'x'.repeat(1601) }, 'body: must have up to 1600'],
  ])('rejects %j', async (body, message) => {
    const { status, json } = await sandbox.post('/_control/inbound', body);
    expect(status).toBe(400);
    expect(json['error']).toContain(message);
  });
});

describe('POST /_control/faults', () => {
  it.each([
    ['429', 429, 20429],
    ['500', 500, 20500],
    ['refuse', 400, 21612],
    ['suspended', 401, 20003],
  ])('%s fails `count` creates', async (mode, status, code) => {
    await fault({ mode, count: 2 });
    for (let n = 0; n < 2; n++) {
      await expect(sandbox.sdk().messages.create(hello)).rejects.toMatchObject({ status, code });
    }
    await expect(sandbox.sdk().messages.create(hello)).resolves.toMatchObject({ status: 'queued' });
    expect(await seen()).toHaveLength(1);
  });

  it('applies until changed without a count', async () => {
    await fault({ mode: '500' });
    for (let n = 0; n < 3; n++)
      await expect(sandbox.sdk().messages.create(hello)).rejects.toMatchObject({ status: 500 });
    expect(await sandbox.get('/_control/faults')).toMatchObject({
      faults: expect.arrayContaining([
        { service: 'twilio', mode: '500', from: null, count: null, delayMs: 0, endsAt: null },
      ]),
    });
    await fault({ mode: 'none' });
    await expect(sandbox.sdk().messages.create(hello)).resolves.toMatchObject({ status: 'queued' });
  });

  it('applies for a number of seconds', async () => {
    const setAtMs = Date.now();
    const { json } = await fault({ mode: '500', forSeconds: 1 });
    const endsAtMs = Date.parse(String(json['endsAt']));
    expect(endsAtMs - setAtMs).toBeGreaterThanOrEqual(1_000);
    await expect(sandbox.sdk().messages.create(hello)).rejects.toMatchObject({ status: 500 });
    await until('a message is taken', () =>
      sandbox
        .sdk()
        .messages.create(hello)
        .then(
          () => true,
          () => false,
        ),
    );
    expect(Date.now()).toBeGreaterThanOrEqual(endsAtMs - TIMER_EARLY_MS);
  });

  it('delay answers late', async () => {
    await fault({ mode: 'delay', delayMs: 120, count: 1 });
    const startedAt = performance.now();
    await sandbox.sdk().messages.create(hello);
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(115);
  });

  it('timeout breaks the connections that it has left unanswered when it ends', async () => {
    await fault({ mode: 'timeout', count: 3 });
    const left = [1, 2].map(() => sandbox.sdk({ timeoutMs: 60_000 }).messages.create(hello));
    const outcomes = Promise.allSettled(left);
    const countLeft = async () => {
      const { faults } = await sandbox.get<{ faults: { service: string; count: number }[] }>('/_control/faults');
      return faults.find(({ service }) => service === 'twilio')?.count;
    };
    await until('both wait', async () => (await countLeft()) === 1);
    await fault({ mode: 'none' });
    expect((await outcomes).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(await seen()).toEqual([]);
  });

  it('timeout accepts nothing and answers nothing', async () => {
    await fault({ mode: 'timeout', count: 1 });
    const client = sandbox.sdk({ timeoutMs: 150 });
    await expect(client.messages.create(hello)).rejects.toThrow('timeout');
    expect(await seen()).toEqual([]);
  });

  it('lost-answer accepts, then drops the connection', async () => {
    await fault({ mode: 'lost-answer', count: 1 });
    await expect(sandbox.sdk().messages.create(hello)).rejects.toMatchObject({ code: 'ECONNRESET' });
    expect(await seen()).toHaveLength(1);
  });

  it('accepted-then-5xx accepts, then answers 504', async () => {
    await fault({ mode: 'accepted-then-5xx', count: 1 });
    await expect(sandbox.sdk().messages.create(hello)).rejects.toMatchObject({ status: 504 });
    expect(await seen()).toHaveLength(1);
  });

  it('filtered ends the messages of one sender as spam, and leaves those of others alone', async () => {
    const from = '+12125550143';
    await fault({ mode: 'filtered', from, count: 1 });
    const send = (number: string) => sandbox.sdk().messages.create({ ...hello, from: number });
    const [other, filtered, next] = [await send(hello.from), await send(from), await send(from)];
    const statusOf = async (sid: string) => (await sandbox.fetched(sid)).status;
    await until('all have ended', async () => {
      const statuses = await Promise.all([other, filtered, next].map(({ sid }) => statusOf(sid)));
      return statuses.join() === 'delivered,undelivered,delivered';
    });
    const { errorCode, errorMessage } = await sandbox.fetched(filtered.sid);
    expect([errorCode, errorMessage]).toEqual([30007, 'Message filtered']);
  });

  it('takes a sender for carriers alone', async () => {
    const { status, json } = await fault({ service: 'stripe', mode: '500', from: '+12125550143' });
    expect([status, String(json['error'])]).toEqual([400, expect.stringContaining('from')]);
  });

  it('fake-callback posts a forged receipt before each genuine one', async () => {
    await fault({ mode: 'fake-callback', count: 1 });
    await sandbox.sdk().messages.create({ ...hello, statusCallback: `${sandbox.product.url}/status` });
    await until('the callbacks have arrived', () => sandbox.product.posts.length >= 4);
    expect(sandbox.product.posts.map(({ fields, isSigned }) => [fields['MessageStatus'], isSigned])).toEqual([
      ['undelivered', false],
      ['sent', true],
      ['undelivered', false],
      ['delivered', true],
    ]);
  });

  it('late-callback posts the receipts after delayMs', async () => {
    await fault({ mode: 'late-callback', count: 1, delayMs: 300 });
    const startedAt = performance.now();
    await sandbox.sdk().messages.create({ ...hello, statusCallback: `${sandbox.product.url}/status` });
    await until('a callback has arrived', () => sandbox.product.posts.length > 0);
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(300);
  });

  it.each([
    ['duplicate-callback', ['sent', 'sent', 'delivered', 'delivered'], 'delivered'],
    ['no-callback', [], 'delivered'],
    ['undelivered', ['sent', 'undelivered'], 'undelivered'],
  ])('%s results in the callbacks %j', async (mode, expected, end) => {
    await fault({ mode, count: 1 });
    const created = await sandbox.sdk().messages.create({ ...hello, statusCallback: `${sandbox.product.url}/status` });
    await until('the message has its final status', async () => (await sandbox.fetched(created.sid)).status === end);
    await until('the callbacks have arrived', () => sandbox.product.posts.length >= expected.length);
    expect(sandbox.product.posts.map(({ fields }) => fields['MessageStatus'])).toEqual(expected);
    if (end === 'undelivered') {
      expect(sandbox.product.posts[1]?.fields['ErrorCode']).toBe('30003');
      expect(await sandbox.fetched(created.sid)).toMatchObject({
        errorCode: 30003,
        errorMessage: 'Unreachable destination handset',
      });
    }
  });

  it.each([
    [{ media: [{ sample: 'virus' }] }, 'media.0'],
    [{ media: [{ type: 'picture', data: '' }] }, 'media.0'],
    [{ media: [{ type: 'image/png', data: '?' }] }, 'media.0'],
    [{ media: Array.from({ length: 21 }, () => ({ sample: 'png' })) }, 'media: has at most 20 files'],
    [{ media: [] }, 'body: must not be empty'],
  ])('rejects a reply with %j', async (more, message) => {
    const answer = await sandbox.post('/_control/inbound', { from: '+14155552671', to: '+15005550006', ...more });
    expect([answer.status, answer.json['error']]).toEqual([400, expect.stringContaining(message)]);
    expect(sandbox.product.posts).toEqual([]);
  });

  it.each([
    [
      { service: 'fax', mode: 'none' },
      'service: must be one of: twilio, telnyx, smsc, numbers, stripe, google, media, mail, whatsapp, voice',
    ],
    [{ service: 'google', mode: 'lost-answer' }, 'mode: must be one of: none, delay, 500, timeout'],
    [{ service: 'twilio', mode: 'explode' }, 'mode: must be one of: none, delay'],
    [{ service: 'twilio', mode: '500', count: 0 }, 'count: '],
    [{ service: 'twilio', mode: '500', forSeconds: 0 }, 'forSeconds: '],
  ])('rejects %j', async (body, message) => {
    const { status, json } = await sandbox.post('/_control/faults', body);
    expect(status).toBe(400);
    expect(json['error']).toContain(message);
  });

  it('rejects a body that is not JSON', async () => {
    const answer = await fetch(`${sandbox.url}/_control/faults`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{',
    });
    expect(answer.status).toBe(400);
  });
});
