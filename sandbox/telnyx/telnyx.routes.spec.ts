import { TestSandbox, until } from '../testing/test-sandbox.js';

const sandbox = new TestSandbox();
const sender = '+15005550100';
const recipient = '+14155552671';
const statusPath = '/webhooks/telnyx/status?message_id=SM1';
const hello = { to: recipient, from: sender, text: 'Hello' };
/** Expected error of the SDK. */
const failure = (status: number, code: string) => ({ status, error: { errors: [expect.objectContaining({ code })] } });

beforeAll(() => sandbox.start());
beforeEach(async () => {
  await sandbox.post('/_control/reset', {});
  sandbox.product.posts.length = 0;
  sandbox.product.answers = [];
});
afterAll(() => sandbox.stop());

const fault = (settings: object) => sandbox.post('/_control/faults', { service: 'telnyx', ...settings });
const send = async (more: object = {}) => (await sandbox.telnyx().messages.send({ ...hello, ...more })).data;
const sendTracked = () => send({ webhook_url: sandbox.product.url + statusPath });
const statusOf = async (id: string) => {
  const { data } = await sandbox.telnyx().messages.retrieve(id);
  return data !== undefined && 'to' in data ? data.to : undefined;
};
const events = () =>
  sandbox.product.posts.map(({ path, telnyxEvent }) => {
    const to = telnyxEvent?.payload['to'] as { status: string }[] | undefined;
    return [path, telnyxEvent?.event_type, to?.[0]?.status];
  });
const seen = () => sandbox.get<{ sid: string; carrier: string }[]>('/_control/messages');

describe('sending a message with the SDK', () => {
  it('answers a queued message', async () => {
    expect(await send({ text: 'Ünï "quoted" \n €' })).toMatchObject({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      direction: 'outbound',
      type: 'SMS',
      from: { phone_number: sender },
      to: [{ phone_number: recipient, status: 'queued' }],
      text: 'Ünï "quoted" \n €',
      parts: 1,
      errors: [],
      cost: { amount: '0.0040', currency: 'USD' },
      webhook_url: null,
    });
    expect(await seen()).toMatchObject([{ carrier: 'telnyx', from: sender, to: recipient }]);
    expect(await sandbox.get('/_control/messages?carrier=twilio')).toEqual([]);
  });

  it('delivers the message with signed receipts in order', async () => {
    const { id = '' } = (await sendTracked()) ?? {};
    await until('both receipts have arrived', () => sandbox.product.posts.length === 2);
    expect(events()).toEqual([
      [statusPath, 'message.sent', 'sent'],
      [statusPath, 'message.finalized', 'delivered'],
    ]);
    expect(sandbox.product.posts[1]?.telnyxEvent?.payload).toMatchObject({
      id,
      errors: [],
      webhook_url: sandbox.product.url + statusPath,
      completed_at: expect.stringMatching(/^20/),
    });
    expect(await statusOf(id)).toMatchObject([{ status: 'delivered' }]);
  });

  it('posts a receipt to the profile after three failures at the message’s URL', async () => {
    sandbox.product.answers = [404, 500, 503];
    await sendTracked();
    await until('the receipts have arrived', () => sandbox.product.posts.length === 5, 8_000);
    expect(events().map(([path, type]) => [path, type])).toEqual([
      [statusPath, 'message.sent'],
      [statusPath, 'message.sent'],
      [statusPath, 'message.sent'],
      ['/webhooks/telnyx/inbound', 'message.sent'],
      [statusPath, 'message.finalized'],
    ]);
    expect(new Set(sandbox.product.posts.slice(0, 4).map(({ telnyxEvent }) => telnyxEvent?.id)).size).toBe(1);
  }, 15_000);

  it.each([
    [{ to: '' }, 422, '10004'],
    [{ from: '' }, 422, '10004'],
    [{ text: '' }, 400, '40316'],
    [{ to: '123' }, 400, '40310'],
    [{ from: '+12' }, 400, '40305'],
    [{ text: 'x'.repeat(1_531) }, 400, '40302'],
    [{ webhook_url: 'not a url' }, 400, '10003'],
    [{ to: 7 }, 400, '10015'],
  ])('rejects %j with %i and %s, and stores nothing', async (change, status, code) => {
    await expect(send(change)).rejects.toMatchObject(failure(status, code));
    expect(await seen()).toEqual([]);
  });

  it('rejects a wrong key with 10009, a body that is no JSON with 10015, and an unknown path with 10005', async () => {
    await expect(sandbox.telnyx({ apiKey: 'KEYx' }).messages.send(hello)).rejects.toMatchObject(failure(401, '10009'));
    const headers = { authorization: 'Bearer KEY_sandbox', 'content-type': 'application/json' };
    const broken = await fetch(`${sandbox.url}/v2/messages`, { method: 'POST', headers, body: '{' });
    expect([broken.status, await broken.json()]).toMatchObject([400, { errors: [{ code: '10015' }] }]);
    const unknown = await fetch(`${sandbox.url}/v2/nothing`, { headers });
    expect([unknown.status, await unknown.json()]).toMatchObject([404, { errors: [{ code: '10005' }] }]);
  });

  it('answers 10005 for an unknown message, and for one of Twilio', async () => {
    const { sid } = await sandbox.sdk().messages.create({ to: recipient, from: '+15005550006', body: 'Hello' });
    for (const id of [sid, '00000000-0000-4000-8000-000000000000'])
      await expect(sandbox.telnyx().messages.retrieve(id)).rejects.toMatchObject(failure(404, '10005'));
    const { id = '' } = (await send()) ?? {};
    await expect(sandbox.fetched(id)).rejects.toMatchObject({ status: 404 });
    expect(await sandbox.sdk().messages.list({ to: recipient })).toHaveLength(1);
  });

  it('lists its messaging profile', async () => {
    expect((await sandbox.telnyx().messagingProfiles.list()).data).toHaveLength(1);
  });
});

