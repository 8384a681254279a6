import { TestSandbox, until } from '../testing/test-sandbox.js';

const sandbox = new TestSandbox();
const sender = '+15005550006';
const recipient = '+14155552671';

beforeAll(() => sandbox.start());
beforeEach(async () => {
  await sandbox.post('/_control/reset', {});
  sandbox.product.posts.length = 0;
});
afterAll(() => sandbox.stop());

const statuses = (sid: string) =>
  sandbox.product.posts
    .filter(({ fields }) => fields['MessageSid'] === sid)
    .map(({ fields }) => fields['MessageStatus']);

describe('creating a message with the SDK', () => {
  it("answers Twilio's Message resource", async () => {
    const message = await sandbox.sdk().messages.create({ to: recipient, from: sender, body: 'Ünï "quoted" \n €' });
    expect(message).toMatchObject({
      body: 'Ünï "quoted" \n €',
      direction: 'outbound-api',
      from: sender,
      to: recipient,
      status: 'queued',
      numSegments: '1',
      numMedia: '0',
      errorCode: null,
      price: null,
      priceUnit: 'USD',
      messagingServiceSid: null,
      dateSent: null,
      apiVersion: '2010-04-01',
      uri: `/2010-04-01/Accounts/${message.accountSid}/Messages/${message.sid}.json`,
    });
    expect(message.sid).toMatch(/^SM[0-9a-f]{32}$/);
    expect(Math.abs(message.dateCreated.getTime() - Date.now())).toBeLessThan(5_000);
  });

  it('delivers the message with signed callbacks in order', async () => {
    const statusCallback = `${sandbox.product.url}/webhooks/twilio/status?id=42&x=a%20b`;
    const { sid } = await sandbox.sdk().messages.create({ to: recipient, from: sender, body: 'Hello', statusCallback });
    await until('both callbacks have arrived', () => statuses(sid).length === 2);
    expect(statuses(sid)).toEqual(['sent', 'delivered']);
    expect(sandbox.product.posts.every((post) => post.isSigned && post.path.endsWith('?id=42&x=a%20b'))).toBe(true);
    const message = await sandbox.sdk().messages(sid).fetch();
    expect(message.status).toBe('delivered');
    expect(message.dateSent).toBeInstanceOf(Date);
  });

  it('retries a failed callback before posting the next one', async () => {
    sandbox.product.answers = [503];
    const statusCallback = `${sandbox.product.url}/webhooks/twilio/status`;
    const { sid } = await sandbox.sdk().messages.create({ to: recipient, from: sender, body: 'Hello', statusCallback });
    await until('three callbacks have arrived', () => statuses(sid).length === 3);
    expect(statuses(sid)).toEqual(['sent', 'sent', 'delivered']);
  });

  it('takes a validity period of 1 to 36,000 seconds', async () => {
    const create = (validityPeriod: number) =>
      sandbox.sdk().messages.create({ to: recipient, from: sender, body: 'Hello', validityPeriod });
    expect((await create(600)).status).toBe('queued');
    for (const seconds of [0, 36_001, 1.5]) await expect(create(seconds)).rejects.toMatchObject({ code: 20_001 });
  });

  it('lets a messaging service choose the sender after acceptance', async () => {
    const messagingServiceSid = 'MG' + '0'.repeat(32);
    const created = await sandbox.sdk().messages.create({ to: recipient, messagingServiceSid, body: 'Hello' });
    expect(created).toMatchObject({ status: 'accepted', from: null, numSegments: '0', messagingServiceSid });
    await until('it is delivered', async () => (await sandbox.fetched(created.sid)).status === 'delivered');
    expect(await sandbox.fetched(created.sid)).toMatchObject({ from: sender, numSegments: '1' });
  });

  it.each([
    [{ to: '', from: sender, body: 'x' }, 21604],
    [{ to: recipient, from: '', body: 'x' }, 21603],
    [{ to: recipient, from: sender, body: '' }, 21602],
    [{ to: '123', from: sender, body: 'x' }, 21211],
    [{ to: '+1234', from: sender, body: 'x' }, 21211],
    [{ to: '+1415555267', from: sender, body: 'x' }, 21211],
    [{ to: recipient, from: '+12', body: 'x' }, 21212],
    [{ to: recipient, from: sender, body: 'x'.repeat(1601) }, 21617],
    [{ to: recipient, from: sender, body: 'x', statusCallback: 'not a url' }, 21609],
    [{ to: recipient, from: '+15005550001', body: 'x' }, 21212],
    [{ to: recipient, from: '+15005550007', body: 'x' }, 21606],
    [{ to: recipient, from: '+15005550008', body: 'x' }, 21611],
    [{ to: '+15005550001', from: sender, body: 'x' }, 21211],
    [{ to: '+15005550002', from: sender, body: 'x' }, 21612],
    [{ to: '+15005550003', from: sender, body: 'x' }, 21408],
    [{ to: '+15005550004', from: sender, body: 'x' }, 21610],
    [{ to: '+15005550009', from: sender, body: 'x' }, 21614],
  ])('rejects %j with %i and stores nothing', async (request, code) => {
    await expect(sandbox.sdk().messages.create(request)).rejects.toMatchObject({
      status: 400,
      code,
      moreInfo: `https://www.twilio.com/docs/errors/${code}`,
    });
    expect(await sandbox.get('/_control/messages/count')).toMatchObject({ count: 0 });
  });

  it('rejects a wrong token with 20003', async () => {
    await expect(
      sandbox.sdk({ authToken: 'wrong' }).messages.create({ to: recipient, from: sender, body: 'x' }),
    ).rejects.toMatchObject({
      status: 401,
      code: 20003,
    });
  });

  it('treats a body that is not a form as an empty form', async () => {
    const { accountSid } = await sandbox.sdk().messages.create({ to: recipient, from: sender, body: 'x' });
    const answer = await fetch(`${sandbox.url}/2010-04-01/Accounts/${accountSid}/Messages.json`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        authorization: `Basic ${Buffer.from(`${accountSid}:sandbox-auth-token`).toString('base64')}`,
      },
      body: '{"To": broken',
    });
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({ code: 21604 });
  });

  it('answers 20404 for an unknown message', async () => {
    await expect(
      sandbox
        .sdk()
        .messages(`SM${'0'.repeat(32)}`)
        .fetch(),
    ).rejects.toMatchObject({ status: 404, code: 20404 });
  });
});

