import { ApiKeys } from '../../keys/api-keys.js';
import { MediaFilesUnavailable } from '../../media/media-files.js';
import { MediaLinks } from '../../media/media-links.js';
import { MediaStore } from '../../media/media-store.js';
import { inPieces, noisyPicture, photoWithPlace } from '../../media/testing/pictures.js';
import { messageIdFromPublic, publicMediaId, publicMessageId } from '../../rules/ids.js';
import type { FakeCarrier } from '../../testing/fake-carrier.js';
import { moneyFaults, moneyOf } from '../../testing/money.js';
import { SECOND_CARRIER, SECOND_SENDER, secondCarrier, withSecondCarrier } from '../../testing/second-carrier.js';
import { createTestAccount, type TestAccount } from '../../testing/test-accounts.js';
import { createTestBed, type TestBed } from '../../testing/test-bed.js';
import { createTestCore, type TestCore } from '../../testing/test-core.js';
import { DispatchMessage } from '../dispatch/dispatch-message.js';
import { RecoverMessages } from '../recovery/recover-messages.js';
import { SendMessage } from './send-message.js';
import { RecordReceipt } from '../status/record-receipt.js';
import { MessageFiles } from '../files/message-files.js';
import { MessageFilesRepository } from '../files/message-files.repository.js';

const TO = '+14155552671';
const SENDER = '+15005550006';
const TOLL_FREE = '+18005550100';
/** Code of Twilio: the price of the message is above a limit. */
const OF_ROUTE = 30_010;

