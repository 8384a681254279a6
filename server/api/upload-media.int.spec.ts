import { createHash } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { Readable } from 'node:stream';
import sharp from 'sharp';
import { limits } from '#contract/limits.js';
import {
  animatedGif,
  noisyPicture,
  photoWithPlace,
  pngOf,
  SCRIPT_PAGE,
  SCRIPT_SVG,
} from '#core/media/testing/pictures.js';
import { startFileServer, type FileServer } from '#core/media/testing/file-server.js';
import { filesUnder } from '#core/media/testing/stored-files.js';
import { FilePlaces } from '#core/messages/files/file-places.js';
import { ReceivingPlaces } from '#core/messages/files/receiving-places.js';
import { startBucketServer, type BucketServer } from '#core/providers/s3/testing/bucket-server.js';
import { eventually } from '#core/testing/eventually.js';
import { createTestAccount, type TestAccount } from '#core/testing/test-accounts.js';
import { createTestBed, type TestBed } from '#core/testing/test-bed.js';
import { RawConnection } from '../testing/raw-connection.js';
import { createTestServer, type TestServer } from '../testing/test-server.js';

const BOUNDARY = 'the-boundary-of-the-tests';

interface Part {
  readonly name: string;
  readonly filename?: string;
  readonly type?: string;
  readonly content: Buffer | string;
}

function multipart(parts: readonly Part[]): Buffer {
  const blocks = parts.flatMap(({ name, filename, type, content }) => [
    `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"`,
    filename === undefined ? '' : `; filename="${filename}"`,
    type === undefined ? '' : `\r\nContent-Type: ${type}`,
    '\r\n\r\n',
    content,
    '\r\n',
  ]);
  return Buffer.concat([...blocks, `--${BOUNDARY}--\r\n`].map((part) => Buffer.from(part)));
}