describe('listing detail records with the SDK', () => {
  const list = async (filter: object = {}, more: object = {}) => {
    const records: object[] = [];
    const query = { filter: { record_type: 'messaging', ...filter }, ...more } as const;
    for await (const record of sandbox.telnyx().detailRecords.list(query)) records.push(record);
    return records;
  };

  it('pages through the records of a recipient, newest first', async () => {
    const ids: (string | undefined)[] = [];
    for (let n = 0; n < 5; n++) {
      ids.push((await send())?.id);
      await send({ to: '+14155550000' });
    }
    const today = new Date().toISOString().slice(0, 10);
    const filter = { cld: recipient, created_at: { gte: today } };
    const found = await list(filter, { sort: ['-created_at'], 'page[size]': 2 });
    expect(found.map((record) => (record as { uuid: string }).uuid)).toEqual(ids.toReversed());
    expect(await list({ cld: recipient, created_at: { lt: today } })).toEqual([]);
    expect(await list({ cld: recipient, direction: 'inbound' })).toEqual([]);
  });

  it('has the URL for receipts, and a status once the message is final', async () => {
    await fault({ mode: 'undelivered', count: 1 });
    await sendTracked();
    const [queued] = await list();
    expect(queued).toMatchObject({
      record_type: 'message_detail_record',
      cli: sender,
      cld: recipient,
      direction: 'outbound',
      delivery_status_webhook_url: sandbox.product.url + statusPath,
      errors: [],
    });
    expect(queued).not.toHaveProperty('status');
    await until('the receipts have arrived', () => sandbox.product.posts.length === 2);
    expect(await list()).toMatchObject([{ status: 'failed', errors: ['40008'], cost: '0.0040' }]);
  });

  it.each([[{ record_type: 'fax' }], [{ started_at: { gte: '2026-01-01' } }], [{ created_at: { gte: 'soon' } }]])(
    'refuses the filter %j',
    async (filter) => {
      await expect(list(filter)).rejects.toMatchObject(failure(400, '10015'));
    },
  );
});

