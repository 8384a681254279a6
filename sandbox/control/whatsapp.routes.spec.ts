import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { TestSandbox, until } from '../testing/test-sandbox.js';
import { describeIssues, message, whatsAppCallback } from '../testing/twilio-tables.js';

const sandbox = new TestSandbox();
const from = 'whatsapp:+14155238886';
const to = 'whatsapp:+14155552671';
const contentSid = `HX${'1a'.repeat(16)}`;
const contentVariables = JSON.stringify({ 1: '123456' });
const rendered = '*123456* is your verification code. For your security, do not share this code.';

beforeAll(() => sandbox.start({ SANDBOX_WHATSAPP_SENDERS: '+14155238886, +15005550099' }));
beforeEach(() => sandbox.post('/_control/reset', {}));
afterAll(() => sandbox.stop());

interface SeenMessage {
  readonly sid: string;
  readonly status: string;
}

const url = () => `${sandbox.product.url}/webhooks/twilio/status`;
const send = (more: object = {}) =>
  sandbox.sdk().messages.create({ to, from, contentSid, contentVariables, statusCallback: url(), ...more });
const free = (more: object = {}) => sandbox.sdk().messages.create({ to, from, body: 'Hello', ...more });
const seen = (query = '') => sandbox.get<SeenMessage[]>(`/_control/whatsapp${query}`);
const reaches = (sid: string, status: string) =>
  until(status, async () => (await sandbox.fetched(sid)).status === status);
const fault = (mode: string, more: object = {}) =>
  sandbox.post('/_control/faults', { service: 'whatsapp', mode, ...more });
/** Posts about one message: callbacks of an earlier test may still be under way. */
const postsOf = (sid: unknown) => sandbox.product.posts.filter(({ fields }) => fields['MessageSid'] === sid);
const posted = (sid: string) => postsOf(sid).map(({ fields }) => [fields['MessageStatus'], fields['ErrorCode']]);

