import { startFileServer, type FileServer } from '#core/media/testing/file-server.js';
import { noisyPicture, photoWithPlace, SCRIPT_PAGE } from '#core/media/testing/pictures.js';
import { moneyFaults, moneyOf } from '#core/testing/money.js';
import { createTestAccount, type TestAccount } from '#core/testing/test-accounts.js';
import { createTestBed, type TestBed } from '#core/testing/test-bed.js';
import { createTestServer, type TestServer } from '../testing/test-server.js';

const [ONE, TWO, ABROAD] = ['+14155552671', '+14155552672', '+447400123456'];
const recipients = [{ to: ONE }, { to: TWO }];

describe('POST /api/sendbulk with files', () => {
  let bed: TestBed;
  let server: TestServer;
  let files: FileServer;
  let account: TestAccount;
  let url: string;

  beforeAll(async () => {
    bed = await createTestBed();
    server = await createTestServer(bed.config({ ALLOW_PRIVATE_WEBHOOKS: 'true' }));
    files = await startFileServer();
  });

  beforeEach(async () => {
    account = await createTestAccount(server);
    url = files.serve('/menu.jpg', await photoWithPlace());
    files.requests.length = 0;
  });

  afterEach(async () => {
    expect(await moneyFaults(bed.database)).toEqual([]);
  });

  afterAll(async () => {
    await files?.close();
    await server?.close();
    await bed?.remove();
  });

  const post = (path: string, body: object, headers: Record<string, string> = {}) =>
    server.inject({
      method: 'POST',
      url: path,
      headers,
      payload: { message: 'Our menu', recipients, media: [{ url }], apikey: account.apiKey, ...body },
    });
  const send = (body: object = {}, headers = {}) => post('/api/sendbulk', body, headers);
  const codeOf = (answer: { statusCode: number; json(): { code?: string } }) => [answer.statusCode, answer.json().code];
  const rows = () =>
    bed.database.sql(
      `SELECT m.kind, m.body, m.credits, f.sent_ids FROM messages m
       LEFT JOIN message_media f ON f.account_id = m.account_id AND f.message_id = m.id
       WHERE m.account_id = $1 ORDER BY m.recipient`,
      [account.id],
    );
  const money = () => moneyOf(bed.database, account.id);

  it('gives all messages the same files, fetched once', async () => {
    expect((await send()).json()).toMatchObject({ accepted: 2, credits: 6, balance: 94 });
    expect(files.requests).toHaveLength(1);
    const [first, second] = await rows();
    expect([first, second]).toMatchObject([
      { kind: 'mms', body: 'Our menu', credits: 3 },
      { kind: 'mms', body: 'Our menu', credits: 3 },
    ]);
    expect(second?.sent_ids).toEqual(first?.sent_ids);
  });

  it('needs no text', async () => {
    expect((await send({ message: '' })).json()).toMatchObject({ accepted: 2, credits: 6 });
    const messages = [{ to: ONE, message: '' }];
    expect((await send({ message: undefined, recipients: undefined, messages })).json()).toMatchObject({ credits: 3 });
    expect(codeOf(await send({ message: '', media: [] }))[0]).toBe(400);
  });

  it.each([
    ['media', 'messages', { to: ONE, message: 'Hello', media: [{ url: 'https://example.com/a.png' }] }],
    ['media_fallback', 'messages', { to: ONE, message: 'Hello', media_fallback: 'link' }],
    ['media', 'recipients', { to: ONE, media: [{ url: 'https://example.com/a.png' }] }],
    ['media_fallback', 'recipients', { to: ONE, media_fallback: 'link' }],
  ])('refuses %s in an item of %s, which would get no file of its own', async (field, list, item) => {
    const template = list === 'recipients' ? 'Our menu' : undefined;
    const body = { media: undefined, recipients: undefined, message: template, [list]: [item], partial: true };
    const detail = `${list}.0.${field}: belongs beside \`${list}\`: all of them get the same files.`;
    for (const path of ['/api/sendbulk', '/api/quote'])
      expect((await post(path, body)).json()).toMatchObject({ code: 'invalid_request', detail });
    expect(await money()).toMatchObject({ balance: 100, messages: 0 });
  });

  it('takes a variable of the template that is called media', async () => {
    const body = { message: 'As seen in {{media}}', recipients: [{ to: ONE, media: 'The Times' }], media: undefined };
    expect((await send(body)).json()).toMatchObject({ accepted: 1, credits: 1 });
  });

  it('makes a picture smaller once, for all of them', async () => {
    url = files.serve('/large.jpg', await noisyPicture(1_600, 1_200).jpeg({ quality: 95 }).toBuffer());
    await send();
    const made = await bed.database.sql(
      'SELECT bytes::int FROM media WHERE account_id = $1 AND original_id IS NOT NULL',
      [account.id],
    );
    expect(made).toHaveLength(1);
    expect(made[0]?.bytes).toBeLessThanOrEqual(1_000_000);
    expect(codeOf(await send({ transcode: false }))).toEqual([413, 'media_too_large']);
  });

  it('rejects recipients in countries without MMS, or sends them links', async () => {
    const mixed = { recipients: [...recipients, { to: ABROAD }] };
    const refused = await send(mixed);
    expect(codeOf(refused)).toEqual([400, 'bulk_rejected']);
    expect(refused.json()).toMatchObject({ rejected: [{ index: 2, code: 'media_unsupported' }] });
    expect(files.requests).toEqual([]);
    expect((await send({ ...mixed, partial: true })).json()).toMatchObject({ accepted: 2, credits: 6 });
    account = await createTestAccount(server, { urlsActivated: true });
    expect((await send({ ...mixed, media_fallback: 'link' })).json()).toMatchObject({ accepted: 3 });
    const [, , linked] = await rows();
    expect(linked).toMatchObject({ kind: 'sms', sent_ids: null });
    expect(String(linked?.body)).toMatch(
      /^Our menu\nhttps:\/\/pennytext\.test\/m\/ME[0-9a-f]{32}\?e=\d{10}&s=[\w-]{43}$/,
    );
  });

  it.each([
    ['one that is not found', () => ({ url: `${files.origin}/none` }), 400, 'media_unreachable'],
    ['a page', () => ({ url: files.serve('/page', SCRIPT_PAGE) }), 400, 'media_type'],
    ['none of the account', () => ({ media_id: `ME${'1'.repeat(32)}` }), 404, 'media_unknown'],
  ])('is refused as a whole for a file that is %s', async (_what, file, status, code) => {
    expect(codeOf(await send({ media: [file()], partial: true }))).toEqual([status, code]);
    expect(await money()).toMatchObject({ balance: 100, messages: 0 });
  });

  it('is sent once with an Idempotency-Key, also when the URL leads nowhere any more', async () => {
    const headers = { 'idempotency-key': 'menu' };
    const first = await send({}, headers);
    files.serve('/menu.jpg', (response) => response.writeHead(404).end());
    const again = await send({}, headers);
    expect([again.statusCode, again.headers['idempotent-replayed']]).toEqual([200, 'true']);
    expect(again.json<{ batch_id: string }>().batch_id).toBe(first.json<{ batch_id: string }>().batch_id);
    expect(codeOf(await send({ media: [{ url: `${url}?2` }] }, headers))).toEqual([422, 'idempotency_conflict']);
    expect(await money()).toMatchObject({ balance: 94, messages: 2 });
  });

  it('is quoted at the same price, without fetching', async () => {
    const quoted = await post('/api/quote', {});
    expect(quoted.json()).toMatchObject({ kind: 'mms', messages: 2, credits: 6 });
    expect(files.requests).toEqual([]);
    const { quote } = quoted.json<{ quote: string }>();
    expect(codeOf(await send({ quote, media: [] }))).toEqual([400, 'quote_invalid']);
    expect((await send({ quote })).statusCode).toBe(200);
  });

  it('stores and charges nothing for a test key', async () => {
    expect((await send({ apikey: `${account.apiKey}_test` })).json()).toMatchObject({ test: true, credits: 6 });
    expect(await bed.database.sql('SELECT 1 FROM media WHERE account_id = $1', [account.id])).toEqual([]);
    expect(await money()).toMatchObject({ balance: 100, messages: 0 });
  });
});
