import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { mediaReasonCodes, mediaStates } from '#contract/media.js';
import { messageStatuses } from '#contract/messages.js';
import type { TestAccount } from '../testing/test-accounts.js';
import {
  adoptRecent,
  endOptOutsStatement,
  deleteOfOtherOwners,
  insertPairs,
  keepOfOtherOwners,
  liftOptOuts,
  listForAccounts,
  listRecentForAccounts,
  ownersStatement,
  takenBackStatement,
} from '../messages/store/opt-outs.sql.js';
import { plantMessages } from '../testing/planted-messages.js';
import { statementScene } from '../testing/core-scene.js';
import {
  type ConversationPerson,
  type ConversationsEnd,
  conversationsStatement,
  repliesOfStatement,
  repliesStatement,
  type ReplyPerson,
} from './conversation-list.js';
import { type AwaitingReply, expectMedia, lockAwaiting, takeDueReplies } from './awaited-media.js';
import type { MediaOfReply } from '../media/media-views.js';
import { conversationOptOutStatement, conversationRepliesStatement } from './conversations.js';
import { eraseReplies } from './inbound-retention.js';
import {
  accountsHolding,
  accountsKeeping,
  countCharged,
  countHeld,
  countHeldNow,
  countOutcomes,
  InboundRepository,
  releaseHeld,
  takeReceipts,
  type InboundOutcome,
  type ReleasedReply,
} from './inbound.repository.js';
import { listOptOuts, type OptOut } from './opt-outs.js';
import { type ListedOptOut, optOutsOfPersonStatement, optOutsStatement } from './opt-out-list.js';
import {
  endWaitingStatement,
  markAnsweredStatement,
  threadWaitsStatement,
  waitingThreadsStatement,
  type WaitingThread,
} from './reply-threads.js';
import { threadsOfRecentReplies } from './reply-threads.sql.js';
import { countMismatches, receivedColumns, type ReceivedMessage } from './received-history.js';

const PERSON = '+14155550188';
const OURS = '+15005550006';

const outcomeRow: z.ZodType<{ outcome: InboundOutcome; count: number }> = z.strictObject({
  outcome: z.enum(['received', 'held', 'limited', 'unrouted', 'off', 'full', 'resting']),
  count: z.int(),
});
const releasedRow: z.ZodType<ReleasedReply> = z.strictObject({
  id: z.uuid(),
  number: z.int(),
  sender: z.string(),
  recipient: z.string(),
  body: z.string(),
  mediaCount: z.int(),
  createdAt: z.date(),
});
const optOutRow: z.ZodType<OptOut> = z.strictObject({
  recipient: z.string(),
  sender: z.string(),
  createdAt: z.date(),
  accountId: z.uuid().nullable(),
});
const mediaRow: z.ZodType<MediaOfReply> = z.strictObject({
  id: z.uuid(),
  state: z.enum(mediaStates),
  reason: z.enum(mediaReasonCodes).nullable(),
  type: z.string().nullable(),
  bytes: z.int().nullable(),
  sha256: z.string().nullable(),
  hasThumbnail: z.boolean(),
});
const receivedRow = z.object({
  id: z.uuid(),
  sender: z.string(),
  recipient: z.string(),
  body: z.string(),
  segments: z.int(),
  status: z.enum(['received', 'held', 'limited']),
  credits: z.int(),
  media: z.tuple([mediaRow]),
}) satisfies z.ZodType<Omit<ReceivedMessage, 'number' | 'createdAt'>>;
const repliesRow: z.ZodType<ReceivedMessage> = receivedRow.extend({ number: z.int(), createdAt: z.date() });
const endColumns = { searchedAt: z.date().nullable(), endSent: z.int(), endReceived: z.int() };
const personRow: z.ZodType<ConversationsEnd & ConversationPerson> = z.strictObject({
  ...endColumns,
  person: z.string(),
  isSent: z.boolean(),
  text: z.string(),
  mediaTypes: z.tuple([z.literal('image/png')]),
  at: z.date(),
  sentStatus: z.enum(messageStatuses).nullable(),
  optedOutAt: z.date().nullable(),
  isUnanswered: z.boolean(),
  sentBelow: z.int(),
  receivedBelow: z.int(),
});
const replyRow: z.ZodType<ReplyPerson> = z.strictObject({
  person: z.string(),
  number: z.int(),
  text: z.string(),
  mediaTypes: z.tuple([z.literal('image/png')]),
  at: z.date(),
  sentStatus: z.enum(messageStatuses).nullable(),
  optedOutAt: z.date().nullable(),
  isUnanswered: z.boolean(),
});
const waitingRow: z.ZodType<WaitingThread> = z.strictObject({
  person: z.string(),
  number: z.int(),
  isOver: z.boolean(),
});
const listedRow: z.ZodType<ListedOptOut> = z.strictObject({
  id: z.string().regex(/^\d+$/),
  recipient: z.string(),
  sender: z.string(),
  word: z.string().nullable(),
  source: z.enum(['reply', 'carrier']),
  optedOutAt: z.date(),
  optedInAt: z.date().nullable(),
  isInForce: z.boolean(),
  matches: z.boolean(),
  isLast: z.boolean(),
});
const awaitingRow: z.ZodType<AwaitingReply> = z.strictObject({
  forwarded: z.boolean(),
  isLate: z.boolean(),
  sender: z.string(),
  recipient: z.string(),
  body: z.string(),
  createdAt: z.date(),
});
const nobodyRow = z.object({ ...endColumns, person: z.null() });

