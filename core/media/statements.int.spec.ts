import { createHash, randomUUID } from 'node:crypto';
import { z } from 'zod';
import { mediaReasonCodes, mediaStates } from '#contract/media.js';
import { statementScene } from '../testing/core-scene.js';
import type { DayUse, Media } from './media.js';
import {
  accountsAbandoning,
  accountsExpiring,
  dayUse,
  deleteUnnamed,
  eraseFiles,
  eraseOfMessages,
  eraseRest,
  expire,
  failPending,
  findAllMedia,
  findFittedMedia,
  findMedia,
  findMediaById,
  insertUpload,
  keepMedia,
  markStored,
  mediaOfMessage,
  nameContent,
  removeAbandoned,
  removeAll,
  removePending,
  takeDeletions,
  type UnnamedFile,
} from './media.repository.js';
import { claimMedia, type ClaimedMedia, ReplyMedia, takeDueMedia } from './reply-media.js';

const media: z.ZodType<Media> = z.strictObject({
  id: z.uuid(),
  accountId: z.uuid(),
  direction: z.enum(['inbound', 'outbound']),
  messageId: z.uuid().nullable(),
  state: z.enum(mediaStates),
  reason: z.enum(mediaReasonCodes).nullable(),
  type: z.string().nullable(),
  bytes: z.int().nullable(),
  sha256: z.string().length(64).nullable(),
  hasThumbnail: z.boolean(),
  createdAt: z.date(),
  expiresAt: z.date().nullable(),
});
const claimed: z.ZodType<ClaimedMedia> = z.strictObject({
  id: z.uuid(),
  accountId: z.uuid(),
  messageId: z.uuid(),
  state: z.enum(['pending', 'stored', 'expired']),
  carrier: z.int(),
  sourceUrl: z.string(),
  createdAt: z.date(),
  attempts: z.int(),
  failures: z.int(),
});
const use: z.ZodType<DayUse> = z.strictObject({ files: z.int(), bytes: z.int() });
const unnamed: z.ZodType<UnnamedFile> = z.strictObject({ accountId: z.uuid(), sha256: z.string().length(64) });
const hash = z.strictObject({ sha256: z.instanceof(Buffer).nullable() });
const ofAccount = z.strictObject({ accountId: z.uuid() });

describe('media statements return the rows that their types declare', () => {
  const { createAccount, expectRows, get, sql, transaction } = statementScene();
  const digest = createHash('sha256').update('a file').digest();
  const uploaded = async (accountId: string) => {
    const id = randomUUID();
    await sql(insertUpload.text, [id, accountId, 'image/png', 3, digest, null, null]);
    return id;
  };

  it('of uploads', async () => {
    const { id: accountId } = await createAccount();
    const id = await uploaded(accountId);
    await expectRows(z.strictObject({ earlier: z.string().length(64) }), nameContent.text, [
      id,
      accountId,
      'image/png',
      3,
      digest,
    ]);
    await expectRows(use, dayUse.text, [accountId, 'outbound', randomUUID()]);
    await expectRows(media, markStored.text, [accountId, id, true, 30]);
    await expectRows(media, findMedia.text, [accountId, id]);
    await expectRows(media, findMediaById.text, [id]);
    await expectRows(media, findAllMedia.text, [accountId, [id]]);
    await sql('UPDATE media SET original_id = $2, fitted_to = 9 WHERE id = $1', [id, accountId]);
    await expectRows(media, findFittedMedia.text, [accountId, accountId, 9]);
    await expectRows(z.strictObject({ id: z.uuid() }), keepMedia.text, [accountId, [id], new Date()]);
    await sql(`UPDATE media SET expires_at = now() WHERE id = $1`, [id]);
    await expectRows(ofAccount, accountsExpiring.text, [30]);
    await expectRows(hash, expire.text, [accountId, 30]);
    const second = await uploaded(accountId);
    await sql(`UPDATE media SET created_at = now() - interval '1 day' WHERE id = $1`, [second]);
    await expectRows(ofAccount, accountsAbandoning.text, []);
    await expectRows(hash, removeAbandoned.text, [accountId]);
    await expectRows(hash, removePending.text, [accountId, await uploaded(accountId)]);
    await uploaded(accountId);
    await expectRows(hash, removeAll.text, [accountId]);
    await sql(deleteUnnamed.text, [accountId, [digest]]);
    await expectRows(unnamed, takeDeletions.text, []);
  });

  it('of the files of replies', async () => {
    const { id: accountId } = await createAccount();
    const messageId = randomUUID();
    const files = Array.from({ length: 4 }, (_none, n) => ({
      url: `https://media.carrier.test/${n}`,
      type: 'image/png',
    }));
    await transaction((tx) => get(ReplyMedia).expect(tx, [{ id: messageId, accountId, carrier: 1, files }]));
    await expectRows(media, mediaOfMessage.text, [accountId, messageId]);
    const ids = (await sql<{ id: string }>('SELECT id FROM media WHERE account_id = $1', [accountId])).map(
      ({ id }) => id,
    );
    await expectRows(claimed, claimMedia.text, [ids]);
    await sql('UPDATE media SET due_at = now() WHERE account_id = $1', [accountId]);
    await expectRows(z.strictObject({ id: z.uuid(), accountId: z.uuid() }), takeDueMedia.text);
    for (const id of ids) await sql(nameContent.text, [id, accountId, 'image/png', 3, digest]);
    await expectRows(hash, failPending.text, [accountId, ids[0], 'gone']);
    await expectRows(hash, eraseOfMessages.text, [accountId, [messageId]]);
    await expectRows(hash, eraseFiles.text, [accountId, ids]);
    await expectRows(z.strictObject({ sha256: z.null() }), eraseRest.text, [accountId]);
  });
});