describe('a WhatsApp message', () => {
  it('is rendered from its template, delivered and read, with a signed callback for each', async () => {
    const made = await send();
    expect(made).toMatchObject({ to, from, body: rendered, status: 'queued', numSegments: '1' });
    await reaches(made.sid, 'delivered');
    const { status, json } = await sandbox.post('/_control/whatsapp/read', { sid: made.sid });
    expect([status, json['status']]).toEqual([200, 'read']);
    await until('all callbacks have arrived', () => postsOf(made.sid).length === 3);
    expect(posted(made.sid).map(([name]) => name)).toEqual(['sent', 'delivered', 'read']);
    for (const { fields, isSigned } of postsOf(made.sid)) {
      expect([isSigned, describeIssues('callback', whatsAppCallback, fields)]).toEqual([true, []]);
      expect(fields).toMatchObject({ To: to, From: from, ChannelPrefix: 'whatsapp', ChannelToAddress: '+1415555XXXX' });
    }
    expect(await sandbox.fetched(made.sid)).toMatchObject({ status: 'read', errorCode: null });
    expect((await sandbox.post('/_control/whatsapp/read', { sid: made.sid })).status).toBe(409);
  });

  it('has the published resource, and is in lists by its address', async () => {
    const { sid } = await send();
    await sandbox.sdk().messages.create({ to: '+14155552671', from: '+15005550006', body: 'By SMS' });
    const { accountSid, authToken } = sandbox.credentials;
    const answer = await fetch(`${sandbox.url}/2010-04-01/Accounts/${accountSid}/Messages/${sid}.json`, {
      headers: { authorization: `Basic ${Buffer.from(`${accountSid}:${authToken}`).toString('base64')}` },
    });
    expect(describeIssues('message', message, await answer.json())).toEqual([]);
    expect((await sandbox.sdk().messages.list({ to })).map((found) => found.sid)).toEqual([sid]);
    expect((await sandbox.sdk().messages.list({ to: '+14155552671' })).map(({ body }) => body)).toEqual(['By SMS']);
    expect(await sandbox.sdk().messages.list()).toHaveLength(2);
  });

  it('stays read when the sandbox starts again', async () => {
    const dir = await mkdtemp(join(tmpdir(), 'sandbox-'));
    const other = new TestSandbox();
    await other.start({ SANDBOX_DATA_DIR: dir });
    try {
      const { sid } = await other.sdk().messages.create({ to, from, contentSid, contentVariables });
      await until('delivered', async () => (await other.fetched(sid)).status === 'delivered');
      await other.post('/_control/whatsapp/read', { sid });
      await other.stopSandbox();
      await other.start({ SANDBOX_DATA_DIR: dir });
      await pause(100);
      expect(await other.get('/_control/whatsapp')).toMatchObject([{ sid, status: 'read', body: rendered }]);
    } finally {
      await other.stop();
      await rm(dir, { recursive: true });
    }
  });

  it('is sent by a messaging service', async () => {
    const made = await send({ from: undefined, messagingServiceSid: `MG${'0'.repeat(32)}` });
    expect(made).toMatchObject({ status: 'accepted', from: null });
    await reaches(made.sid, 'delivered');
    expect(await sandbox.fetched(made.sid)).toMatchObject({ from });
  });

  it('without a template fails outside of a session, and arrives within one', async () => {
    const early = await free({ statusCallback: url() });
    await reaches(early.sid, 'undelivered');
    await until('the callbacks have arrived', () => postsOf(early.sid).length === 2);
    expect(posted(early.sid)).toEqual([
      ['sent', undefined],
      ['undelivered', '63016'],
    ]);
    expect(await sandbox.fetched(early.sid)).toMatchObject({
      errorCode: 63016,
      errorMessage: expect.stringContaining('outside the allowed window'),
    });
    await sandbox.post('/_control/whatsapp/inbound', { from: to, to: from, body: 'Hi' });
    await reaches((await free()).sid, 'delivered');
    await reaches((await free({ to: 'whatsapp:+442071838750' })).sid, 'undelivered');
    await reaches((await free({ from: 'whatsapp:+15005550099' })).sid, 'undelivered');
  });

  it('fails with 63028 when its template has a variable without a value', async () => {
    const { sid } = await send({ contentVariables: JSON.stringify({ 2: 'x' }) });
    await reaches(sid, 'undelivered');
    expect(await sandbox.fetched(sid)).toMatchObject({ errorCode: 63028 });
  });

  it.each([
    [{ contentSid: 'HX12' }, 21655],
    [{ contentVariables: '{"1":' }, 21656],
    [{ contentVariables: '["1"]' }, 21656],
    [{ contentVariables: '{"1":""}' }, 21656],
    [{ contentVariables: '{"1":null}' }, 21656],
    [{ contentSid: undefined }, 21602],
    [{ to: '' }, 21604],
    [{ from: '' }, 21603],
    [{ to: 'whatsapp:12' }, 21211],
    [{ from: 'whatsapp:12' }, 21212],
    [{ from: 'whatsapp:+15005550006' }, 63007],
    [{ from: '+14155238886' }, 21910],
    [{ to: '+14155552671' }, 21910],
    [{ statusCallback: 'nowhere' }, 21609],
  ])('with %j is refused', async (more, code) => {
    await expect(send(more)).rejects.toMatchObject({ status: 400, code });
    expect(await seen()).toEqual([]);
  });
});