describe('inbound statements return the rows that their types declare', () => {
  const scene = statementScene();
  const { createAccount, expectRows, get, sql, transaction } = scene;
  let account: TestAccount;

  beforeEach(async () => {
    account = await createAccount();
    const reply = {
      id: randomUUID(),
      accountId: account.id,
      number: 1,
      carrierId: randomUUID(),
      sender: PERSON,
      recipient: OURS,
      body: 'Yes',
      segments: 1,
      status: 'held' as const,
      media: { carrier: 1, files: [{ url: 'https://media.carrier.test/1', type: 'image/png' }] },
      mediaCount: 1,
      createdAt: new Date(),
    };
    await transaction((tx) => get(InboundRepository).insert(tx, [reply]));
  });

  it('of receipts and replies', async () => {
    await expectRows(z.strictObject({ carrierId: z.string() }), takeReceipts.text, [[randomUUID()]]);
    await expectRows(outcomeRow, countOutcomes.text, [1]);
    await expectRows(z.strictObject({ held: z.int() }), countHeldNow.text, []);
    await expectRows(z.strictObject({ accountId: z.uuid(), count: z.int() }), countHeld.text, [[account.id], 10]);
    await expectRows(z.strictObject({ count: z.int() }), countCharged.text, [[account.id], [PERSON]]);
    const holding = z.strictObject({ accountId: z.uuid() });
    await expectRows(holding, accountsHolding.text, ['00000000-0000-0000-0000-000000000000', 10]);
    await expectRows(z.strictObject({ mismatches: z.int() }), countMismatches.text, []);
    await expectRows(receivedRow, `SELECT ${receivedColumns} FROM inbound_messages WHERE account_id = $1`, [
      account.id,
    ]);
    await sql(
      `INSERT INTO numbers (number, account_id, origin, type, country, credits_per_month, carrier_id, activated_at,
         renews_at)
       VALUES ($1, $2, 'purchase', 'local', 'US', 50, 'PN1', now(), now())`,
      [OURS, account.id],
    );
    await expectRows(holding, accountsKeeping.text, [[account.id]]);
    await expectRows(releasedRow, releaseHeld.text, [account.id, 10, true]);
    await expectRows(z.strictObject({ last: z.int().nullable() }), eraseReplies.text, [account.id, 0]);
  });

  it('of replies that wait for their files', async () => {
    const [reply] = await sql<{ id: string }>('SELECT id FROM inbound_messages WHERE account_id = $1', [account.id]);
    await sql(expectMedia.text, [[account.id], [reply?.id]]);
    await expectRows(awaitingRow, lockAwaiting.text, [account.id, reply?.id]);
    await sql('UPDATE replies_awaiting_media SET due_at = now()');
    await expectRows(z.strictObject({ accountId: z.uuid(), id: z.uuid() }), takeDueReplies.text, []);
  });

  it('of conversations', async () => {
    await expectRows(repliesRow, conversationRepliesStatement.text, [account.id, PERSON, null]);
    await sql('INSERT INTO opt_outs (recipient, sender) VALUES ($1, $2) ON CONFLICT DO NOTHING', [PERSON, OURS]);
    const optedOut = z.strictObject({ optedOutAt: z.date() });
    await expectRows(optedOut, conversationOptOutStatement.text, [PERSON, [OURS], account.id]);
    await expectRows(personRow, conversationsStatement.text, [account.id, null, null, null, null, 'all']);
    await expectRows(nobodyRow, conversationsStatement.text, [account.id, 1, 1, null, null, 'all']);
    await expectRows(replyRow, repliesStatement.text, [account.id, 2, null]);
    await expectRows(replyRow, repliesOfStatement.text, [account.id, [PERSON]]);
    await expectRows(z.strictObject({ waits: z.boolean() }), threadWaitsStatement.text, [account.id, PERSON]);
    await expectRows(waitingRow, waitingThreadsStatement.text, [account.id, 2, null, 10]);
    const [reply] = await sql<{ id: string }>('SELECT id FROM inbound_messages WHERE account_id = $1', [account.id]);
    await expectRows(z.strictObject({ id: z.uuid() }), markAnsweredStatement.text, [account.id, PERSON, reply?.id]);
    await sql(endWaitingStatement.text, [account.id, [PERSON], [1]]);
    await sql(threadsOfRecentReplies.text, [1]);
  });

  it('of opt-outs', async () => {
    await sql('INSERT INTO opt_outs (recipient, sender) VALUES ($1, $2) ON CONFLICT DO NOTHING', [PERSON, OURS]);
    await plantMessages(scene.bed.database, account.id, [{ recipient: PERSON }]);
    await sql(listForAccounts.text, [[PERSON], [OURS], [null], ['STOP'], ['reply'], [account.id]]);
    await sql(listRecentForAccounts.text, [1]);
    await sql(adoptRecent.text, [1]);
    await sql(ownersStatement.text, [[OURS]]);
    for (const statement of [keepOfOtherOwners, deleteOfOtherOwners, insertPairs, takenBackStatement])
      await sql(statement.text, [[PERSON], [OURS], [account.id]]);
    const values = [account.id, '9999-01-01', 0, '1970-01-01', OURS, false, 10];
    await expectRows(listedRow, optOutsStatement.text, [...values, '0188']);
    await expectRows(listedRow, optOutsOfPersonStatement.text, [...values, PERSON]);
    await sql(endOptOutsStatement.text, [[PERSON], [OURS], [null]]);
    await expectRows(optOutRow, listOptOuts.text, [PERSON, 10]);
    await expectRows(optOutRow, liftOptOuts.text, [PERSON, null]);
  });
});
