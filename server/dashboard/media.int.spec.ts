import { conversationAnswer, conversationsAnswer, receivedAnswer } from '#contract/histories.js';
import { ReceiveReplies } from '#core/inbound/receive-replies.js';
import { MediaStore } from '#core/media/media-store.js';
import { inPieces, noisyPicture } from '#core/media/testing/pictures.js';
import { newMessageId, publicMediaId } from '#core/rules/ids.js';
import { createTestAccount, type TestAccount } from '#core/testing/test-accounts.js';
import { createTestBed, type TestBed } from '#core/testing/test-bed.js';
import { texted } from '#core/testing/texted.js';
import { WebhookEndpoints } from '#core/webhooks/endpoints/webhook-endpoints.js';
import { TestBrowser } from '../testing/browser.js';
import { createTestServer, type TestServer } from '../testing/test-server.js';

const OURS = '+15005550006';
const PERSON = '+14155553671';

describe('A reply that is files alone', () => {
  let bed: TestBed;
  let server: TestServer;
  let account: TestAccount;
  let browser: TestBrowser;

  beforeAll(async () => {
    bed = await createTestBed();
    server = await createTestServer(bed.config());
    account = await createTestAccount(server, { credits: 10 });
    browser = await TestBrowser.signedIn(server, account.id);
    await server.get(WebhookEndpoints).setUrl(account.id, 'https://example.com/sms');
    await texted(server, bed.database, account, { recipient: PERSON });
    const files = ['image/jpeg', 'application/pdf'].map((type) => ({ url: 'https://api.twilio.com/1', type }));
    await server.get(ReceiveReplies).receive({
      carrier: 1,
      carrierId: `MM${newMessageId().replaceAll('-', '')}`,
      sender: PERSON,
      recipient: OURS,
      service: undefined,
      text: '',
      segments: 1,
      wish: undefined,
      media: { carrier: 1, files },
    });
  });

  afterAll(async () => {
    await server?.close();
    await bed?.remove();
  });

  const pending = { status: 'pending', reason: null, bytes: null, sha256: null, thumbnail: false, url: null };

  it('is never empty in the lists, while its files are copied', async () => {
    const list = conversationsAnswer.parse((await browser.get('/api/dashboard/conversations')).json());
    expect(list.conversations).toMatchObject([
      { number: PERSON, direction: 'received', text: '', mediaTypes: ['image/jpeg', 'application/pdf'] },
    ]);
    const found = await browser.get(`/api/dashboard/conversations?tab=replies&number=${encodeURIComponent(PERSON)}`);
    expect(conversationsAnswer.parse(found.json()).conversations).toMatchObject([
      { mediaTypes: ['image/jpeg', 'application/pdf'] },
    ]);
    const thread = await browser.get(`/api/dashboard/conversations/${encodeURIComponent(PERSON)}`);
    const [shown, sent] = conversationAnswer.parse(thread.json()).messages;
    expect(shown).toMatchObject({
      direction: 'received',
      text: '',
      media: [
        { ...pending, type: 'image/jpeg' },
        { ...pending, type: 'application/pdf' },
      ],
    });
    expect(sent).toMatchObject({ direction: 'sent', media: [] });
  });

  it('is in words in the history as a file', async () => {
    const { body } = await browser.get('/api/dashboard/messages/received.csv');
    expect(body.split('\r\n')[1]).toMatch(/,"2 files",1,"SM[0-9a-f]{32}","received",1,2$/);
  });

  it('shows its files when they are stored: the picture small, and a link to each', async () => {
    const [row] = receivedAnswer.parse((await browser.get('/api/dashboard/messages/received')).json()).rows;
    const [picture] = await bed.database.sql<{ id: string }>('SELECT id FROM media WHERE position = 0');
    const bytes = await noisyPicture(640, 480).jpeg().toBuffer();
    const id = picture?.id ?? '';
    await server
      .get(MediaStore)
      .store({ direction: 'inbound', accountId: account.id, id }, inPieces(bytes), bytes.length);
    const history = receivedAnswer.parse((await browser.get('/api/dashboard/messages/received')).json());
    expect(history.rows[0]?.messageId).toBe(row?.messageId);
    const [first, second] = history.rows[0]?.media ?? [];
    expect(first).toMatchObject({
      id: publicMediaId(id),
      status: 'stored',
      type: 'image/jpeg',
      bytes: bytes.length,
      thumbnail: true,
    });
    expect(second).toMatchObject({ ...pending, type: 'application/pdf' });
    const all = (await browser.get('/api/dashboard/export')).json<{ replies: { media: { sha256: unknown }[] }[] }>();
    expect(all.replies.map(({ media }) => media.map(({ sha256 }) => sha256))).toEqual([[first?.sha256, null]]);
    const { pathname, search } = new URL(first?.url ?? '');
    const opened = await server.inject({ method: 'GET', url: `${pathname}${search}` });
    expect([opened.statusCode, opened.rawPayload.equals(bytes)]).toEqual([200, true]);
    const thumbnail = await browser.get(`/api/dashboard/media/${publicMediaId(id)}/thumbnail`);
    expect([thumbnail.statusCode, thumbnail.headers['content-type']]).toEqual([200, 'image/webp']);
  });
});
