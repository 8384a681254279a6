import { createHash, randomBytes } from 'node:crypto';
import { basename } from 'node:path';
import { limits } from '#contract/limits.js';
import { AccountErasure } from '../accounts/account-erasure.js';
import { startBucketServer, type BucketServer } from '../providers/s3/testing/bucket-server.js';
import { createTestAccount, type TestAccount } from '../testing/test-accounts.js';
import { createTestBed, type TestBed } from '../testing/test-bed.js';
import { createTestCore, type TestCore } from '../testing/test-core.js';
import { MediaFiles, MediaFilesUnavailable } from './media-files.js';
import { MediaRetention } from './media-retention.js';
import { MediaStore, type StoreOutcome } from './media-store.js';
import type { Media } from './media.js';
import { inPieces, noisyPicture, pngOf } from './testing/pictures.js';
import { bytesOf, filesUnder } from './testing/stored-files.js';

const BYTES_MAX = 1_000_000;

describe.each(['on a disk', 'in a bucket'])('The store of files %s', (where) => {
  let bed: TestBed;
  let server: BucketServer | undefined;
  let core: TestCore;
  let store: MediaStore;
  let retention: MediaRetention;
  let account: TestAccount;

  beforeAll(async () => {
    bed = await createTestBed();
    if (where === 'in a bucket') server = await startBucketServer();
    core = await createTestCore(bed.config(server?.variables));
    store = core.get(MediaStore);
    retention = core.get(MediaRetention);
  });

  beforeEach(async () => {
    account = await createTestAccount(core);
  });

  afterEach(() => jest.restoreAllMocks());

  afterAll(async () => {
    await core?.close();
    await server?.close();
    await bed?.remove();
  });

  const upload = (bytes: Buffer, of = account, bytesMax = BYTES_MAX) =>
    store.store({ direction: 'outbound', accountId: of.id }, inPieces(bytes), bytesMax);
  const stored = (outcome: StoreOutcome): Media => {
    if (outcome.kind !== 'stored') throw new Error(`It was not stored: ${outcome.kind}`);
    return outcome.media;
  };
  const rows = () => bed.database.sql('SELECT state, sha256 FROM media WHERE account_id = $1', [account.id]);
  const age = (media: Media, days: number) =>
    bed.database.sql(
      `UPDATE media SET created_at = now() - make_interval(days => $2),
         expires_at = expires_at - make_interval(days => $2)
       WHERE id = $1`,
      [media.id, days],
    );
  const untilDeleted = async () => {
    while ((await retention.deleteUnnamed()) > 0);
  };

  it('returns the very bytes, with their digest, size, type and end', async () => {
    const bytes = randomBytes(200_000);
    const media = stored(await upload(bytes));
    expect(media).toMatchObject({
      accountId: account.id,
      direction: 'outbound',
      messageId: null,
      state: 'stored',
      type: 'application/octet-stream',
      bytes: 200_000,
      sha256: createHash('sha256').update(bytes).digest('hex'),
      hasThumbnail: false,
    });
    expect(media.expiresAt?.getTime()).toBe(media.createdAt.getTime() + 30 * 86_400_000);
    expect((await bytesOf(store, media))?.equals(bytes)).toBe(true);
    expect(await bytesOf(store, media, 'thumbnail')).toBeUndefined();
    expect(await store.find(account.id, media.id)).toEqual(media);
    expect(await store.findLinked(media.id)).toEqual(media);
  });

  it('has a thumbnail beside a picture', async () => {
    const picture = await noisyPicture(900, 600).jpeg().toBuffer();
    const media = stored(await upload(picture));
    expect(media).toMatchObject({ type: 'image/jpeg', hasThumbnail: true });
    expect((await bytesOf(store, media))?.equals(picture)).toBe(true);
    const thumbnail = await bytesOf(store, media, 'thumbnail');
    expect(thumbnail?.subarray(8, 12).toString()).toBe('WEBP');
  });

  it('finds no file of another account', async () => {
    const media = stored(await upload(pngOf(9, 9)));
    const other = await createTestAccount(core);
    expect(await store.find(other.id, media.id)).toBeUndefined();
  });

  it('refuses a file that is too large, and stores nothing', async () => {
    expect(await upload(Buffer.alloc(501), account, 500)).toEqual({ kind: 'too_large', bytesMax: 500 });
    expect(await rows()).toEqual([]);
  });

  it('keeps a file that two uploads have until both have expired', async () => {
    const bytes = randomBytes(5_000);
    const [first, second] = [stored(await upload(bytes)), stored(await upload(bytes))];
    await age(first, 30);
    await retention.run();
    await untilDeleted();
    expect((await bytesOf(store, second))?.equals(bytes)).toBe(true);
    expect(await store.find(account.id, first.id)).toMatchObject({ state: 'expired', sha256: null, bytes: 5_000 });
    await age(second, 30);
    await retention.run();
    await untilDeleted();
    expect(
      await core.get(MediaFiles).open({ accountId: account.id, sha256: first.sha256 ?? '', kind: 'original' }),
    ).toBe(undefined);
  });

  it('stores a file again that waits to be deleted', async () => {
    const bytes = randomBytes(5_000);
    const first = stored(await upload(bytes));
    await age(first, 30);
    await retention.run();
    const second = stored(await upload(bytes));
    await untilDeleted();
    expect((await bytesOf(store, second))?.equals(bytes)).toBe(true);
  });

  it('waits for a file that is being deleted, and then stores it', async () => {
    const bytes = randomBytes(5_000);
    await age(stored(await upload(bytes)), 30);
    await retention.run();
    const files = core.get(MediaFiles);
    const remove = files.delete.bind(files);
    let again: Promise<StoreOutcome> | undefined;
    jest.spyOn(files, 'delete').mockImplementation(async (name) => {
      // The file is claimed for deletion: an upload of it now would lose its bytes.
      again ??= upload(bytes);
      await new Promise((resolve) => setTimeout(resolve, 100));
      await remove(name);
    });
    await untilDeleted();
    if (!again) throw new Error('Nothing was deleted');
    expect((await bytesOf(store, stored(await again)))?.equals(bytes)).toBe(true);
  });

  it('leaves no row of an upload that the store does not take, and takes it afterwards', async () => {
    const bytes = randomBytes(5_000);
    jest.spyOn(core.get(MediaFiles), 'put').mockRejectedValueOnce(new MediaFilesUnavailable('No space left'));
    await expect(upload(bytes)).rejects.toThrow(MediaFilesUnavailable);
    expect(await rows()).toEqual([]);
    await untilDeleted();
    expect((await bytesOf(store, stored(await upload(bytes))))?.equals(bytes)).toBe(true);
  });

  it('removes an upload whose process died, after an hour', async () => {
    const media = stored(await upload(randomBytes(5_000)));
    await bed.database.sql(`UPDATE media SET state = 'pending' WHERE id = $1`, [media.id]);
    await retention.run();
    expect(await rows()).toHaveLength(1);
    await bed.database.sql(`UPDATE media SET created_at = now() - interval '61 minutes' WHERE id = $1`, [media.id]);
    await retention.run();
    expect(await rows()).toEqual([]);
    await untilDeleted();
    expect(await bytesOf(store, media)).toBeUndefined();
  });

  it('takes the bytes and files of a day, and no more, however many come at once', async () => {
    await upload(randomBytes(1_000));
    await bed.database.sql('UPDATE media SET bytes = $2 WHERE account_id = $1', [
      account.id,
      limits.mediaBytesPerDayMax - 2_000,
    ]);
    const kinds = await Promise.all([1, 2, 3, 4].map(async () => (await upload(randomBytes(1_000))).kind));
    expect(kinds.toSorted()).toEqual(['day_full', 'day_full', 'stored', 'stored']);
    await bed.database.sql(`UPDATE media SET stored_at = stored_at - interval '24 hours' WHERE account_id = $1`, [
      account.id,
    ]);
    expect((await upload(randomBytes(1_000))).kind).toBe('stored');
  });

  it('takes a thousand files within 24 hours', async () => {
    await bed.database.sql(
      `INSERT INTO media (id, account_id, direction, state, type, bytes, sha256, stored_at, expires_at)
       SELECT gen_random_uuid(), $1, 'outbound', 'stored', 'image/png', 1, sha256(n::text::bytea), now(),
         now() + interval '1 day'
       FROM generate_series(1, $2) n`,
      [account.id, limits.mediaPerDayMax - 1],
    );
    expect((await upload(pngOf(9, 9))).kind).toBe('stored');
    expect(await upload(pngOf(8, 8))).toMatchObject({ kind: 'day_full', used: { files: 1_000 } });
  });

  it('deletes all files of an account that is erased', async () => {
    const media = stored(await upload(await noisyPicture(90, 60).png().toBuffer()));
    await core.get(AccountErasure).erase(account.email, 'asked for');
    expect(await rows()).toEqual([]);
    await untilDeleted();
    expect(await bytesOf(store, media)).toBeUndefined();
    expect(await bytesOf(store, media, 'thumbnail')).toBeUndefined();
  });

  if (where === 'on a disk')
    it('has no other files than those that rows name', async () => {
      const media = stored(await upload(await noisyPicture(90, 60).png().toBuffer()));
      const files = (await filesUnder(bed.config().media.folder)).filter((path) => path.includes(account.id));
      expect(files.map((path) => basename(path)).toSorted()).toEqual([media.sha256, `${media.sha256}.thumbnail`]);
      expect((await filesUnder(bed.config().media.folder)).filter((path) => path.includes('incoming'))).toEqual([]);
    });
});

describe('The retention of files', () => {
  it('follows that of texts, when they are erased earlier', async () => {
    const bed = await createTestBed();
    const core = await createTestCore(bed.config({ MESSAGE_TEXT_DAYS: '7' }));
    try {
      const { id: accountId } = await createTestAccount(core);
      const media = stored7(
        await core.get(MediaStore).store({ direction: 'outbound', accountId }, inPieces(pngOf(9, 9)), 1_000),
      );
      expect(media.expiresAt?.getTime()).toBe(media.createdAt.getTime() + 7 * 86_400_000);
      // The file was stored while texts were kept for longer.
      await bed.database.sql(
        `UPDATE media SET created_at = now() - interval '7 days', expires_at = now() + interval '9 days' WHERE id = $1`,
        [media.id],
      );
      await core.get(MediaRetention).run();
      expect(await core.get(MediaStore).find(accountId, media.id)).toMatchObject({ state: 'expired' });
    } finally {
      await core.close();
      await bed.remove();
    }
  });
});

function stored7(outcome: StoreOutcome): Media {
  if (outcome.kind !== 'stored') throw new Error(`It was not stored: ${outcome.kind}`);
  return outcome.media;
}