describe('A message with files', () => {
  let bed: TestBed;
  let core: TestCore;
  let account: TestAccount;
  let photo: Buffer;
  let large: Buffer;

  beforeAll(async () => {
    bed = await createTestBed();
    core = await createTestCore(bed.config());
    photo = await photoWithPlace();
    large = await noisyPicture(1_100, 800).jpeg({ quality: 95 }).toBuffer();
    expect(large.length).toBeGreaterThan(600_000);
    expect(large.length).toBeLessThan(1_000_000);
  });

  beforeEach(async () => {
    core.carrier.forget();
    core.carrier.carriesMedia = true;
    account = await createTestAccount(core);
  });

  afterEach(async () => {
    jest.restoreAllMocks();
    await bed.database.sql('DELETE FROM message_checks');
    await bed.database.sql("UPDATE messages SET claimed_at = claimed_at - interval '1 hour'");
    expect(await moneyFaults(bed.database)).toEqual([]);
  });

  afterAll(async () => {
    await core?.close();
    await bed?.remove();
  });

  async function upload(bytes: Buffer): Promise<string> {
    const target = { direction: 'outbound', accountId: account.id } as const;
    const outcome = await core.get(MediaStore).store(target, inPieces(bytes), bytes.length);
    if (outcome.kind !== 'stored') throw new Error(outcome.kind);
    return outcome.media.id;
  }
  async function send(ids: readonly string[], { text = 'Look', transcode = true, from = core } = {}): Promise<string> {
    const references = ids.map((id) => ({ media_id: publicMediaId(id) }));
    const { messageId } = await from.get(SendMessage).send({
      key: from.get(ApiKeys).parse(account.apiKey),
      address: '127.0.0.1',
      to: TO,
      text,
      reference: undefined,
      idempotencyKey: undefined,
      options: {},
      media: { references, fallback: 'refuse', transcode },
    });
    const id = messageIdFromPublic(messageId);
    if (id === undefined) throw new Error('It has an id');
    return id;
  }
  const sendText = async (text: string): Promise<string> => {
    const { messageId } = await core.get(SendMessage).send({
      key: core.get(ApiKeys).parse(account.apiKey),
      address: '127.0.0.1',
      to: TO,
      text,
      reference: undefined,
      idempotencyKey: undefined,
    });
    return messageIdFromPublic(messageId) ?? '';
  };
  const dispatch = (id: string, from = core) => from.get(DispatchMessage).dispatch(id);
  const rowOf = async (id: string) => (await bed.database.sql('SELECT * FROM messages WHERE id = $1', [id]))[0];
  const change = (id: string, assignments: string) =>
    bed.database.sql(`UPDATE messages SET ${assignments} WHERE id = $1`, [id]);
  /** Returns the ids of the linked files. */
  const linked = (urls: readonly string[] = []) =>
    urls.map((url) => {
      const { pathname, searchParams } = new URL(url);
      const read = core.get(MediaLinks).read(pathname.slice('/m/'.length), Object.fromEntries(searchParams));
      return read.kind === 'valid' ? read.id : read.kind;
    });
  const bytesOf = async (id: string) =>
    (await bed.database.sql('SELECT bytes::int FROM media WHERE id = $1', [id]))[0]?.bytes;

  it('is handed over with links to them, in their order', async () => {
    const ids = [await upload(photo), await upload(large)];
    const id = await send(ids.toReversed());
    await dispatch(id);
    const [call] = core.carrier.calls;
    expect(call).toMatchObject({ recipient: TO, sender: SENDER, body: 'Look' });
    expect(linked(call?.mediaUrls)).toEqual(ids.toReversed());
    expect(await rowOf(id)).toMatchObject({ status: 'sent', kind: 'mms', credits: 3 });
  });

  it('may have no text', async () => {
    const id = await send([await upload(photo)], { text: '' });
    await dispatch(id);
    expect(core.carrier.calls).toMatchObject([{ body: '', mediaUrls: [expect.any(String)] }]);
  });

  it('has its files again when it is tried again', async () => {
    const file = await upload(photo);
    const id = await send([file]);
    core.carrier.next('unavailable');
    await dispatch(id);
    await dispatch(id);
    expect(core.carrier.calls.map(({ mediaUrls }) => linked(mediaUrls))).toEqual([[file], [file]]);
  });

  it('keeps its files until it has left, longer than they are kept otherwise', async () => {
    const file = await upload(photo);
    await send([file]);
    const [row] = await bed.database.sql(
      `SELECT kept_until > now() + interval '7 days' AS kept FROM media WHERE id = $1`,
      [file],
    );
    expect(row).toEqual({ kept: true });
  });

  describe('whose sender has changed to one that takes less', () => {
    it('has its pictures made smaller, once', async () => {
      const file = await upload(large);
      const id = await send([file]);
      await change(id, `sender = '${TOLL_FREE}'`);
      core.carrier.next('unavailable');
      await dispatch(id);
      await dispatch(id);
      const [first = [], second = []] = core.carrier.calls.map(({ mediaUrls }) => linked(mediaUrls));
      expect(first).toHaveLength(1);
      expect(first).not.toEqual([file]);
      expect(second).toEqual(first);
      expect(await bytesOf(first[0] ?? '')).toBeLessThanOrEqual(600_000);
      const shown = await core.get(MessageFiles).ofMessages(account.id, [id]);
      expect(shown.get(id)).toMatchObject([{ original_id: publicMediaId(file) }]);
    });

    it('fails if they must stay as they are, with its credits back', async () => {
      const id = await send([await upload(large)], { transcode: false });
      await change(id, `sender = '${TOLL_FREE}'`);
      await dispatch(id);
      expect(core.carrier.calls).toEqual([]);
      expect(await rowOf(id)).toMatchObject({ status: 'failed', error_code: 'media_too_large', refunded: 3 });
    });
  });

  it('fails when a file is gone, with its credits back', async () => {
    const file = await upload(photo);
    const id = await send([file]);
    await bed.database.sql(`UPDATE media SET state = 'expired', sha256 = NULL WHERE id = $1`, [file]);
    await dispatch(id);
    expect(core.carrier.calls).toEqual([]);
    expect(await rowOf(id)).toMatchObject({ status: 'failed', error_code: 'media_expired', refunded: 3 });
    expect(await moneyOf(bed.database, account.id)).toMatchObject({ balance: 100, used: 0 });
  });

  it('waits while the store of files does not answer', async () => {
    const id = await send([await upload(photo)]);
    jest.spyOn(core.get(MessageFiles), 'forCarrier').mockRejectedValueOnce(new MediaFilesUnavailable('SlowDown'));
    expect(await dispatch(id)).toMatchObject({ kind: 'retry' });
    expect(await rowOf(id)).toMatchObject({ status: 'queued', refunded: 0 });
    await dispatch(id);
    expect(await rowOf(id)).toMatchObject({ status: 'sent' });
  });

  it('is never handed to a carrier that takes no files', async () => {
    const id = await send([await upload(photo)]);
    core.carrier.carriesMedia = false;
    await dispatch(id);
    expect(core.carrier.calls).toEqual([]);
    expect(await rowOf(id)).toMatchObject({ status: 'failed', error_code: 'media_unsupported', refunded: 3 });
  });

  describe('whose answer was lost', () => {
    const loseAll = async (ids: readonly string[], step: 'lost' | 'nothing') => {
      for (const id of ids) {
        core.carrier.next(step);
        await dispatch(id);
      }
      await bed.database.sql(`UPDATE messages SET claimed_at = now() - interval '1 minute' WHERE id = ANY ($1)`, [ids]);
      await bed.database.sql('UPDATE message_checks SET due_at = now()');
    };
    const carriedAs = (id: string) => core.carrier.records.find(({ messageId }) => messageId === id)?.carrierId;

    it('is found at the carrier by its text and its number of files', async () => {
      const file = await upload(photo);
      const ids = [
        await send([file], { text: 'Same' }),
        await sendText('Same'),
        await send([file, file], { text: 'Same' }),
      ];
      await loseAll(ids, 'lost');
      await core.get(RecoverMessages).run();
      for (const id of ids) expect(await rowOf(id)).toMatchObject({ status: 'sent', carrier_id: carriedAs(id) });
      expect(core.carrier.calls).toHaveLength(3);
    });

    it('is not taken for a text that the carrier has', async () => {
      const text = await sendText('Once');
      await loseAll([text], 'lost');
      const id = await send([await upload(photo)], { text: 'Once' });
      await loseAll([id], 'nothing');
      core.carrier.completeAfterMs = 50_000;
      await core.get(RecoverMessages).run();
      expect(await rowOf(text)).toMatchObject({ status: 'sent', carrier_id: carriedAs(text) });
      expect(await rowOf(id)).toMatchObject({ carrier_id: null, status: 'queued' });
    });

    it('is found while the carrier has not fetched its files yet', async () => {
      const id = await send([await upload(photo)], { text: 'Early' });
      await loseAll([id], 'lost');
      const [record] = core.carrier.records;
      if (record) core.carrier.records[0] = { ...record, files: 0 };
      await core.get(RecoverMessages).run();
      expect(await rowOf(id)).toMatchObject({ status: 'sent', carrier_id: carriedAs(id) });
    });
  });

  describe('with a second carrier', () => {
    let second: FakeCarrier;
    let both: TestCore | undefined;

    const started = async (carriesMedia: boolean) => {
      second = secondCarrier();
      second.carriesMedia = carriesMedia;
      both = await createTestCore(withSecondCarrier(bed.config(), { carriesMedia }), [second]);
      return both;
    };
    afterEach(async () => {
      await both?.close();
      await bed.database.sql('DELETE FROM carrier_pauses');
    });
    const failRoute = async (from: TestCore, id: string) => {
      const { carrierId = '' } = from.carrier.records.find(({ messageId }) => messageId === id) ?? {};
      const messageId = publicMessageId(id);
      const receipt = { carrier: 1, messageId, carrierId, status: 'undelivered', carrierError: OF_ROUTE } as const;
      await from.get(RecordReceipt).record(receipt);
    };
    const startedAt = async (from: TestCore) => {
      const id = await send([await upload(photo)], { from });
      await change(id, `sender = '${SENDER}', carrier = 1`);
      await dispatch(id, from);
      return id;
    };

    it('goes there with its files, if that one takes them', async () => {
      const from = await started(true);
      const id = await startedAt(from);
      await failRoute(from, id);
      await dispatch(id, from);
      expect(second.calls).toMatchObject([{ id, sender: SECOND_SENDER, mediaUrls: [expect.any(String)] }]);
      expect(await rowOf(id)).toMatchObject({ status: 'sent', carrier: SECOND_CARRIER });
    });

    it('does not go there if that one takes none, and is refunded', async () => {
      const from = await started(false);
      const id = await startedAt(from);
      await failRoute(from, id);
      expect(second.calls).toEqual([]);
      expect(await rowOf(id)).toMatchObject({ status: 'undelivered', refunded: 3 });
    });

    it('gets a sender that takes files from the start', async () => {
      const from = await started(false);
      const ids = await Promise.all(Array.from({ length: 6 }, async () => send([await upload(photo)], { from })));
      const senders = await bed.database.sql('SELECT DISTINCT sender FROM messages WHERE id = ANY ($1)', [ids]);
      expect(senders).toEqual([{ sender: SENDER }]);
    });
  });

  it('costs a text nothing: no statement more, and no row', async () => {
    const files = core.get(MessageFilesRepository);
    const calls = [
      jest.spyOn(files, 'ofMessages'),
      jest.spyOn(files, 'store'),
      jest.spyOn(core.get(MediaStore), 'findAll'),
    ];
    const id = await sendText('Hello');
    await dispatch(id);
    expect(calls.map((spy) => spy.mock.calls.length)).toEqual([0, 0, 0]);
    expect(await bed.database.sql('SELECT 1 FROM message_media WHERE message_id = $1', [id])).toEqual([]);
    expect(core.carrier.calls[0]?.mediaUrls ?? []).toEqual([]);
  });
});
