import { createHash, randomBytes } from 'node:crypto';
import { MediaFiles, MediaFilesUnavailable } from '#core/media/media-files.js';
import { MediaLinks } from '#core/media/media-links.js';
import { MediaStore } from '#core/media/media-store.js';
import type { Media } from '#core/media/media.js';
import { inPieces, photoWithPlace, SCRIPT_GIF, SCRIPT_PAGE, SCRIPT_SVG } from '#core/media/testing/pictures.js';
import { NamedKeys } from '#core/keys/named-keys.js';
import { newMessageId, publicMediaId } from '#core/rules/ids.js';
import { createTestAccount, type TestAccount } from '#core/testing/test-accounts.js';
import { createTestBed, type TestBed } from '#core/testing/test-bed.js';
import { TestBrowser } from '../testing/browser.js';
import { createTestServer, type TestServer } from '../testing/test-server.js';

/** Headers that keep a file of any type from running. */
const inert = {
  'x-content-type-options': 'nosniff',
  'content-security-policy': "sandbox; default-src 'none'",
};

describe('Files of messages', () => {
  let bed: TestBed;
  let server: TestServer;
  let apart: TestServer;
  let account: TestAccount;

  beforeAll(async () => {
    bed = await createTestBed();
    server = await createTestServer(bed.config());
    apart = await createTestServer(bed.config({ MEDIA_URL: 'https://media.pennytext.test' }));
  });

  beforeEach(async () => {
    account = await createTestAccount(server);
  });

  afterEach(() => jest.restoreAllMocks());

  afterAll(async () => {
    await Promise.all([server?.close(), apart?.close()]);
    await bed?.remove();
  });

  const upload = async (bytes: Buffer, accountId = account.id): Promise<Media> => {
    const outcome = await server
      .get(MediaStore)
      .store({ direction: 'outbound', accountId }, inPieces(bytes), bytes.length);
    if (outcome.kind !== 'stored') throw new Error(outcome.kind);
    return outcome.media;
  };
  const get = (id: string, apiKey = account.apiKey) =>
    server.inject({ method: 'GET', url: `/api/media/${id}`, headers: { authorization: `Bearer ${apiKey}` } });
  const open = (link: string, from = server, host = new URL(link).host) => {
    const { pathname, search } = new URL(link);
    return from.inject({ method: 'GET', url: `${pathname}${search}`, headers: { host } });
  };
  const change = (media: Media, assignments: string) =>
    bed.database.sql(`UPDATE media SET ${assignments} WHERE id = $1`, [media.id]);

  it('are downloaded by key, byte by byte, to be saved', async () => {
    const bytes = await photoWithPlace();
    const media = await upload(bytes);
    const answer = await get(publicMediaId(media.id));
    expect(answer.statusCode).toBe(200);
    expect(answer.rawPayload.equals(bytes)).toBe(true);
    expect(answer.headers).toMatchObject({
      ...inert,
      'content-type': 'image/jpeg',
      'content-length': String(bytes.length),
      'content-disposition': `attachment; filename="${publicMediaId(media.id)}.jpg"`,
      'repr-digest': `sha-256=:${createHash('sha256').update(bytes).digest('base64')}:`,
      'cache-control': 'private, no-cache',
      'access-control-allow-origin': '*',
    });
  });

  it('are not found under an id of another account, of no file, or of no form', async () => {
    const other = await createTestAccount(server);
    const { id } = await upload(randomBytes(9), other.id);
    for (const unknown of [publicMediaId(id), publicMediaId(newMessageId()), 'ME1', id, '..%2f..']) {
      const answer = await get(unknown);
      expect([answer.statusCode, answer.json()]).toMatchObject([404, { success: 'false', code: 'media_not_found' }]);
    }
  });

  it('need a key with the scope read', async () => {
    const { id } = await upload(randomBytes(9));
    const by = { actor: 'account', accountId: account.id } as const;
    const { secret } = await server.get(NamedKeys).create(by, {
      name: 'Sender',
      mode: 'live',
      scopes: ['send'],
      addresses: [],
      countries: [],
      creditsPerDay: null,
      creditsPerMonth: null,
      messagesPerSecond: null,
      expiresAt: null,
    });
    expect((await get(publicMediaId(id), secret)).json()).toMatchObject({ code: 'key_scope' });
    expect((await get(publicMediaId(id), 'unknown')).statusCode).toBe(401);
  });

  it('are a small example for a test key', async () => {
    const answer = await get('ME1', `${account.apiKey}_test`);
    expect([answer.statusCode, answer.headers['content-type']]).toEqual([200, 'image/png']);
  });

  it.each([
    ['pending', `state = 'pending'`, 409, 'media_pending', '5'],
    ['failed', `state = 'failed', reason = 'too_large'`, 410, 'media_failed', undefined],
    ['expired', `state = 'expired', sha256 = NULL`, 410, 'media_expired', undefined],
  ])('are refused while they are %s', async (_state, assignments, status, code, retryAfter) => {
    const media = await upload(randomBytes(9));
    await change(media, assignments);
    for (const answer of [await get(publicMediaId(media.id)), await open(server.get(MediaLinks).to(media.id))]) {
      expect([answer.statusCode, answer.json()]).toMatchObject([status, { code }]);
      expect(answer.headers['retry-after']).toBe(retryAfter);
    }
  });

  it('are refused for the moment when the store does not answer', async () => {
    const media = await upload(randomBytes(9));
    jest.spyOn(server.get(MediaFiles), 'open').mockRejectedValueOnce(new MediaFilesUnavailable('SlowDown'));
    const answer = await get(publicMediaId(media.id));
    expect([answer.statusCode, answer.json()]).toMatchObject([503, { code: 'unavailable' }]);
  });

  it('open by a signed link, without a key', async () => {
    const bytes = randomBytes(50_000);
    const media = await upload(bytes);
    const answer = await open(server.get(MediaLinks).to(media.id));
    expect(answer.rawPayload.equals(bytes)).toBe(true);
    expect(answer.headers).toMatchObject({ ...inert, 'content-type': 'application/octet-stream' });
    expect(answer.headers['content-disposition']).toMatch(/^attachment; filename="ME[0-9a-f]{32}\.bin"$/);
    expect(answer.headers['set-cookie']).toBeUndefined();
  });

  it('do not open by a link that was changed, has ended, or whose file is gone', async () => {
    const media = await upload(randomBytes(9));
    const link = server.get(MediaLinks).to(media.id);
    const old = server.get(MediaLinks).to(media.id, new Date(Date.now() - 7 * 86_400_000 - 1_000));
    const none = server.get(MediaLinks).to(newMessageId());
    for (const [changed, status, code] of [
      [link.replace('&s=', '&s=x'), 404, 'media_not_found'],
      [link.replace(/\?.*/, ''), 404, 'media_not_found'],
      [`${link}&s=twice`, 404, 'media_not_found'],
      [none, 404, 'media_not_found'],
      [old, 410, 'media_expired'],
    ] as const) {
      const answer = await open(changed);
      expect([answer.statusCode, answer.json()]).toMatchObject([status, { code }]);
    }
  });

  it.each([
    ['an SVG', SCRIPT_SVG, 'application/octet-stream'],
    ['a page', SCRIPT_PAGE, 'application/octet-stream'],
    ['a picture that is a script too', SCRIPT_GIF, 'image/gif'],
  ])('run nothing of %s', async (_what, bytes, type) => {
    const media = await upload(bytes);
    for (const answer of [await get(publicMediaId(media.id)), await open(server.get(MediaLinks).to(media.id))]) {
      expect(answer.headers).toMatchObject({ ...inert, 'content-type': type });
      expect(answer.headers['content-disposition']).toMatch(/^attachment;/);
    }
    expect(media.hasThumbnail).toBe(false);
  });

  it('are shown as thumbnails to their account alone', async () => {
    const media = await upload(await photoWithPlace());
    const browser = await TestBrowser.signedIn(server, account.id);
    const path = `/api/dashboard/media/${publicMediaId(media.id)}/thumbnail`;
    const answer = await browser.get(path);
    expect(answer.headers).toMatchObject({
      ...inert,
      'content-type': 'image/webp',
      'cross-origin-resource-policy': 'same-origin',
      'cache-control': 'private, max-age=600',
    });
    expect(answer.rawPayload.includes('Example')).toBe(false);
    const other = await TestBrowser.signedIn(server, (await createTestAccount(server)).id);
    expect((await other.get(path)).statusCode).toBe(404);
    expect((await server.inject({ method: 'GET', url: path })).statusCode).toBe(401);
    const text = await upload(Buffer.from('Only words'));
    expect((await browser.get(`/api/dashboard/media/${publicMediaId(text.id)}/thumbnail`)).statusCode).toBe(404);
  });

  it('have a host of their own, if there is one, which has nothing else', async () => {
    const media = await upload(randomBytes(9));
    const link = apart.get(MediaLinks).to(media.id);
    expect(link).toMatch(/^https:\/\/media\.pennytext\.test\/m\//);
    expect((await open(link, apart)).statusCode).toBe(200);
    expect((await open(link, apart, 'pennytext.test')).statusCode).toBe(404);
    for (const url of ['/', '/login', '/api/balance', '/auth/me', '/dashboard'])
      expect((await apart.inject({ method: 'GET', url, headers: { host: 'media.pennytext.test' } })).statusCode).toBe(
        404,
      );
    const health = await apart.inject({ method: 'GET', url: '/healthz', headers: { host: 'media.pennytext.test' } });
    expect(health.statusCode).toBe(200);
    expect(
      (await apart.inject({ method: 'GET', url: '/auth/me', headers: { host: 'pennytext.test' } })).statusCode,
    ).toBe(401);
  });

  it('are announced to HEAD without being read', async () => {
    const media = await upload(randomBytes(700));
    const { pathname, search } = new URL(server.get(MediaLinks).to(media.id));
    const opened = jest.spyOn(server.get(MediaFiles), 'open');
    const answer = await server.inject({ method: 'HEAD', url: `${pathname}${search}` });
    expect([answer.statusCode, answer.headers['content-length'], answer.body]).toEqual([200, '700', '']);
    expect(opened).not.toHaveBeenCalled();
  });
});
