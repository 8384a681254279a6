import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ThreadView } from '../phone/phone.routes.js';
import { TestSandbox, until } from '../testing/test-sandbox.js';

const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');
const to = '+14155552671';
const from = '+15005550006';

const sandbox = new TestSandbox();
const answers = new Map<string, (response: ServerResponse) => void>();
let site: Server;
let origin = '';

beforeAll(async () => {
  await sandbox.start();
  site = createServer(({ url = '' }, response) => (answers.get(url) ?? ((one) => one.writeHead(404).end()))(response));
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
});
beforeEach(async () => {
  answers.clear();
  await sandbox.post('/_control/reset', {});
  sandbox.product.posts.length = 0;
});
afterAll(async () => {
  site.closeAllConnections();
  await new Promise((resolve) => site.close(resolve));
  await sandbox.stop();
});

const serve = (path: string, content = PNG, type = 'image/png') => {
  answers.set(path, (response) => response.writeHead(200, { 'content-type': type }).end(content));
  return `${origin}${path}`;
};
const create = (mediaUrl: string[], more = {}) => sandbox.sdk().messages.create({ to, from, mediaUrl, ...more });
const fault = (mode: string, service = 'twilio') => sandbox.post('/_control/faults', { service, mode, count: 1 });
const ended = async (sid: string) => {
  await until('the message has ended', async () => (await sandbox.fetched(sid)).status !== 'queued');
  await until('the message has ended', async () => (await sandbox.fetched(sid)).status !== 'sent');
  return sandbox.fetched(sid);
};
const thread = () => sandbox.get<ThreadView>(`/_phone/threads/${to}`);

describe('The files of a message of Twilio', () => {
  it('are fetched after it was created, and shown on the phone', async () => {
    const { sid, numMedia } = await create([serve('/a'), serve('/b')], { body: 'Look' });
    expect([sid.slice(0, 2), numMedia]).toEqual(['MM', '0']);
    expect(await ended(sid)).toMatchObject({ status: 'delivered', numMedia: '2', numSegments: '1', body: 'Look' });
    const [message] = (await thread()).messages;
    expect(message?.media).toMatchObject([{ type: 'image/png' }, { type: 'image/png' }]);
    const file = await fetch(`${sandbox.url}/_phone/media/${message?.media[0]?.sid}`);
    expect(Buffer.from(await file.arrayBuffer())).toEqual(PNG);
    expect(file.headers.get('content-security-policy')).toBe('sandbox');
  });

  it('may come without a text', async () => {
    expect(await ended((await create([serve('/a')])).sid)).toMatchObject({ status: 'delivered', body: '' });
  });

  it.each([
    ['are not found', () => [`${origin}/none`], 11_200],
    ['cannot be reached', () => ['http://127.0.0.1:1/a'], 11_200],
    ['are of a type that is not taken', () => [serve('/svg', Buffer.from('<svg/>'), 'image/svg+xml')], 12_300],
    ['are not of the type that is declared', () => [serve('/page', Buffer.from('<html>'), 'image/png')], 12_300],
    ['are too large together', () => [serve('/a', Buffer.concat([PNG, Buffer.alloc(3e6)])), `${origin}/a`], 11_751],
  ])('end it as failed when they %s', async (_what, urls, code) => {
    const statusCallback = `${sandbox.product.url}/webhooks/twilio/status`;
    const { sid } = await create(urls(), { body: 'Look', statusCallback });
    expect(await ended(sid)).toMatchObject({ status: 'failed', errorCode: code });
    await until('the callback has arrived', () => sandbox.product.posts.length > 0);
    expect(sandbox.product.posts.map(({ fields }) => [fields['MessageStatus'], fields['ErrorCode']])).toEqual([
      ['failed', String(code)],
    ]);
    expect((await thread()).messages).toMatchObject([{ media: [], status: 'failed' }]);
  });

  it.each([
    ['11 of them', () => Array.from({ length: 11 }, () => serve('/a')), 21_623],
    ['one that is no URL', () => ['a.png'], 21_620],
  ])('are refused at once: %s', async (_what, urls, code) => {
    await expect(create(urls(), { body: 'Look' })).rejects.toMatchObject({ status: 400, code });
  });

  it('are not found, or come late, by a fault', async () => {
    const url = serve('/a');
    await fault('media-404');
    expect(await ended((await create([url])).sid)).toMatchObject({ status: 'failed', errorCode: 11_200 });
    await sandbox.post('/_control/faults', { service: 'twilio', mode: 'media-slow', count: 1, delayMs: 300 });
    const startedMs = Date.now();
    expect(await ended((await create([url])).sid)).toMatchObject({ status: 'delivered' });
    expect(Date.now() - startedMs).toBeGreaterThanOrEqual(290);
  });

  it('are listed with the messages', async () => {
    const url = serve('/a');
    await ended((await create([url])).sid);
    const [listed] = await sandbox.get<{ mediaUrls: string[]; files: object[] }[]>('/_control/messages');
    expect(listed).toMatchObject({ mediaUrls: [url], files: [{ url, type: 'image/png', bytes: PNG.length }] });
  });
});

describe('The files of a message of Telnyx', () => {
  const send = async (media_urls: string[]) => (await sandbox.telnyx().messages.send({ to, from, media_urls })).data;

  it('make it an MMS, and are fetched and shown', async () => {
    expect(await send([serve('/a')])).toMatchObject({ type: 'MMS', media: [{ url: `${origin}/a` }] });
    await until('they are shown', async () => ((await thread()).messages[0]?.media.length ?? 0) === 1);
  });

  it('end it as failed when they are not found', async () => {
    await send([`${origin}/none`]);
    await until('it has failed', async () => (await thread()).messages[0]?.status === 'failed');
    await fault('media-404', 'telnyx');
    await send([serve('/a')]);
    await until('the second has failed', async () => (await thread()).messages[1]?.status === 'failed');
  });
});