describe('listing messages with the SDK', () => {
  it('pages through one recipient, newest first', async () => {
    const client = sandbox.sdk();
    for (let n = 1; n <= 5; n++) {
      await client.messages.create({ to: recipient, from: sender, body: `number ${n}` });
      await client.messages.create({ to: '+14155550000', from: sender, body: 'other' });
    }
    const listed = await client.messages.list({ to: recipient, pageSize: 2 });
    expect(listed.map(({ body }) => body)).toEqual([5, 4, 3, 2, 1].map((n) => `number ${n}`));

    const first = await client.messages.page({ to: recipient, pageSize: 2 });
    const second = await first.nextPage();
    expect(second?.instances.map(({ body }) => body)).toEqual(['number 3', 'number 2']);
    expect((await second?.nextPage())?.nextPageUrl).toBeUndefined();
  });

  it('filters by date_sent, both ends inclusive', async () => {
    const client = sandbox.sdk();
    const created = await client.messages.create({ to: recipient, from: sender, body: 'now' });
    await until('it is delivered', async () => (await sandbox.fetched(created.sid)).status === 'delivered');
    const { dateSent } = await sandbox.fetched(created.sid);
    const shifted = (seconds: number) => new Date(dateSent.getTime() + seconds * 1000);
    const found = async (filter: object) => (await client.messages.list({ to: recipient, ...filter })).length;

    expect(await found({ dateSentAfter: dateSent, dateSentBefore: dateSent })).toBe(1);
    expect(await found({ dateSent })).toBe(1);
    expect(await found({ dateSentAfter: shifted(1) })).toBe(0);
    expect(await found({ dateSentBefore: shifted(-1) })).toBe(0);
    expect(await found({ dateSentAfter: shifted(-86_400) })).toBe(1);
  });

  it('lists replies by recipient', async () => {
    await sandbox.post('/_control/inbound', { from: recipient, to: sender, body: 'Hello back' });
    const listed = await sandbox.sdk().messages.list({ to: sender });
    expect(listed).toMatchObject([{ direction: 'inbound', status: 'received', from: recipient, body: 'Hello back' }]);
  });
});