describe('faults of WhatsApp', () => {
  it.each([
    ['outside-session', ['sent', 'undelivered'], '63016'],
    ['no-whatsapp', ['sent', 'undelivered'], '63024'],
    ['template-paused', ['sent', 'undelivered'], '63041'],
    ['unknown-to', ['failed'], '63003'],
  ])('%s ends the message with the callbacks %j and %s', async (mode, expected, code) => {
    await fault(mode, { count: 1 });
    const { sid } = await send();
    await until('the callbacks have arrived', () => posted(sid).length === expected.length);
    expect(posted(sid).map(([status]) => status)).toEqual(expected);
    expect(posted(sid).at(-1)?.[1]).toBe(code);
    expect(await sandbox.fetched(sid)).toMatchObject({ errorCode: Number(code), errorMessage: expect.any(String) });
  });

  it.each([
    ['429', 429, 20429],
    ['500', 500, 20500],
    ['unknown-template', 400, 21655],
    ['refuse', 400, 21612],
  ])('%s refuses a message, and leaves SMS alone', async (mode, status, code) => {
    await fault(mode, { count: 1 });
    await sandbox.sdk().messages.create({ to: '+14155552671', from: '+15005550006', body: 'By SMS' });
    await expect(send()).rejects.toMatchObject({ status, code });
    await expect(send()).resolves.toMatchObject({ status: 'queued' });
  });

  it('are left alone by a fault of SMS', async () => {
    await sandbox.post('/_control/faults', { service: 'twilio', mode: '500' });
    await expect(send()).resolves.toMatchObject({ status: 'queued' });
  });

  it('apply to some recipients alone', async () => {
    await fault('no-whatsapp', { to: ['+442071838750', to] });
    await reaches((await send()).sid, 'undelivered');
    await reaches((await send({ to: 'whatsapp:+12125550143' })).sid, 'delivered');
    const { json } = await sandbox.post('/_control/faults', { service: 'twilio', mode: '500', to });
    expect(json['error']).toBe('to: is for: whatsapp, voice, mail');
  });
});

describe('the control API of WhatsApp', () => {
  it('lists messages by number, apart from SMS', async () => {
    const { sid } = await send();
    await send({ to: 'whatsapp:+442071838750' });
    await sandbox.sdk().messages.create({ to: '+14155552671', from: '+15005550006', body: 'By SMS' });
    const own = {
      sid,
      to,
      from,
      body: rendered,
      contentSid,
      contentVariables: { 1: '123456' },
      statusCallback: url(),
      at: expect.stringMatching(/^\d{4}-.*Z$/),
      status: expect.any(String),
      errorCode: null,
    };
    expect(await seen('?to=+14155552671')).toEqual([own]);
    expect(await seen(`?to=${to}&from=${from}`)).toEqual([own]);
    expect(await seen('?from=+15005550006')).toEqual([]);
    expect(await seen(`?after=${sid}`)).toHaveLength(1);
    expect(await seen('?limit=1')).toEqual([own]);
    expect(await sandbox.get('/_control/messages')).toMatchObject([{ body: 'By SMS' }]);
    expect(await sandbox.get('/_control/messages/count')).toMatchObject({ count: 1 });
  });

  it('posts a signed reply with the fields of a chat', async () => {
    const { json } = await sandbox.post('/_control/whatsapp/inbound', { from: to, to: '+14155238886', body: 'STOP' });
    expect(json).toMatchObject({ status: 200 });
    expect(postsOf(json['sid'])).toMatchObject([
      { isSigned: true, fields: { From: to, To: from, Body: 'STOP', WaId: '14155552671' } },
    ]);
    expect(postsOf(json['sid'])[0]?.fields).not.toHaveProperty('FromCity');
    // WhatsApp knows no keywords.
    await reaches((await send()).sid, 'delivered');
  });

  it.each([
    ['inbound', { from: '12', to: from, body: 'x' }, 'from: is not a phone number'],
    ['inbound', { from: to, to: from, body: '' }, 'body: must not be empty'],
    ['read', {}, 'sid: '],
  ])('%s rejects %j', async (what, body, error) => {
    const { status, json } = await sandbox.post(`/_control/whatsapp/${what}`, body);
    expect([status, json['error']]).toEqual([400, expect.stringContaining(error)]);
  });

  it('reads no SMS', async () => {
    const { sid } = await sandbox.sdk().messages.create({ to: '+14155552671', from: '+15005550006', body: 'Hello' });
    expect((await sandbox.post('/_control/whatsapp/read', { sid })).status).toBe(404);
  });
});