describe('POST /api/media', () => {
  let bed: TestBed;
  let server: TestServer;
  let files: FileServer;
  let photo: Buffer;
  let account: TestAccount;

  beforeAll(async () => {
    bed = await createTestBed();
    server = await createTestServer(bed.config({ ALLOW_PRIVATE_WEBHOOKS: 'true' }));
    files = await startFileServer();
    photo = await photoWithPlace();
  });

  beforeEach(async () => {
    account = await createTestAccount(server);
  });

  afterEach(() => jest.restoreAllMocks());

  afterAll(async () => {
    await files?.close();
    await server?.close();
    await bed?.remove();
  });

  const post = (payload: Buffer | Readable, headers: Record<string, string> = {}, to = server) =>
    to.inject({
      method: 'POST',
      url: '/api/media',
      headers: {
        'content-type': `multipart/form-data; boundary=${BOUNDARY}`,
        authorization: `Bearer ${account.apiKey}`,
        ...headers,
      },
      payload,
    });
  const fileOf = (content: Buffer, filename = 'a.jpg', type = 'image/jpeg') =>
    multipart([{ name: 'file', filename, type, content }]);
  const upload = (content: Buffer, to = server) => post(fileOf(content), {}, to);
  const codeOf = (answer: { statusCode: number; json(): { code?: string } }) => [answer.statusCode, answer.json().code];
  const rows = () => bed.database.sql('SELECT sha256 FROM media WHERE account_id = $1', [account.id]);

  /** The port that the server listens on. */
  const listening = async () => {
    const http = server.app.getHttpServer();
    if (!http.listening) await server.app.listen(0, '127.0.0.1');
    return (http.address() as AddressInfo).port;
  };

  it('stores a file and answers what it is', async () => {
    const answer = await upload(photo);
    expect([answer.statusCode, answer.json()]).toEqual([
      200,
      {
        success: 'true',
        media_id: expect.stringMatching(/^ME[0-9a-f]{32}$/),
        type: 'image/jpeg',
        bytes: photo.length,
        sha256: createHash('sha256').update(photo).digest('hex'),
        expires_at: expect.any(String),
      },
    ]);
    const { media_id: id, expires_at: end } = answer.json<{ media_id: string; expires_at: string }>();
    expect(Date.parse(end) - Date.now()).toBeGreaterThan((limits.mediaKeptDays - 1) * 86_400_000);
    const download = await server.inject({
      url: `/api/media/${id}`,
      headers: { authorization: `Bearer ${account.apiKey}` },
    });
    expect(download.rawPayload.equals(photo)).toBe(true);
  });

  it('reads a type from the bytes, whatever the name and the part declare', async () => {
    const png = await noisyPicture(9, 9).png().toBuffer();
    const answer = await post(fileOf(png, 'letter.html', 'text/html'));
    expect(answer.json()).toMatchObject({ type: 'image/png' });
  });

  it('stores what is at a URL', async () => {
    const url = files.serve('/photo', photo);
    for (const body of [
      { headers: { 'content-type': 'application/json' }, payload: JSON.stringify({ url }) },
      { headers: { 'content-type': 'application/x-www-form-urlencoded' }, payload: `url=${encodeURIComponent(url)}` },
    ]) {
      const answer = await post(Buffer.from(body.payload), body.headers);
      expect(answer.json()).toMatchObject({ success: 'true', type: 'image/jpeg', bytes: photo.length });
    }
    expect(await rows()).toHaveLength(2);
  });

  describe('with an Idempotency-Key', () => {
    const json = { 'content-type': 'application/json' };
    const idOf = (answer: { json(): { media_id?: string } }) => answer.json().media_id;

    it('answers a repeated upload with the first file', async () => {
      const keyed = { 'idempotency-key': 'menu' };
      const first = await post(fileOf(photo), keyed);
      const again = await post(fileOf(photo, 'other-name.jpg'), keyed);
      expect([first.headers['idempotent-replayed'], again.headers['idempotent-replayed']]).toEqual([undefined, 'true']);
      expect([again.statusCode, again.json()]).toEqual([200, first.json()]);
      expect(await rows()).toHaveLength(1);
      expect(idOf(await post(fileOf(photo)))).not.toBe(idOf(first));
      expect(idOf(await post(fileOf(photo), { 'idempotency-key': 'menu 2' }))).not.toBe(idOf(first));
    });

    it('fetches a URL once, even if it leads nowhere later', async () => {
      const payload = Buffer.from(JSON.stringify({ url: files.serve('/once', photo) }));
      const keyed = { ...json, 'idempotency-key': 'once' };
      const first = await post(payload, keyed);
      files.serve('/once', Buffer.from('no picture'));
      expect((await post(payload, keyed)).json()).toEqual(first.json());
      expect(await rows()).toHaveLength(1);
    });

    it('refuses another file or URL with the key', async () => {
      const keyed = { 'idempotency-key': 'conflict' };
      await post(fileOf(photo), keyed);
      const png = await noisyPicture(9, 9).png().toBuffer();
      expect(codeOf(await post(fileOf(png), keyed))).toEqual([422, 'idempotency_conflict']);
      const byUrl = Buffer.from(JSON.stringify({ url: files.serve('/photo', photo) }));
      expect(codeOf(await post(byUrl, { ...json, ...keyed }))).toEqual([422, 'idempotency_conflict']);
      expect(await rows()).toHaveLength(1);
    });

    it('gives one id to uploads at the same time', async () => {
      const keyed = { 'idempotency-key': 'at once' };
      const answers = await Promise.all([1, 2, 3].map(() => post(fileOf(photo), keyed)));
      const refused = answers.filter(({ statusCode }) => statusCode !== 200);
      for (const answer of refused) expect(codeOf(answer)).toEqual([409, 'idempotency_in_progress']);
      const stored = answers.filter(({ statusCode }) => statusCode === 200);
      expect(new Set(stored.map(idOf)).size).toBe(1);
      expect(idOf(await post(fileOf(photo), keyed))).toBe(stored[0] && idOf(stored[0]));
      expect(await rows()).toHaveLength(1);
    });

    it('stores a file again that has been deleted since', async () => {
      const keyed = { 'idempotency-key': 'deleted' };
      const first = await post(fileOf(photo), keyed);
      await bed.database.sql(`UPDATE media SET state = 'expired', sha256 = NULL WHERE account_id = $1`, [account.id]);
      const again = await post(fileOf(photo), keyed);
      expect(again.statusCode).toBe(200);
      expect(idOf(again)).not.toBe(idOf(first));
      expect(idOf(await post(fileOf(photo), keyed))).toBe(idOf(again));
    });

    it('keeps keys of uploads apart from those of messages, and remembers none of a refused file', async () => {
      const keyed = { 'idempotency-key': 'shared' };
      expect(codeOf(await post(fileOf(Buffer.from('no picture')), keyed))).toEqual([400, 'media_type']);
      expect((await post(fileOf(photo), keyed)).statusCode).toBe(200);
      const sent = await server.inject({
        method: 'POST',
        url: '/api/sendsms',
        headers: keyed,
        payload: { to: '+12025550142', message: 'Hi', apikey: account.apiKey },
      });
      expect(sent.statusCode).toBe(200);
    });
  });

  it('takes a key in a JSON body too', async () => {
    const payload = JSON.stringify({ url: files.serve('/photo', photo), apikey: account.apiKey });
    const answer = await server.inject({
      method: 'POST',
      url: '/api/media',
      headers: { 'content-type': 'application/json' },
      payload,
    });
    expect(answer.statusCode).toBe(200);
  });

  it('stores the same bytes once, also when two servers receive them at once', async () => {
    const other = await createTestServer(bed.config());
    try {
      const many = await Promise.all([0, 1, 2, 3].map((n) => upload(photo, n % 2 ? server : other)));
      expect(many.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 200]);
      const [{ sha256 } = { sha256: '' }] = many.map((answer) => answer.json<{ sha256: string }>());
      const stored = await filesUnder(bed.config().media.folder);
      expect(
        stored
          .filter((path) => path.includes(account.id))
          .map((path) => basename(path))
          .toSorted(),
      ).toEqual([sha256, `${sha256}.thumbnail`]);
      for (const answer of many) {
        const url = `/api/media/${answer.json<{ media_id: string }>().media_id}`;
        const download = await other.inject({ url, headers: { authorization: `Bearer ${account.apiKey}` } });
        expect(download.rawPayload.equals(photo)).toBe(true);
      }
    } finally {
      await other.close();
    }
  });

  it('stores nothing for a test key', async () => {
    const answer = await post(fileOf(photo), { authorization: `Bearer ${account.apiKey}_test` });
    expect(answer.json()).toMatchObject({ success: 'true', test: true, type: 'image/jpeg' });
    expect(codeOf(await post(fileOf(SCRIPT_SVG), { authorization: `Bearer ${account.apiKey}_test` }))).toEqual([
      400,
      'media_type',
    ]);
    expect(await rows()).toEqual([]);
  });

  it.each([
    ['an SVG called PNG', SCRIPT_SVG],
    ['a page called JPEG', SCRIPT_PAGE],
    ['zeros', Buffer.alloc(1_000_000)],
    ['nothing', Buffer.alloc(0)],
    ['a picture with 1,000,000,000 pixels', pngOf(40_000, 25_000)],
    ['the beginning of a picture', Buffer.from('ffd8ffe000104a464946', 'hex')],
  ])('refuses %s', async (_name, content) => {
    expect(codeOf(await upload(content))).toEqual([400, 'media_type']);
    expect(await rows()).toEqual([]);
  });

  it('refuses an animated WebP, which could be sent as one of its pictures only', async () => {
    const webp = await sharp(await animatedGif(4), { animated: true })
      .webp()
      .toBuffer();
    expect(codeOf(await upload(webp))).toEqual([400, 'media_type']);
  });

  it('refuses 5,000,001 bytes, whatever length they are declared with', async () => {
    const long = fileOf(Buffer.concat([Buffer.from('%PDF-1.7\n'), Buffer.alloc(4_999_992, 7)]));
    expect(codeOf(await post(long))).toEqual([413, 'media_too_large']);
    const longer = fileOf(Buffer.alloc(6_000_000));
    expect(codeOf(await post(longer))).toEqual([413, 'media_too_large']);
    expect(codeOf(await post(Readable.from([longer]), { 'transfer-encoding': 'chunked' }))).toEqual([
      413,
      'media_too_large',
    ]);
    const most = fileOf(Buffer.concat([Buffer.from('%PDF-1.7\n'), Buffer.alloc(4_999_991, 7)]));
    expect((await post(most)).statusCode).toBe(200);
  });

  it('receives no file without a good key', async () => {
    const entered = jest.spyOn(server.get(ReceivingPlaces), 'enter');
    const noKey = await server.inject({
      method: 'POST',
      url: '/api/media',
      headers: { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` },
      payload: fileOf(photo),
    });
    expect(codeOf(noKey)).toEqual([400, 'missing_fields']);
    expect(codeOf(await post(fileOf(photo), { authorization: 'Bearer wrong' }))).toEqual([401, 'unknown_api_key']);
    expect(entered).not.toHaveBeenCalled();
  });

  it('gives back the place of the account, whatever happened', async () => {
    const places = server.get(FilePlaces);
    for (let n = 0; n < 25; n += 1) await upload(n % 2 ? photo : SCRIPT_SVG);
    await upload(Buffer.alloc(6_000_000));
    const leaves = await Promise.all([0, 1, 2, 3].map(() => places.enter(account.id)));
    leaves.forEach((leave) => leave());
    const receiving = server.get(ReceivingPlaces);
    const others = await Promise.all(Array.from({ length: 25 }, () => receiving.enter(account.id)));
    others.forEach((leave) => leave());
  });

  it('lets files that trickle hold no place for work, and refuses them', async () => {
    const port = await listening();
    const received = jest.spyOn(server.get(ReceivingPlaces), 'enter');
    const worked = jest.spyOn(server.get(FilePlaces), 'enter');
    const head = [
      'POST /api/media HTTP/1.1',
      'Host: x',
      `Authorization: Bearer ${account.apiKey}`,
      `Content-Type: multipart/form-data; boundary=${BOUNDARY}`,
      'Content-Length: 5000000',
    ];
    const slow = await Promise.all([0, 1, 2, 3].map(() => RawConnection.open(port)));
    slow.forEach((connection) => connection.write(`${head.join('\r\n')}\r\n\r\n--${BOUNDARY}`));
    await eventually('all are being received', async () => received.mock.calls.length === slow.length);
    expect((await upload(photo)).statusCode).toBe(200);
    expect(worked).toHaveBeenCalledTimes(1);
    for (const connection of slow) {
      expect(await connection.status()).toBe(408);
      expect(JSON.parse(connection.received.split('\r\n\r\n')[1] ?? '')).toEqual({
        success: 'false',
        error: 'The request was refused.',
        code: 'invalid_request',
        detail: 'The file arrives too slowly: it has to bring 50,000 bytes a second on average. You were not charged.',
      });
      await connection.closed();
    }
    expect(await rows()).toHaveLength(1);
    const incoming = join(bed.config().media.folder, 'incoming');
    await eventually('nothing is left of them', async () => (await readdir(incoming)).length === 0);
  });

  it('forgets a file whose caller has gone', async () => {
    const port = await listening();
    const incoming = join(bed.config().media.folder, 'incoming');
    const connection = await RawConnection.open(port);
    connection.write(
      `POST /api/media HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${account.apiKey}\r\n` +
        `Content-Type: multipart/form-data; boundary=${BOUNDARY}\r\nContent-Length: 5000000\r\n\r\n--${BOUNDARY}`,
    );
    await eventually('it is being received', async () => (await readdir(incoming)).length === 1);
    connection.close();
    await eventually('nothing is left of it', async () => (await readdir(incoming)).length === 0);
  });

  it.each([
    ['no file', multipart([{ name: 'file', content: 'a text' }]), 'missing_fields'],
    [
      'two files',
      multipart([
        { name: 'file', filename: 'a', content: 'a' },
        { name: 'file', filename: 'b', content: 'b' },
      ]),
      'invalid_request',
    ],
    ['no boundary in it', Buffer.from('hello'), 'invalid_request'],
    [
      '1,200,000 lines of headers',
      Buffer.from(
        fileOf(Buffer.from('a'))
          .toString()
          .replace('\r\n', `\r\n${'a:\r\n'.repeat(1_200_000)}`),
      ),
      'invalid_request',
    ],
    ['no end', fileOf(Buffer.from('hello')).subarray(0, 120), 'invalid_request'],
    ['no part', Buffer.from(`--${BOUNDARY}--\r\n`), 'missing_fields'],
    ['nothing', Buffer.alloc(0), 'invalid_request'],
    [
      '1,000 parts',
      multipart(Array.from({ length: 1_000 }, (_none, n) => ({ name: `n${n}`, content: 'x' }))),
      'invalid_request',
    ],
  ])('refuses a multipart body with %s', async (_name, payload, code) => {
    expect(codeOf(await post(payload))).toEqual([400, code]);
    expect(await rows()).toEqual([]);
  });

  it('refuses a multipart body without a boundary in its type, and on other paths', async () => {
    expect(codeOf(await post(fileOf(photo), { 'content-type': 'multipart/form-data; x=y' }))).toEqual([
      400,
      'invalid_request',
    ]);
    const elsewhere = await server.inject({
      method: 'POST',
      url: '/api/sendsms',
      headers: { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` },
      payload: fileOf(photo),
    });
    expect(codeOf(elsewhere)).toEqual([400, 'invalid_request']);
  });

  it('counts the files of the day', async () => {
    await bed.database.sql(
      `INSERT INTO media (id, account_id, direction, state, type, bytes, sha256, stored_at, expires_at)
       SELECT gen_random_uuid(), $1, 'outbound', 'stored', 'image/jpeg', 1, decode(lpad(to_hex(n), 64, '0'), 'hex'),
         now(),         now() + interval '1 day'
       FROM generate_series(1, ${limits.mediaPerDayMax}) n`,
      [account.id],
    );
    const answer = await upload(photo);
    expect(codeOf(answer)).toEqual([429, 'media_limit']);
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
  });

  it('lets an account that has never paid store a tenth, until it pays', async () => {
    account = await createTestAccount(server, { credits: limits.signupCredits });
    const large = Buffer.concat([Buffer.from('%PDF-1.7\n'), Buffer.alloc(4_900_000)]);
    const codes: unknown[] = [];
    for (let n = 0; n < 3; n += 1) codes.push(codeOf(await upload(Buffer.concat([large, Buffer.from([n])]))));
    expect(codes).toEqual([
      [200, undefined],
      [200, undefined],
      [429, 'media_limit'],
    ]);
    await bed.database.sql(
      `INSERT INTO ledger_entries (account_id, number, kind, source_id, amount, balance_after)
       VALUES ($1, 2, 'purchase', $2, 50, 53)`,
      [account.id, account.id],
    );
    expect((await upload(large)).statusCode).toBe(200);
  });

  describe('in a bucket', () => {
    let bucket: BucketServer;
    let apart: TestServer;

    beforeAll(async () => {
      bucket = await startBucketServer();
      apart = await createTestServer(bed.config({ ...bucket.variables, ALLOW_PRIVATE_WEBHOOKS: 'true' }));
    });

    afterAll(async () => {
      await apart?.close();
      await bucket?.close();
    });

    const kept = async (url: string) => {
      const sent = await apart.send({ to: '+14155552671', message: 'Hi', apikey: account.apiKey, media: [{ url }] });
      const [money] = await bed.database.sql('SELECT used FROM credit_accounts WHERE account_id = $1', [account.id]);
      return [sent.statusCode, sent.json<{ code?: string }>().code, Number(money?.used)];
    };

    it.each([503, 'break'] as const)('stores nothing while it fails (%s), and all the next time', async (how) => {
      bucket.fail('PUT', how, 100);
      const url = files.serve('/photo', photo);
      const refused = await upload(photo, apart);
      expect(codeOf(refused)).toEqual([503, 'unavailable']);
      expect(refused.headers['retry-after']).toBe('1');
      expect(await kept(url)).toEqual([503, 'unavailable', 0]);
      bucket.fail('PUT', how, 0);
      expect((await upload(photo, apart)).statusCode).toBe(200);
      expect(await kept(url)).toEqual([200, undefined, 3]);
    });

    it('goes on after one failure in the middle', async () => {
      bucket.fail('PUT', 503, 1);
      expect((await upload(photo, apart)).statusCode).toBe(200);
    });

    it('keeps a picture whole when making it smaller fails', async () => {
      const large = await noisyPicture(1_600, 1_200).jpeg({ quality: 95 }).toBuffer();
      const { media_id } = (await upload(large, apart)).json<{ media_id: string }>();
      bucket.fail('PUT', 503, 100);
      const body = { to: '+14155552671', message: 'Hi', apikey: account.apiKey, media: [{ media_id }] };
      expect(codeOf(await apart.send(body))).toEqual([503, 'unavailable']);
      bucket.fail('PUT', 503, 0);
      expect((await apart.send(body)).json()).toMatchObject({ credits: 3, balance: 97 });
    });
  });
});
