import { createHash, randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { limits } from '#contract/limits.js';
import type { ReceivedMedia } from '#contract/media.js';
import { AccountErasure } from '../accounts/account-erasure.js';
import { MediaFiles, MediaFilesUnavailable } from '../media/media-files.js';
import { MediaRetention } from '../media/media-retention.js';
import { MediaStore } from '../media/media-store.js';
import { eventually } from '../testing/eventually.js';
import { startFileServer, type FileServer } from '../media/testing/file-server.js';
import { noisyPicture, photoWithPlace, SCRIPT_SVG } from '../media/testing/pictures.js';
import { bytesOf, filesUnder } from '../media/testing/stored-files.js';
import { isDatabaseUnavailable } from '../platform/errors/database-error.js';
import { Postgres } from '../platform/database/postgres.js';
import { DomainError } from '../platform/errors/domain-error.js';
import { newMessageId, mediaIdFromPublic } from '../rules/ids.js';
import { adjustCredits } from '../testing/operator-credits.js';
import { moneyFaults, moneyOf } from '../testing/money.js';
import { createTestAccount, type TestAccount } from '../testing/test-accounts.js';
import { createTestBed, type TestBed } from '../testing/test-bed.js';
import { createTestCore, type TestCore } from '../testing/test-core.js';
import { texted } from '../testing/texted.js';
import { WebhookEndpoints } from '../webhooks/endpoints/webhook-endpoints.js';
import { AwaitedMedia } from './awaited-media.js';
import { CopyMedia } from './copy-media.js';
import { Conversations } from './conversations.js';
import { HeldReplies } from './held-replies.js';
import type { IncomingReply } from './opt-outs.js';
import { ReceivedHistory } from './received-history.js';
import { ReceiveReplies } from './receive-replies.js';

const OURS = '+15005550006';

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

/** Bytes of buffers that are in use. */
function heldBytes(): number {
  collectGarbage();
  return process.memoryUsage().arrayBuffers;
}

interface Body {
  readonly MessageId: string;
  readonly Message: string;
  readonly Media?: ReceivedMedia[];
}

describe('A reply with files', () => {
  let bed: TestBed;
  let core: TestCore;
  let storage: FileServer;
  let account: TestAccount;
  let person: string;
  let persons = 0;

  beforeAll(async () => {
    bed = await createTestBed();
    core = await createTestCore(bed.config());
    storage = await startFileServer();
    core.carrier.mediaOrigin = storage.origin;
  });

  beforeEach(async () => {
    account = await createTestAccount(core, { credits: 10 });
    await core.get(WebhookEndpoints).setUrl(account.id, 'https://example.com/sms');
    await core.get(WebhookEndpoints).setEvents(account.id, ['message.media_ready']);
    persons += 1;
    person = `+1415557${String(1_000 + persons)}`;
    await texted(core, bed.database, account, { recipient: person });
    storage.requests.length = 0;
    core.carrier.deleted.length = 0;
    core.carrier.deaf = false;
  });

  afterEach(async () => {
    jest.restoreAllMocks();
    expect(await moneyFaults(bed.database)).toEqual([]);
    expect(await core.get(ReceivedHistory).countMismatches()).toBe(0);
  });

  afterAll(async () => {
    await core?.close();
    await storage?.close();
    await bed?.remove();
  });

  const receive = (urls: readonly string[], changes: Partial<IncomingReply> = {}) =>
    core.get(ReceiveReplies).receive({
      carrier: 1,
      carrierId: `MM${newMessageId().replaceAll('-', '')}`,
      sender: person,
      recipient: OURS,
      service: undefined,
      text: '',
      segments: 1,
      wish: undefined,
      media: { carrier: core.carrier.number, files: urls.map((url) => ({ url, type: 'image/jpeg' })) },
      ...changes,
    });
  const ids = async () =>
    (
      await bed.database.sql<{ id: string }>(
        'SELECT id FROM media WHERE account_id = $1 AND due_at IS NOT NULL ORDER BY message_id, position',
        [account.id],
      )
    ).map(({ id }) => id);
  /** Runs the job of each file once. */
  const copy = async () => {
    for (const id of await ids()) await core.get(CopyMedia).copy(id);
  };
  const eventsOf = async (type: string) =>
    (
      await bed.database.sql<{ body: string }>(
        'SELECT body FROM webhook_deliveries WHERE account_id = $1 AND type = $2 ORDER BY id',
        [account.id, type],
      )
    ).map(({ body }) => body);
  const forwarded = async () => (await eventsOf('message.received')).map((body) => JSON.parse(body) as Body);
  const minuteLater = async () => {
    await bed.database.sql(
      `UPDATE replies_awaiting_media SET forward_at = forward_at - interval '1 minute', due_at = now()
       WHERE account_id = $1`,
      [account.id],
    );
    await core.get(AwaitedMedia).recover();
  };
  const leaseOver = () =>
    bed.database.sql('UPDATE media SET due_at = now() WHERE account_id = $1 AND due_at IS NOT NULL', [account.id]);
  const states = async () =>
    bed.database.sql('SELECT state, reason FROM media WHERE account_id = $1 ORDER BY position', [account.id]);
  const stored = async (publicId: string) => {
    const media = await core.get(MediaStore).find(account.id, mediaIdFromPublic(publicId) ?? '');
    if (!media) throw new Error('There is no such file');
    return media;
  };

  it('is charged at once, and forwarded with its files when they are stored', async () => {
    const photo = await photoWithPlace();
    const [jpeg, text] = [storage.serve('/photo', photo), storage.serve('/text', Buffer.from('Only words'))];
    expect(await receive([jpeg, text])).toBe('received');
    expect(await moneyOf(bed.database, account.id)).toMatchObject({ used: 2 });
    expect(await forwarded()).toEqual([]);
    await copy();
    const [body, ...others] = await forwarded();
    expect(others).toEqual([]);
    expect(body).toMatchObject({ Sender: person, Message: '', Status: 'Received' });
    const media = body?.Media ?? [];
    expect(media).toEqual([
      {
        Id: expect.stringMatching(/^ME[0-9a-f]{32}$/),
        Url: expect.stringMatching(/^https:\/\/pennytext\.test\/m\/ME[0-9a-f]{32}\?e=\d+&s=/),
        Type: 'image/jpeg',
        Bytes: photo.length,
        Sha256: createHash('sha256').update(photo).digest('hex'),
        Status: 'stored',
      },
      expect.objectContaining({ Type: 'application/octet-stream', Bytes: 10, Status: 'stored' }),
    ]);
    expect((await bytesOf(core.get(MediaStore), await stored(media[0]?.Id ?? '')))?.equals(photo)).toBe(true);
    expect(Object.keys(body ?? {})).toEqual(['MessageId', 'Sender', 'Message', 'Status', 'DateTime', 'Media']);
    expect(await eventsOf('message.media_ready')).toEqual([]);
  });

  it('is asked for with the credentials of the carrier, whose copy is deleted once ours is safe', async () => {
    const url = storage.serve('/photo', await photoWithPlace());
    await receive([url]);
    core.carrier.deaf = true;
    await copy();
    expect(storage.requests).toEqual([{ path: '/photo', authorization: 'Basic dGVzdA==' }]);
    expect(core.carrier.deleted).toEqual([]);
    // The reply does not wait for the deletion.
    expect(await forwarded()).toHaveLength(1);
    core.carrier.deaf = false;
    await leaseOver();
    await core.get(CopyMedia).recover();
    await copy();
    expect(core.carrier.deleted).toEqual([url]);
    expect(storage.requests).toHaveLength(1);
    expect(await ids()).toEqual([]);
  });

  it('has its copy at the carrier asked to be deleted 12 times at most', async () => {
    await receive([storage.serve('/text', Buffer.from('Only words'))]);
    core.carrier.deaf = true;
    await copy();
    for (const failures of [10, 11]) {
      expect(await ids()).toHaveLength(1);
      await bed.database.sql('UPDATE media SET failures = $2 WHERE account_id = $1', [account.id, failures]);
      await leaseOver();
      await copy();
    }
    expect(await ids()).toEqual([]);
  });

  it('is forwarded without what is missing after a minute, and an event follows', async () => {
    const [there, missing] = [storage.serve('/there', Buffer.from('a')), `${storage.origin}/missing`];
    await receive([there, missing], { text: 'Look' });
    await copy();
    expect(await forwarded()).toEqual([]);
    await minuteLater();
    const [body] = await forwarded();
    expect(body?.Message).toBe('Look');
    expect(body?.Media?.map(({ Status, Url }) => [Status, Url === null])).toEqual([
      ['stored', false],
      ['pending', true],
    ]);
    expect(await eventsOf('message.media_ready')).toEqual([]);
    storage.serve('/missing', Buffer.from('b'));
    await leaseOver();
    await core.get(CopyMedia).recover();
    await copy();
    const [ready, ...more] = (await eventsOf('message.media_ready')).map((text) => JSON.parse(text) as object);
    expect(more).toEqual([]);
    expect(ready).toMatchObject({
      type: 'message.media_ready',
      data: {
        message_id: body?.MessageId,
        sender: person,
        media: [{ status: 'stored' }, { status: 'stored', bytes: 1 }],
      },
    });
    expect(await forwarded()).toHaveLength(1);
    await minuteLater();
    expect(await eventsOf('message.media_ready')).toHaveLength(1);
  });

  it('loses nothing when its worker dies in the middle', async () => {
    const photo = await photoWithPlace();
    await receive([storage.serve('/photo', photo)]);
    const [id = ''] = await ids();
    jest.spyOn(core.get(MediaFiles), 'put').mockImplementationOnce(() => new Promise(() => undefined));
    const dead = core.get(CopyMedia).copy(id);
    await expect(Promise.race([dead, new Promise((resolve) => setTimeout(resolve, 500, 'hangs'))])).resolves.toBe(
      'hangs',
    );
    expect(await core.get(CopyMedia).copy(id)).toEqual({ kind: 'done' });
    expect(await states()).toEqual([{ state: 'pending', reason: null }]);
    await leaseOver();
    expect(await core.get(CopyMedia).recover()).toBe(1);
    await copy();
    const [body] = await forwarded();
    expect(body?.Media?.[0]).toMatchObject({ Status: 'stored', Bytes: photo.length });
  });

  it('goes on when the process died after the last file was stored', async () => {
    await receive([storage.serve('/photo', await photoWithPlace())]);
    jest.spyOn(core.get(AwaitedMedia), 'advance').mockRejectedValueOnce(new DomainError('unavailable', 'It died'));
    const [id = ''] = await ids();
    await expect(core.get(CopyMedia).copy(id)).rejects.toThrow('It died');
    expect(await forwarded()).toEqual([]);
    await minuteLater();
    expect((await forwarded()).map(({ Media }) => Media?.[0]?.Status)).toEqual(['stored']);
    expect(await eventsOf('message.media_ready')).toEqual([]);
  });

  it('is tried again while the carrier has a fault, and while our store has no room', async () => {
    const url = storage.serve('/photo', (response) => response.writeHead(503).end());
    await receive([url]);
    const [id = ''] = await ids();
    expect(await core.get(CopyMedia).copy(id)).toMatchObject({ kind: 'retry' });
    storage.serve('/photo', Buffer.from('a'));
    jest.spyOn(core.get(MediaFiles), 'put').mockRejectedValueOnce(new MediaFilesUnavailable('No space left'));
    expect(await core.get(CopyMedia).copy(id)).toMatchObject({ kind: 'retry' });
    expect(await states()).toEqual([{ state: 'pending', reason: null }]);
    expect(await core.get(CopyMedia).copy(id)).toEqual({ kind: 'done' });
    expect(await states()).toEqual([{ state: 'stored', reason: null }]);
  });

  it('needs memory for none of its files, also when ten of 10 MB come at once', async () => {
    const piece = Buffer.alloc(65_536, 'x');
    let waiting = 0;
    let end = () => {};
    const ending = new Promise<void>((resolve) => (end = resolve));
    async function* large(n: number): AsyncGenerator<Buffer> {
      yield Buffer.alloc(piece.length, String(n));
      for (let pieces = limits.replyMediaBytesMax / piece.length - 2; pieces > 0; pieces -= 1) yield piece;
      waiting += 1;
      await ending;
      yield piece;
    }
    const urls = Array.from({ length: limits.replyMediaMax }, (_, n) =>
      storage.serve(`/large/${n}`, (response) => {
        response.writeHead(200, { 'content-length': limits.replyMediaBytesMax });
        Readable.from(large(n)).pipe(response);
      }),
    );
    await receive(urls);
    const before = heldBytes();
    const copying = (async () => {
      const copied = async (id: string) => {
        try {
          return await core.get(CopyMedia).copy(id);
        } catch (error) {
          // The copying job is retried then, too.
          if (!isDatabaseUnavailable(error)) throw error;
          return { kind: 'retry' };
        }
      };
      const copyAll = async () => Promise.all((await ids()).map(copied));
      // On a busy machine an attempt, or the wait for a connection, may time out.
      while ((await copyAll()).some(({ kind }) => kind === 'retry'));
    })();
    await eventually('all but the ends have come', () => Promise.resolve(waiting >= urls.length), 50_000);
    const held = heldBytes() - before;
    end();
    await copying;
    expect(await states()).toEqual(urls.map(() => ({ state: 'stored', reason: null })));
    // Pieces are on their way between network and disk, more of them while the machine is busy.
    expect(held).toBeLessThan((urls.length / 2) * limits.replyMediaBytesMax);
  });

  it('is forwarded as failed when the carrier does not have a file', async () => {
    await receive([`${storage.origin}/gone`]);
    const [id = ''] = await ids();
    for (let tries = 1; tries < 5; tries += 1)
      expect(await core.get(CopyMedia).copy(id)).toMatchObject({ kind: 'retry' });
    expect(await core.get(CopyMedia).copy(id)).toEqual({ kind: 'done' });
    expect(await states()).toEqual([{ state: 'failed', reason: 'gone' }]);
    expect((await forwarded())[0]?.Media).toEqual([
      { Id: expect.any(String), Url: null, Type: 'image/jpeg', Bytes: null, Sha256: null, Status: 'failed' },
    ]);
    expect(core.carrier.deleted).toEqual([]);
  });

  it('is given up after three days without an answer', async () => {
    await receive([storage.serve('/slow', (response) => response.writeHead(500).end())]);
    await bed.database.sql(`UPDATE media SET created_at = now() - interval '73 hours' WHERE account_id = $1`, [
      account.id,
    ]);
    await copy();
    expect(await states()).toEqual([{ state: 'failed', reason: 'unreachable' }]);
  });

  it('has no file from an address that is not the carrier’s, which is never called', async () => {
    const stranger = await startFileServer();
    const trap = stranger.serve('/trap', Buffer.from('a'));
    const redirect = storage.serve('/redirect', (response) => response.writeHead(302, { location: trap }).end());
    await receive([trap, redirect, 'not a url', '']);
    await copy();
    expect(await states()).toEqual(Array.from({ length: 4 }, () => ({ state: 'failed', reason: 'foreign' })));
    expect(stranger.requests).toEqual([]);
    await stranger.close();
  });

  it('has ten files at most; one more is listed as failed', async () => {
    const urls = Array.from({ length: 11 }, (_none, n) => storage.serve(`/${n}`, Buffer.from(`file ${n}`)));
    await receive(urls);
    await copy();
    expect((await states()).map(({ state }) => state)).toEqual([...Array<string>(10).fill('stored'), 'failed']);
    expect(storage.requests.map(({ path }) => path)).not.toContain('/10');
    expect((await forwarded())[0]?.Media).toHaveLength(11);
  });

  it('has files of 10 MB, and none that is a byte larger', async () => {
    const [zeros, larger] = [Buffer.alloc(limits.replyMediaBytesMax), Buffer.alloc(limits.replyMediaBytesMax + 1)];
    await receive([storage.serve('/zeros', zeros), storage.serve('/larger', larger)]);
    await copy();
    expect(await states()).toEqual([
      { state: 'stored', reason: null },
      { state: 'failed', reason: 'too_large' },
    ]);
  });

  it('waits for the next day when the account has received its files of a day', async () => {
    await receive([storage.serve('/full', randomBytes(10))]);
    await bed.database.sql(
      `INSERT INTO media (id, account_id, direction, state, type, bytes, sha256, stored_at, expires_at)
       VALUES (gen_random_uuid(), $1, 'inbound', 'stored', 'image/png', $2, sha256('x'), now(),
         now() + interval '1 day')`,
      [account.id, limits.mediaBytesPerDayMax],
    );
    const [id = ''] = await ids();
    expect(await core.get(CopyMedia).copy(id)).toEqual({ kind: 'retry', delayMs: 3_600_000 });
    await bed.database.sql(`UPDATE media SET stored_at = now() - interval '25 hours' WHERE account_id = $1`, [
      account.id,
    ]);
    expect(await core.get(CopyMedia).copy(id)).toEqual({ kind: 'done' });
    expect((await forwarded())[0]?.Media?.[0]?.Status).toBe('stored');
  });

  it('is shown with its files, also while they are missing', async () => {
    await receive([storage.serve('/photo', await photoWithPlace()), storage.serve('/svg', SCRIPT_SVG)]);
    const shown = async () => (await core.get(Conversations).show(account.id, person, {})).messages[0]?.media;
    expect((await shown())?.map(({ status, url }) => [status, url])).toEqual([
      ['pending', null],
      ['pending', null],
    ]);
    await copy();
    expect(await shown()).toMatchObject([
      { status: 'stored', type: 'image/jpeg', thumbnail: true, url: expect.stringContaining('/m/ME') },
      { status: 'stored', type: 'application/octet-stream', thumbnail: false },
    ]);
    const query = { page: 1, size: 10, order: 'newest' } as const;
    const [row] = (await core.get(ReceivedHistory).page(account.id, query)).rows;
    expect(row).toMatchObject({ message: '', media: [{ type: 'image/jpeg' }, { thumbnail: false }] });
    let csv = '';
    for await (const part of await core.get(ReceivedHistory).csv(account.id, {})) csv += part;
    expect(csv.split('\r\n')[1]).toMatch(/,"2 files",1,"SM[0-9a-f]{32}","received",1,2$/);
  });

  it('has its files copied while it is held, and is forwarded with them as soon as there are credits', async () => {
    await adjustCredits(core, account.email, -9);
    expect(await receive([storage.serve('/photo', await photoWithPlace())])).toBe('held');
    await copy();
    expect(await states()).toEqual([{ state: 'stored', reason: null }]);
    expect(await forwarded()).toEqual([]);
    await adjustCredits(core, account.email, 5);
    await core.get(HeldReplies).release(account.id);
    await core.get(AwaitedMedia).recover();
    expect((await forwarded()).map(({ Media }) => Media?.[0]?.Status)).toEqual(['stored']);
  });

  it('leaves no file when its person is erased, here and at the carrier', async () => {
    const [one, two] = [storage.serve('/one', await noisyPicture(90, 90).png().toBuffer()), `${storage.origin}/two`];
    await receive([one, two]);
    await copy();
    expect(core.carrier.deleted).toEqual([one]);
    const before = (await filesUnder(bed.config().media.folder)).filter((path) => path.includes(account.id));
    expect(before).toHaveLength(2);
    await core.get(AccountErasure).eraseRecipient(account.email, person);
    await core.get(MediaRetention).deleteUnnamed();
    expect((await filesUnder(bed.config().media.folder)).filter((path) => path.includes(account.id))).toEqual([]);
    expect(await states()).toEqual([
      { state: 'expired', reason: null },
      { state: 'expired', reason: null },
    ]);
    await copy();
    expect(core.carrier.deleted).toEqual([one, two]);
    expect(await ids()).toEqual([]);
  });

  it('costs nothing where there are no files', async () => {
    const runs = jest.spyOn(core.get(Postgres), 'run');
    const statements = () => runs.mock.calls.map(([, { text }]) => text);
    expect(await receive([], { text: 'Words alone', media: undefined })).toBe('received');
    expect(statements()).not.toEqual([]);
    expect(statements().filter((text) => /\bmedia\b|replies_awaiting_media/.test(text))).toEqual([]);
    expect(await receive([storage.serve('/photo', Buffer.from('a'))])).toBe('received');
    expect(statements().filter((text) => /INSERT INTO media\b|replies_awaiting_media/.test(text))).toHaveLength(2);
    expect(await forwarded()).toEqual([expect.not.objectContaining({ Media: expect.anything() })]);
  });
});
