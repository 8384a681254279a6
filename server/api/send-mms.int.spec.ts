import type { ServerResponse } from 'node:http';
import sharp from 'sharp';
import { mediaIdFromPublic, publicMediaId } from '#core/rules/ids.js';
import { AccountErasure } from '#core/accounts/account-erasure.js';
import { MediaStore } from '#core/media/media-store.js';
import { startFileServer, type FileServer } from '#core/media/testing/file-server.js';
import {
  animatedGif,
  inPieces,
  noisyPicture,
  photoWithPlace,
  pngOf,
  SCRIPT_PAGE,
  SCRIPT_SVG,
} from '#core/media/testing/pictures.js';
import { bytesOf } from '#core/media/testing/stored-files.js';
import { FilePlaces } from '#core/messages/files/file-places.js';
import { eventually } from '#core/testing/eventually.js';
import { moneyFaults, moneyOf } from '#core/testing/money.js';
import { createTestAccount, type TestAccount } from '#core/testing/test-accounts.js';
import { createTestBed, type TestBed } from '#core/testing/test-bed.js';
import { createTestServer, type TestServer } from '../testing/test-server.js';

const TO = '+14155552671';
const ABROAD = '+447400123456';
const TOLL_FREE = '+18005550100';

/** Bytes that begin like a PDF. */
const pdfOf = (bytes: number) => Buffer.concat([Buffer.from('%PDF-1.7\n'), Buffer.alloc(bytes - 9, 7)]);
const jpegOf = (width: number, height: number) => noisyPicture(width, height).jpeg({ quality: 95 }).toBuffer();

interface Answer {
  readonly message_id: string;
  readonly media: {
    readonly media_id: string;
    readonly url: string;
    readonly bytes: number;
    readonly sha256: string;
    readonly type: string;
  }[];
}

