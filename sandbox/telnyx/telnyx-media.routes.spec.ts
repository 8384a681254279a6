import { TestSandbox } from '../testing/test-sandbox.js';

const sandbox = new TestSandbox();
const picture = Buffer.from('GIF89a, more or less');

beforeAll(() => sandbox.start());
beforeEach(async () => {
  await sandbox.post('/_control/reset', {});
  sandbox.product.posts.length = 0;
});
afterAll(() => sandbox.stop());

const receive = (media: object[], body = '') =>
  sandbox.post('/_control/inbound', { carrier: 'telnyx', from: '+14155552671', to: '+15005550006', body, media });
const payload = () => sandbox.product.posts.at(-1)?.telnyxEvent?.payload ?? {};
const url = () => (payload()['media'] as { url: string }[])[0]?.url ?? '';

describe("files of replies, in Telnyx's events", () => {
  it('are in the message with their addresses and types', async () => {
    await receive([{ type: 'image/gif', data: picture.toString('base64') }]);
    expect(payload()).toMatchObject({
      type: 'MMS',
      text: '',
      media: [{ url: expect.stringContaining(`${sandbox.url}/telnyx-media/ME`), content_type: 'image/gif' }],
    });
    await receive([], 'Hello');
    expect(payload()).toMatchObject({ type: 'SMS', media: [] });
  });

  it('are served to those who know the address', async () => {
    await receive([{ type: 'image/gif', data: picture.toString('base64') }]);
    const answer = await fetch(url());
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'image/gif']);
    expect(Buffer.from(await answer.arrayBuffer()).equals(picture)).toBe(true);
    expect((await fetch(`${sandbox.url}/telnyx-media/ME0`)).status).toBe(404);
  });

  it.each([
    ['404', 404],
    ['500', 500],
  ])('fail with %s on request, once', async (mode, status) => {
    await receive([{ sample: 'png' }]);
    await sandbox.post('/_control/faults', { service: 'media', mode, count: 1 });
    expect([(await fetch(url())).status, (await fetch(url())).status]).toEqual([status, 200]);
  });
});