describe('replies', () => {
  const reply = (body: string, more: object = {}) =>
    sandbox.post('/_control/inbound', { from: recipient, to: sender, body, ...more });

  it('come from the carrier that sent to the phone last', async () => {
    await send();
    const { json } = await reply('Größe & 🎉');
    expect(json).toEqual({ sid: expect.stringMatching(/^[0-9a-f-]{36}$/), status: 200 });
    expect(sandbox.product.posts).toMatchObject([
      {
        path: '/webhooks/telnyx/inbound',
        contentType: 'application/json',
        telnyxEvent: {
          event_type: 'message.received',
          payload: {
            id: json['sid'],
            direction: 'inbound',
            from: { phone_number: recipient },
            to: [{ phone_number: sender }],
            text: 'Größe & 🎉',
            parts: 1,
          },
        },
      },
    ]);
    expect(sandbox.product.posts[0]?.telnyxEvent?.payload).not.toHaveProperty('autoresponse_type');
  });

  it('come from the carrier that is named, where nothing was sent', async () => {
    await reply('Hello', { carrier: 'telnyx' });
    await reply('Hello');
    expect(sandbox.product.posts.map(({ path }) => path)).toEqual([
      '/webhooks/telnyx/inbound',
      '/webhooks/twilio/inbound',
    ]);
    const { json } = await reply('Hello', { carrier: 'fax' });
    expect(json['error']).toBe('carrier: must be one of: twilio, telnyx, smsc');
  });

  it('are posted up to three times', async () => {
    sandbox.product.answers = [500, 404];
    const { json } = await reply('Hello', { carrier: 'telnyx' });
    expect(json).toMatchObject({ status: 200 });
    expect(sandbox.product.posts).toHaveLength(3);
    sandbox.product.answers = [500, 500, 500];
    expect((await reply('Hello', { carrier: 'telnyx' })).json).toMatchObject({
      status: 500,
      error: 'The webhook was answered with 500',
    });
  }, 15_000);

  it('name their keyword, and reject messages between STOP and START with 40300', async () => {
    await send();
    await reply('stop');
    expect(sandbox.product.posts.at(-1)?.telnyxEvent?.payload).toMatchObject({ autoresponse_type: 'STOP' });
    await expect(send()).rejects.toMatchObject(failure(400, '40300'));
    await reply('START');
    expect(await send()).toMatchObject({ to: [{ status: 'queued' }] });
  });
});

describe('faults', () => {
  it.each([
    ['429', 429, '10011'],
    ['500', 500, '10007'],
    ['refuse', 400, '40309'],
    ['suspended', 401, '10009'],
  ])('%s fails `count` requests', async (mode, status, code) => {
    await fault({ mode, count: 2 });
    for (let n = 0; n < 2; n++) await expect(send()).rejects.toMatchObject(failure(status, code));
    await send();
    expect(await seen()).toHaveLength(1);
  });

  it('are those of Telnyx alone', async () => {
    await fault({ mode: '500' });
    await sandbox.sdk().messages.create({ to: recipient, from: '+15005550006', body: 'Hello' });
    await expect(send()).rejects.toMatchObject({ status: 500 });
  });

  it('429 names a wait', async () => {
    await fault({ mode: '429', count: 1 });
    const error = await send().then(
      () => undefined,
      (failed: { headers: Headers }) => failed,
    );
    expect(error?.headers.get('retry-after')).toBe('1');
  });

  it('timeout accepts nothing and answers nothing', async () => {
    await fault({ mode: 'timeout', count: 1 });
    await expect(sandbox.telnyx({ timeoutMs: 150 }).messages.send(hello)).rejects.toThrow();
    expect(await seen()).toEqual([]);
  });

  it.each(['lost-answer', 'accepted-then-5xx'])('%s accepts and does not say so', async (mode) => {
    await fault({ mode, count: 1 });
    await expect(send()).rejects.toThrow();
    expect(await seen()).toHaveLength(1);
  });

  it.each([
    ['duplicate-callback', ['sent', 'sent', 'delivered', 'delivered']],
    ['undelivered', ['sent', 'delivery_failed']],
    // To the SDK, a forged callback is not an event.
    ['fake-callback', [undefined, 'sent', undefined, 'delivered']],
  ])('%s results in the receipts %j', async (mode, expected) => {
    await fault({ mode, count: 1 });
    await sendTracked();
    await until('the receipts have arrived', () => sandbox.product.posts.length >= expected.length);
    expect(events().map(([, , status]) => status)).toEqual(expected);
    if (mode === 'undelivered')
      expect(sandbox.product.posts[1]?.telnyxEvent?.payload['errors']).toEqual([
        { code: '40008', title: 'Undeliverable' },
      ]);
  });

  it('no-callback posts none, and the message ends', async () => {
    await fault({ mode: 'no-callback', count: 1 });
    const { id = '' } = (await sendTracked()) ?? {};
    await until('it is delivered', async () => JSON.stringify(await statusOf(id)).includes('delivered'));
    expect(sandbox.product.posts).toEqual([]);
  });
});