describe('POST /api/sendsms with files', () => {
  let bed: TestBed;
  let server: TestServer;
  /** Calls public addresses only. */
  let strict: TestServer;
  let files: FileServer;
  let photo: Buffer;
  let account: TestAccount;

  beforeAll(async () => {
    bed = await createTestBed();
    server = await createTestServer(bed.config({ ALLOW_PRIVATE_WEBHOOKS: 'true' }));
    strict = await createTestServer(bed.config());
    files = await startFileServer();
    photo = await photoWithPlace();
  });

  beforeEach(async () => {
    account = await createTestAccount(server);
  });

  afterEach(async () => {
    expect(await moneyFaults(bed.database)).toEqual([]);
  });

  afterAll(async () => {
    await files?.close();
    await Promise.all([server?.close(), strict?.close()]);
    await bed?.remove();
  });

  const fields = (body: object) => ({ to: TO, message: 'Look', apikey: account.apiKey, ...body });
  const send = (body: object, headers: Record<string, string> = {}) => server.send(fields(body), headers);
  const quote = (body: object) => server.inject({ method: 'POST', url: '/api/quote', payload: fields(body) });
  const codeOf = (answer: { statusCode: number; json(): { code?: string } }) => [answer.statusCode, answer.json().code];
  const money = () => moneyOf(bed.database, account.id);
  const upload = async (content: Buffer, accountId = account.id) => {
    const store = server.get(MediaStore);
    const received = await store.receive(inPieces(content), content.length);
    if (received.kind !== 'received') throw new Error(received.kind);
    const outcome = await store.storeReceived({ direction: 'outbound', accountId }, received.file);
    if (outcome.kind !== 'stored') throw new Error(outcome.kind);
    return publicMediaId(outcome.media.id);
  };
  const stored = async (mediaId: string) => {
    const store = server.get(MediaStore);
    const media = await store.find(account.id, mediaIdFromPublic(mediaId) ?? '');
    if (!media) throw new Error('The file is not stored');
    return bytesOf(store, media);
  };
  const rows = () =>
    bed.database.sql(
      `SELECT m.kind, m.body, m.segments, m.credits, f.given_ids, f.sent_ids FROM messages m
       LEFT JOIN message_media f ON f.account_id = m.account_id AND f.message_id = m.id
       WHERE m.account_id = $1 ORDER BY m.id`,
      [account.id],
    );

  it('fetches files, stores them and charges the price of an MMS', async () => {
    const url = files.serve('/photo', photo);
    const answer = await send({ media: [{ url }] });
    expect([answer.statusCode, answer.json()]).toEqual([
      200,
      {
        success: 'true',
        message_id: expect.stringMatching(/^SM[0-9a-f]{32}$/),
        kind: 'mms',
        segments: 1,
        credits: 3,
        encoding: 'GSM-7',
        balance: 97,
        media: [
          {
            media_id: expect.stringMatching(/^ME[0-9a-f]{32}$/),
            url: expect.stringMatching(/^https:\/\/pennytext\.test\/m\/ME[0-9a-f]{32}\?e=\d{10}&s=[\w-]{43}$/),
            type: 'image/jpeg',
            bytes: photo.length,
            sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
          },
        ],
      },
    ]);
    const [file] = answer.json<Answer>().media;
    expect(await stored(file?.media_id ?? '')).toEqual(photo);
    expect(await rows()).toMatchObject([{ kind: 'mms', body: 'Look', segments: 1, credits: 3 }]);
    expect(await money()).toMatchObject({ balance: 97, used: 3, messages: 1 });
  });

  it('shows the files in the message, its record and the history of the key', async () => {
    const sent = (await send({ media: [{ url: files.serve('/photo', photo) }] })).json<Answer>();
    const shown = { media_id: sent.media[0]?.media_id, type: 'image/jpeg', sha256: expect.any(String) };
    const read = async (path: string) =>
      (await server.inject({ url: path, headers: { authorization: `Bearer ${account.apiKey}` } })).json<object>();
    const path = `/api/messages/${sent.message_id}`;
    expect(await read(path)).toMatchObject({ kind: 'mms', media: [shown] });
    expect(await read('/api/messages')).toMatchObject({ messages: [{ kind: 'mms', media: [shown] }] });
    expect(await read(`${path}/record`)).toMatchObject({ kind: 'mms', media: [shown] });
  });

  it('takes uploaded files, without a text, and in a form', async () => {
    const [first, second] = [await upload(photo), await upload(await jpegOf(40, 30))];
    const answer = await send({ message: '', media: [{ media_id: second }, { media_id: first }] });
    expect(answer.json<Answer>().media.map(({ media_id }) => media_id)).toEqual([second, first]);
    const form = new URLSearchParams({ to: TO, message: 'Look', apikey: account.apiKey, media: first });
    form.append('media', files.serve('/photo', photo));
    const posted = await server.inject({
      method: 'POST',
      url: '/api/sendsms',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: form.toString(),
    });
    const [known, fetched] = posted.json<Answer>().media;
    expect([known?.media_id, fetched?.sha256]).toEqual([first, known?.sha256]);
    expect(await money()).toMatchObject({ balance: 94, messages: 2 });
  });

  it('takes a text of 1,600 characters at the same price, and none longer', async () => {
    const media = [{ media_id: await upload(photo) }];
    expect((await send({ message: 'ж'.repeat(1_600), media })).json()).toMatchObject({ segments: 1, credits: 3 });
    expect(codeOf(await send({ message: 'a'.repeat(1_601), media }))).toEqual([400, 'message_too_long']);
  });

  it('is a text when the list is empty', async () => {
    const answer = await send({ media: [] });
    expect(answer.json()).toMatchObject({ success: 'true', credits: 1 });
    expect(answer.json()).not.toHaveProperty('kind');
    expect(await rows()).toMatchObject([{ kind: 'sms', given_ids: null }]);
  });

  describe('what a URL leads to', () => {
    const refused = async (url: string, code: string, detail: RegExp) => {
      const before = await bed.database.sql('SELECT count(*) FROM media');
      const answer = await send({ media: [{ url }] });
      expect(codeOf(answer)).toEqual([code === 'media_too_large' ? 413 : 400, code]);
      expect(answer.json<{ detail: string }>().detail).toMatch(detail);
      expect(answer.json<{ detail: string }>().detail).toMatch(/not charged/);
      expect(await money()).toMatchObject({ balance: 100, entries: 1, messages: 0 });
      expect(await bed.database.sql('SELECT count(*) FROM media')).toEqual(before);
    };
    const serve = (content: Buffer | ((response: ServerResponse) => void)) => files.serve('/bad', content);

    it.each([
      ['is not found', (response: ServerResponse) => response.writeHead(404).end(), /answered 404/],
      ['is forbidden', (response: ServerResponse) => response.writeHead(403).end(), /answered 403/],
      ['fails', (response: ServerResponse) => response.writeHead(500).end(), /answered 500/],
      ['has no content', (response: ServerResponse) => response.writeHead(204).end(), /answered 204/],
      [
        'ends before its length',
        (response: ServerResponse) => {
          response.writeHead(200, { 'content-length': 90_000, 'content-type': 'image/jpeg' });
          response.write(photo.subarray(0, 2_000));
          setTimeout(() => response.destroy(), 20);
        },
        /closed|ended|broke|connection/i,
      ],
      [
        'goes on after its length',
        (response: ServerResponse) =>
          response.socket?.end('HTTP/1.1 200 OK\r\ncontent-length: 5\r\ncontent-length: 7\r\n\r\nmuch more'),
        /answer|HTTP|length/i,
      ],
      ['breaks at once', (response: ServerResponse) => response.destroy(), /closed|connection/i],
      ['is no HTTP', (response: ServerResponse) => response.socket?.end('SSH-2.0-x\r\n'), /call failed/],
      [
        'circles',
        (response: ServerResponse) => response.writeHead(302, { location: '/bad' }).end(),
        /more than 3 redirects/,
      ],
      ['redirects nowhere', (response: ServerResponse) => response.writeHead(302).end(), /no URL/],
      [
        'redirects to another protocol',
        (response: ServerResponse) => response.writeHead(302, { location: 'file:///etc/passwd' }).end(),
        /http/,
      ],
    ] satisfies [string, (response: ServerResponse) => void, RegExp][])('%s', async (_name, answer, detail) => {
      await refused(serve(answer), 'media_unreachable', detail);
    });

    it('comes so slowly that it is not there after 10 seconds', async () => {
      const started = Date.now();
      let timer: NodeJS.Timeout | undefined;
      const url = serve((response) => {
        response.writeHead(200, { 'content-type': 'image/jpeg' });
        timer = setInterval(() => response.write(photo.subarray(0, 1)), 200);
      });
      await refused(url, 'media_unreachable', /within 10 s/);
      clearInterval(timer);
      expect(Date.now() - started).toBeLessThan(14_000);
    });

    it.each([
      ['a page disguised as PNG', SCRIPT_PAGE],
      ['an SVG disguised as PNG', SCRIPT_SVG],
      ['a program', Buffer.from('MZ\x90\x00')],
      ['zeros', Buffer.alloc(4_000_000)],
      ['nothing', Buffer.alloc(0)],
      ['half a picture', Buffer.from('89504e470d0a1a0a', 'hex')],
      ['a picture with 1,000,000,000 pixels in a few kilobytes', pngOf(40_000, 25_000)],
    ])('is %s', async (_name, content) => {
      const url = serve((response) => response.writeHead(200, { 'content-type': 'image/png' }).end(content));
      await refused(url, 'media_type', /^media\.0: /);
    });

    it('is 10 MB of zeros', async () => {
      const url = serve((response) => response.writeHead(200, { 'content-type': 'image/png' }).end(Buffer.alloc(1e7)));
      await refused(url, 'media_too_large', /5,000,000 bytes/);
    });

    it('has no end, and is not read on', async () => {
      let written = 0;
      const url = serve((response) => {
        response.writeHead(200, { 'content-type': 'image/png' });
        const more = (): void => {
          while (!response.destroyed && written < 100_000_000) {
            written += 50_000;
            if (!response.write(Buffer.alloc(50_000))) return void response.once('drain', more);
          }
          response.end();
        };
        more();
      });
      await refused(url, 'media_too_large', /5,000,000 bytes/);
      expect(written).toBeLessThan(50_000_000);
    });
  });

  it.each([
    ['a loopback address', 'http://127.0.0.1/a.png'],
    ['a private address', 'http://10.0.0.7/a.png'],
    ['the address of metadata', 'http://169.254.169.254/latest/meta-data'],
    ['IPv6 of this machine', 'http://[::1]/a.png'],
    ['IPv4 in IPv6', 'http://[::ffff:127.0.0.1]/a.png'],
    ['a number as an address', 'http://2130706433/a.png'],
    ['a name of this machine', 'http://localhost/a.png'],
    ['a user in it', 'https://user:word@example.com/a.png'],
    ['another protocol', 'ftp://example.com/a.png'],
    ['no protocol', 'example.com/a.png'],
  ])('refuses a URL with %s', async (_name, url) => {
    const answer = await strict.send(fields({ media: [{ url }] }));
    expect(codeOf(answer)).toEqual([400, 'media_unreachable']);
    expect(await money()).toMatchObject({ balance: 100, messages: 0 });
  });

  it('refuses 11 files, and files with more than 5,000,000 bytes together', async () => {
    const small = { media_id: await upload(photo) };
    expect(codeOf(await send({ media: Array.from({ length: 11 }, () => small) }))).toEqual([400, 'invalid_request']);
    const half = files.serve('/half', pdfOf(2_550_000));
    const answer = await send({ media: [{ url: half }, { url: half }] });
    expect(codeOf(answer)).toEqual([413, 'media_too_large']);
    const uploaded = { media_id: await upload(pdfOf(2_550_001)) };
    expect(codeOf(await send({ media: [uploaded, { url: half }] }))).toEqual([413, 'media_too_large']);
    expect(codeOf(await send({ media: [uploaded, uploaded] }))).toEqual([413, 'media_too_large']);
    expect(await money()).toMatchObject({ balance: 100, messages: 0 });
  });

  it('fetches a URL once, however often a message names it, and counts it as often', async () => {
    const fetched = (path: string) => files.requests.filter((request) => request.path === path).length;
    const once = { url: files.serve('/repeated', photo) };
    const sent = await send({ media: [once, { media_id: await upload(pdfOf(1_000)) }, once] });
    const [first, between, last] = sent.json<Answer>().media;
    expect([first?.type, between?.type, last]).toEqual(['image/jpeg', 'application/pdf', first]);
    expect(fetched('/repeated')).toBe(1);
    const large = { url: files.serve('/often', pdfOf(500_001)) };
    const before = await bed.database.sql('SELECT count(*) FROM media');
    expect(codeOf(await send({ media: Array.from({ length: 10 }, () => large) }))).toEqual([413, 'media_too_large']);
    expect(fetched('/often')).toBe(1);
    expect(await bed.database.sql('SELECT count(*) FROM media')).toEqual(before);
  });

  it('ends all fetches when the files have more than 5,000,000 bytes together', async () => {
    const before = await bed.database.sql('SELECT count(*) FROM media');
    const wholeFiles: boolean[] = [];
    // Each response is below the message's limit, and would end long after the refusal.
    const media = ['/a', '/b', '/c'].map((path) => ({
      url: files.serve(path, (response) => {
        const end = setTimeout(() => response.end(), 5_000);
        response.on('close', () => {
          clearTimeout(end);
          wholeFiles.push(response.writableEnded);
        });
        response.writeHead(200, { 'content-type': 'application/pdf' }).write(pdfOf(1_700_000));
      }),
    }));
    expect(codeOf(await send({ media }))).toEqual([413, 'media_too_large']);
    await eventually('all connections are closed', async () => wholeFiles.length === 3);
    expect(wholeFiles).toEqual([false, false, false]);
    expect(await bed.database.sql('SELECT count(*) FROM media')).toEqual(before);
    expect(await money()).toMatchObject({ balance: 100, messages: 0 });
  });

  it('stores none of the files when one cannot be had', async () => {
    const before = await bed.database.sql('SELECT count(*) FROM media');
    const answer = await send({
      media: [{ url: files.serve('/unseen', await jpegOf(77, 31)) }, { url: `${files.origin}/nothing` }],
    });
    expect(codeOf(answer)).toEqual([400, 'media_unreachable']);
    expect(answer.json<{ detail: string }>().detail).toMatch(/^media\.1: /);
    expect(await bed.database.sql('SELECT count(*) FROM media')).toEqual(before);
  });

  it('refuses ids of other accounts, of deleted files, and of none', async () => {
    const other = await createTestAccount(server);
    const foreign = await upload(photo, other.id);
    const expired = await upload(await jpegOf(50, 50));
    await bed.database.sql("UPDATE media SET state = 'expired', sha256 = NULL WHERE id = $1", [
      mediaIdFromPublic(expired),
    ]);
    expect(codeOf(await send({ media: [{ media_id: expired }] }))).toEqual([410, 'media_expired']);
    for (const media_id of [foreign, `ME${'1'.repeat(32)}`, 'ME1', 'x'])
      expect([media_id, ...codeOf(await send({ media: [{ media_id }] }))]).toEqual([media_id, 404, 'media_unknown']);
    expect(await money()).toMatchObject({ balance: 100, messages: 0 });
  });

  it.each([
    ['a text instead of a list', { media: 7 }],
    ['a file without either', { media: [{}] }],
    ['a file with both', { media: [{ url: 'https://example.com/a', media_id: `ME${'1'.repeat(32)}` }] }],
    ['another fallback', { media: [], media_fallback: 'email' }],
    ['another transcode', { media: [], transcode: 'perhaps' }],
  ])('refuses %s', async (_name, body) => {
    expect(codeOf(await send(body))).toEqual([400, 'invalid_request']);
  });

  it('fetches nothing for a message that would be refused', async () => {
    const url = files.serve('/watched', photo);
    const poor = await createTestAccount(server, { credits: 2 });
    const refusals = [
      await send({ apikey: poor.apiKey, media: [{ url }] }),
      await send({ apikey: 'wrong', media: [{ url }] }),
      await send({ to: '12', media: [{ url }] }),
      await send({ to: ABROAD, media: [{ url }] }),
      await send({ message: 'see http://example.com', media: [{ url }] }),
      await send({ max_credits: 2, media: [{ url }] }),
    ];
    expect(refusals.map((answer) => answer.json<{ code: string }>().code)).toEqual([
      'insufficient_credits',
      'unknown_api_key',
      'invalid_number',
      'media_unsupported',
      'url_not_activated',
      'price_above_max',
    ]);
    expect(files.requests.filter(({ path }) => path === '/watched')).toEqual([]);
  });

  it('lets an account receive files of few messages at once', async () => {
    const places = server.get(FilePlaces);
    const leaves = await Promise.all(Array.from({ length: 4 }, () => places.enter(account.id)));
    const waiting = Array.from({ length: 16 }, () => places.enter(account.id));
    const answer = await send({ media: [{ url: files.serve('/photo', photo) }] });
    expect(codeOf(answer)).toEqual([429, 'media_limit']);
    expect(answer.headers['retry-after']).toBe('1');
    leaves.forEach((leave) => leave());
    for (const place of waiting) (await place)();
    expect((await send({ media: [{ url: files.serve('/photo', photo) }] })).statusCode).toBe(200);
  });

  describe('with an Idempotency-Key', () => {
    it('is accepted once, also when the URL leads nowhere any more', async () => {
      const url = files.serve('/once', await jpegOf(60, 60));
      const first = await send({ media: [{ url }] }, { 'idempotency-key': 'one' });
      files.serve('/once', (response) => response.writeHead(404).end());
      const second = await send({ media: [{ url }] }, { 'idempotency-key': 'one' });
      expect(second.statusCode).toBe(200);
      expect(second.headers['idempotent-replayed']).toBe('true');
      expect(second.json<Answer>().message_id).toBe(first.json<Answer>().message_id);
      expect(files.requests.filter(({ path }) => path === '/once')).toHaveLength(1);
      expect(await money()).toMatchObject({ balance: 97, messages: 1 });
    });

    it('is refused with other files', async () => {
      const media = [{ media_id: await upload(photo) }];
      await send({ media }, { 'idempotency-key': 'two' });
      for (const body of [{ media: [...media, ...media] }, { media, transcode: false }, {}])
        expect(codeOf(await send(body, { 'idempotency-key': 'two' }))).toEqual([422, 'idempotency_conflict']);
    });

    it('is tried again after a file that could not be had', async () => {
      const url = files.serve('/later', (response) => response.writeHead(503).end());
      expect(codeOf(await send({ media: [{ url }] }, { 'idempotency-key': 'three' }))).toEqual([
        400,
        'media_unreachable',
      ]);
      files.serve('/later', photo);
      expect((await send({ media: [{ url }] }, { 'idempotency-key': 'three' })).statusCode).toBe(200);
      expect(await money()).toMatchObject({ balance: 97, messages: 1 });
    });

    it('is accepted once by two servers at the same time', async () => {
      const other = await createTestServer(bed.config({ ALLOW_PRIVATE_WEBHOOKS: 'true' }));
      try {
        const url = files.serve('/both', (response) => void setTimeout(() => response.end(photo), 200));
        const body = fields({ media: [{ url }] });
        const answers = await Promise.all([server, other].map((one) => one.send(body, { 'idempotency-key': 'four' })));
        const again = await send({ media: [{ url }] }, { 'idempotency-key': 'four' });
        expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200]);
        const ids = [...answers, again].map((answer) => answer.json<Answer>().message_id);
        expect(new Set(ids).size).toBe(1);
        expect(await money()).toMatchObject({ balance: 97, messages: 1 });
      } finally {
        await other.close();
      }
    });
  });

  it('finds a duplicate by text and files, not by text alone', async () => {
    const [first, second] = [{ media_id: await upload(photo) }, { media_id: await upload(await jpegOf(61, 61)) }];
    const one = (await send({ media: [first], dedupe: 60 })).json<Answer>();
    expect((await send({ media: [second], dedupe: 60 })).json()).not.toHaveProperty('deduplicated');
    expect((await send({ dedupe: 60 })).json()).not.toHaveProperty('deduplicated');
    const again = await send({ media: [{ url: files.serve('/photo', photo) }], dedupe: 60 });
    expect(again.json()).toMatchObject({ message_id: one.message_id, deduplicated: true });
    expect(await money()).toMatchObject({ messages: 3 });
  });

  it('fits pictures to what the sender carries, and keeps the given ones', async () => {
    const large = await jpegOf(1_600, 1_200);
    expect(large.length).toBeGreaterThan(1_000_000);
    const media = [{ media_id: await upload(large) }];
    const [file] = (await send({ media })).json<Answer>().media;
    expect(file).toMatchObject({ type: 'image/jpeg', original_id: media[0]?.media_id });
    expect(file?.bytes).toBeLessThanOrEqual(1_000_000);
    const fitted = await stored(file?.media_id ?? '');
    expect(fitted?.length).toBe(file?.bytes);
    expect(await sharp(fitted).metadata()).toMatchObject({ format: 'jpeg' });
    const again = (await send({ media })).json<Answer>().media[0];
    expect(again?.media_id).toBe(file?.media_id);
    expect(await stored(media[0]?.media_id ?? '')).toEqual(large);
  });

  it('refuses a large picture when it must stay as it is, and names the limit', async () => {
    const media = [{ media_id: await upload(await jpegOf(1_600, 1_200)) }];
    const answer = await send({ media, transcode: false });
    expect(codeOf(answer)).toEqual([413, 'media_too_large']);
    expect(answer.json()).toMatchObject({
      detail: expect.stringMatching(/1,000,000 bytes.*not charged/),
      fix: { body: { transcode: true } },
    });
    expect(await money()).toMatchObject({ balance: 100, messages: 0 });
  });

  it('has its files erased with its person, unless someone else has them too', async () => {
    const [own, shared] = [await upload(photo), await upload(pngOf(9, 9))];
    const fetched = files.serve('/photo', await photoWithPlace(320, 240));
    const sent = await send({ media: [{ media_id: own }, { media_id: shared }, { url: fetched }] });
    await send({ to: '+14155550142', media: [{ media_id: shared }] });
    const ids = sent.json<Answer>().media.map(({ media_id }) => media_id);
    const states = async () => {
      const found = ids.map((id) => server.get(MediaStore).find(account.id, mediaIdFromPublic(id) ?? ''));
      return (await Promise.all(found)).map((media) => media?.state);
    };
    expect(await states()).toEqual(['stored', 'stored', 'stored']);
    await bed.database.sql(`UPDATE messages SET status = 'delivered' WHERE account_id = $1`, [account.id]);
    await server.get(AccountErasure).eraseRecipient(account.email, TO);
    expect(await states()).toEqual(['expired', 'stored', 'expired']);
  });

  it('never makes an animated GIF smaller', async () => {
    const gif = await animatedGif(400, 90);
    const noise = await Promise.all(Array.from({ length: 24 }, () => noisyPicture(300, 300).raw().toBuffer()));
    const large = await sharp(Buffer.concat(noise), {
      raw: { width: 300, height: 7_200, channels: 3, pageHeight: 300 },
    })
      .gif({ delay: 50, effort: 1 })
      .toBuffer();
    expect(large.length).toBeGreaterThan(1_000_000);
    expect(codeOf(await send({ media: [{ media_id: await upload(large) }] }))).toEqual([413, 'media_too_large']);
    const [file] = (await send({ media: [{ media_id: await upload(gif) }] })).json<Answer>().media;
    expect(await stored(file?.media_id ?? '')).toEqual(gif);
  });

  it('sends WebP as JPEG, as no carrier takes it', async () => {
    const webp = await noisyPicture(120, 80).webp().toBuffer();
    const media = [{ media_id: await upload(webp) }];
    expect((await send({ media })).json<Answer>().media[0]).toMatchObject({ type: 'image/jpeg' });
    expect(codeOf(await send({ media, transcode: false }))).toEqual([413, 'media_too_large']);
  });

  it('fits to 600,000 bytes when the sender is toll-free', async () => {
    const tollFree = await createTestServer(bed.config({ TWILIO_SENDERS: TOLL_FREE }));
    try {
      const media = [{ media_id: await upload(await jpegOf(1_100, 800)) }];
      const [file] = (await tollFree.send(fields({ media }))).json<Answer>().media;
      expect(file?.bytes).toBeLessThanOrEqual(600_000);
      const refused = await tollFree.send(fields({ media, transcode: false }));
      expect(refused.json<{ detail: string }>().detail).toMatch(/600,000 bytes/);
    } finally {
      await tollFree.close();
    }
  });

  describe('outside the USA and Canada', () => {
    it('is refused', async () => {
      const media = [{ media_id: await upload(photo) }];
      expect(codeOf(await send({ to: ABROAD, media }))).toEqual([400, 'media_unsupported']);
      expect(await money()).toMatchObject({ balance: 100, messages: 0 });
    });

    it('is a text with links, for an account that may send them', async () => {
      const activated = await createTestAccount(server, { urlsActivated: true });
      account = activated;
      const media = [{ media_id: await upload(photo) }, { media_id: await upload(await jpegOf(20, 20)) }];
      const answer = await send({ to: ABROAD, media, media_fallback: 'link' });
      const [row] = await rows();
      const body = String(row?.body);
      expect(body).toMatch(
        /^Look\nhttps:\/\/pennytext\.test\/m\/ME[0-9a-f]{32}\?e=\d{10}&s=[\w-]{43}\nhttps:\/\/pennytext\.test\/m\//,
      );
      expect(row).toMatchObject({ kind: 'sms', segments: Math.ceil(body.length / 153), given_ids: null });
      expect(answer.json()).toMatchObject({ success: 'true', segments: row?.segments, credits: row?.credits });
      expect(row?.credits).toBe(3 * Number(row?.segments));
      const opened = await server.inject({ url: new URL(body.split('\n')[1] ?? '').href.slice(22) });
      expect([opened.statusCode, opened.rawPayload.equals(photo)]).toEqual([200, true]);
    });

    it('is refused as links too for an account that may send none', async () => {
      const media = [{ media_id: await upload(photo) }];
      const answer = await send({ to: ABROAD, media, media_fallback: 'link' });
      expect(codeOf(answer)).toEqual([403, 'url_not_activated']);
      expect(answer.json<{ detail: string }>().detail).toBe(
        'Links in place of files need activation of the account, as all URLs do. You were not charged. ' +
          'Contact support.',
      );
      const written = await send({ to: ABROAD, message: 'see example.com', media, media_fallback: 'link' });
      expect(written.json<{ detail: string }>().detail).toContain('"example.com" is a URL.');
    });

    it('is an MMS all the same to the USA', async () => {
      const answer = await send({ media: [{ media_id: await upload(photo) }], media_fallback: 'link' });
      expect(answer.json()).toMatchObject({ kind: 'mms', credits: 3 });
    });
  });

  describe('with a test key', () => {
    it('looks at files, and stores and charges nothing', async () => {
      const key = `${account.apiKey}_test`;
      const before = await bed.database.sql('SELECT count(*) FROM media');
      const good = await send({ apikey: key, media: [{ url: files.serve('/new', await jpegOf(33, 44)) }] });
      expect(good.json()).toMatchObject({ test: true, kind: 'mms', credits: 3, media: [{ url: null }] });
      const bad = await send({ apikey: key, media: [{ url: files.serve('/page', SCRIPT_PAGE) }] });
      expect(codeOf(bad)).toEqual([400, 'media_type']);
      expect(await bed.database.sql('SELECT count(*) FROM media')).toEqual(before);
      expect(await money()).toMatchObject({ balance: 100, messages: 0 });
    });
  });

  describe('a quote', () => {
    it('promises the price of a message with these files, and fetches none', async () => {
      const media = [{ url: files.serve('/quoted', photo) }];
      const quoted = await quote({ media });
      expect(quoted.json()).toMatchObject({ success: 'true', kind: 'mms', credits: 3, segments: 1 });
      expect(files.requests.filter(({ path }) => path === '/quoted')).toEqual([]);
      const { quote: promise } = quoted.json<{ quote: string }>();
      expect(codeOf(await send({ quote: promise }))).toEqual([400, 'quote_invalid']);
      expect((await send({ quote: promise, media })).statusCode).toBe(200);
    });

    it('is refused as the message would be', async () => {
      expect(codeOf(await quote({ to: ABROAD, media: [{ url: 'https://example.com/a.png' }] }))).toEqual([
        400,
        'media_unsupported',
      ]);
      expect(codeOf(await quote({ media: [{ media_id: `ME${'1'.repeat(32)}` }] }))).toEqual([404, 'media_unknown']);
    });
  });

  it('follows redirects, but to no address that is never called', async () => {
    const other = await startFileServer();
    try {
      const target = other.serve('/target', photo);
      const url = files.serve('/hop', (response) => response.writeHead(302, { location: target }).end());
      expect((await send({ media: [{ url }] })).statusCode).toBe(200);
      for (const location of ['http://169.254.169.254/latest/meta-data', 'http://[fe80::1]/', 'http://0.0.0.0/']) {
        files.serve('/hop', (response) => response.writeHead(302, { location }).end());
        expect(codeOf(await send({ media: [{ url }] }))).toEqual([400, 'media_unreachable']);
      }
    } finally {
      await other.close();
    }
  });
});
