import { createHash } from 'node:crypto';
import { TestSandbox } from '../testing/test-sandbox.js';

const sandbox = new TestSandbox();
const ours = '+15005550006';
const phone = '+14155552671';
const picture = Buffer.from('GIF89a, more or less');

beforeAll(() => sandbox.start());
beforeEach(async () => {
  await sandbox.post('/_control/reset', {});
  sandbox.product.posts.length = 0;
});
afterAll(() => sandbox.stop());

/** Sends a reply and returns the fields that the product gets. */
const receive = async (media: object[], more: object = {}) => {
  const { json } = await sandbox.post('/_control/inbound', { from: phone, to: ours, media, ...more });
  return { sid: String(json['sid']), fields: sandbox.product.posts.at(-1)?.fields ?? {} };
};
const receivePicture = async () => {
  const { sid, fields } = await receive([{ type: 'image/gif', data: picture.toString('base64') }]);
  return { sid, url: fields['MediaUrl0'] ?? '' };
};
const authorization = (token = sandbox.credentials.authToken) =>
  `Basic ${Buffer.from(`${sandbox.credentials.accountSid}:${token}`).toString('base64')}`;
const ask = (url: string, init: RequestInit = {}) =>
  fetch(url, { redirect: 'manual', headers: { authorization: authorization() }, ...init });
const fault = (mode: string, more: object = {}) =>
  sandbox.post('/_control/faults', { service: 'media', mode, count: 1, ...more });

describe('files of replies', () => {
  it("are Twilio's fields of the request, which is signed", async () => {
    const { sid, fields } = await receive([{ sample: 'photo' }, { type: 'text/vcard', data: 'QkVHSU4=' }], {
      body: 'Hi',
    });
    expect(sid).toMatch(/^MM[0-9a-f]{32}$/);
    const file = `${sandbox.url}/2010-04-01/Accounts/${sandbox.credentials.accountSid}/Messages/${sid}/Media/ME`;
    expect(fields).toMatchObject({
      Body: 'Hi',
      MessageSid: sid,
      NumMedia: '2',
      MediaUrl0: expect.stringContaining(file),
      MediaContentType0: 'image/jpeg',
      MediaUrl1: expect.stringContaining(file),
      MediaContentType1: 'text/vcard',
    });
    expect(sandbox.product.posts[0]?.isSigned).toBe(true);
    expect((await receive([], { body: 'Hi' })).fields).toMatchObject({
      NumMedia: '0',
      SmsSid: expect.stringMatching(/^SM/),
    });
  });

  it('may come without a text, and more than ten at once', async () => {
    const { fields } = await receive(Array.from({ length: 11 }, () => ({ sample: 'png' })));
    expect(fields).toMatchObject({ Body: '', NumMedia: '11', MediaUrl10: expect.stringContaining('/Media/ME') });
  });

  it('are served with Basic auth, until they are deleted', async () => {
    const { url, sid } = await receivePicture();
    expect((await fetch(url)).status).toBe(401);
    expect((await ask(url, { headers: { authorization: authorization('wrong') } })).status).toBe(401);
    const answer = await ask(url);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'image/gif']);
    expect(Buffer.from(await answer.arrayBuffer()).equals(picture)).toBe(true);
    const other = await receivePicture();
    expect((await ask(url.replace(sid, other.sid))).status).toBe(404);

    const list = () => sandbox.sdk().messages(sid).media.list();
    expect(await list()).toMatchObject([{ contentType: 'image/gif', parentSid: sid, sid: url.split('/').at(-1) }]);
    expect(await sandbox.fetched(sid)).toMatchObject({ numMedia: '1', direction: 'inbound' });
    expect(
      await sandbox
        .sdk()
        .messages(sid)
        .media(url.split('/').at(-1) ?? '')
        .remove(),
    ).toBe(true);
    expect(await list()).toEqual([]);
    expect([(await ask(url)).status, (await ask(url, { method: 'DELETE' })).status]).toEqual([404, 404]);
    expect(await sandbox.get('/_control/media')).toEqual({ kept: 1, deleted: 1 });
    const onPhone = await fetch(`${sandbox.url}/_phone/media/${url.split('/').at(-1)}`);
    expect([onPhone.status, (await onPhone.arrayBuffer()).byteLength]).toEqual([200, picture.length]);
  });

  it('are shown to the phone, where nothing in them runs', async () => {
    const { fields } = await receive([{ sample: 'html-as-png' }]);
    const answer = await fetch(`${sandbox.url}/_phone/media/${fields['MediaUrl0']?.split('/').at(-1)}`);
    expect(answer.headers.get('content-type')).toBe('image/png');
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
    expect(answer.headers.get('content-security-policy')).toContain('sandbox');
    expect((await fetch(`${sandbox.url}/_phone/media/ME0`)).status).toBe(404);
    expect(await sandbox.get(`/_phone/threads/${phone}`)).toMatchObject({
      messages: [{ media: [{ type: 'image/png' }] }],
    });
  });

  it.each([
    ['404', 404],
    ['500', 500],
  ])('fail with %s on request, once', async (mode, status) => {
    const { url } = await receivePicture();
    await fault(mode);
    expect([(await ask(url)).status, (await ask(url)).status]).toEqual([status, 200]);
  });

  it('are slow, or never come', async () => {
    const { url } = await receivePicture();
    await fault('delay', { delayMs: 150 });
    const startedAt = performance.now();
    expect((await ask(url)).status).toBe(200);
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(145);
    await fault('timeout');
    await expect(ask(url, { signal: AbortSignal.timeout(200) })).rejects.toThrow('timeout');
  });

  it('have another type, end too early, or lead to a private address', async () => {
    const { url } = await receivePicture();
    await fault('wrong-type');
    const answer = await ask(url);
    expect([answer.headers.get('content-type'), (await answer.arrayBuffer()).byteLength]).toEqual([
      'text/html',
      picture.length,
    ]);
    await fault('wrong-length');
    await expect(ask(url).then((short) => short.arrayBuffer())).rejects.toThrow('terminated');
    await fault('redirect-away');
    const away = await ask(url);
    expect([away.status, away.headers.get('location')]).toEqual([
      307,
      expect.stringContaining('http://169.254.169.254/'),
    ]);
  });

  it('come unchanged when they are large', async () => {
    const { fields } = await receive([{ sample: 'zeros' }]);
    const bytes = Buffer.from(await (await ask(fields['MediaUrl0'] ?? '')).arrayBuffer());
    const digest = (of: Buffer) => createHash('sha256').update(of).digest('hex');
    expect(digest(bytes)).toBe(digest(Buffer.alloc(10 * 1024 * 1024)));
  });
});
