import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { messageStatuses } from '#contract/messages.js';
import type { TestAccount } from '../testing/test-accounts.js';
import { statementScene } from '../testing/core-scene.js';
import { type ConversationPerson, type ConversationsEnd, conversationsStatement } from './conversation-list.js';
import { conversationOptOutStatement, conversationRepliesStatement } from './conversations.js';
import { eraseReplies } from './inbound-retention.js';
import {
  accountsHolding,
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
import { liftOptOuts, listOptOuts, type OptOut } from './opt-outs.js';
import { countMismatches, receivedColumns, type ReceivedMessage } from './received-history.js';

const PERSON = '+14155550188';
const OURS = '+15005550006';

const outcomeRow: z.ZodType<{ outcome: InboundOutcome; count: number }> = z.strictObject({
  outcome: z.enum(['received', 'held', 'limited', 'unrouted', 'off', 'full']),
  count: z.int(),
});
const releasedRow: z.ZodType<ReleasedReply> = z.strictObject({
  id: z.uuid(),
  number: z.int(),
  sender: z.string(),
  body: z.string(),
  createdAt: z.date(),
});
const optOutRow: z.ZodType<OptOut> = z.strictObject({
  recipient: z.string(),
  sender: z.string(),
  createdAt: z.date(),
});
const receivedRow = z.object({
  id: z.uuid(),
  sender: z.string(),
  recipient: z.string(),
  body: z.string(),
  segments: z.int(),
  status: z.enum(['received', 'held', 'limited']),
  credits: z.int(),
}) satisfies z.ZodType<Omit<ReceivedMessage, 'number' | 'createdAt'>>;
const repliesRow: z.ZodType<ReceivedMessage> = receivedRow.extend({ number: z.int(), createdAt: z.date() });
const endColumns = { searchedAt: z.date().nullable(), endSent: z.int(), endReceived: z.int() };
const personRow: z.ZodType<ConversationsEnd & ConversationPerson> = z.strictObject({
  ...endColumns,
  person: z.string(),
  isSent: z.boolean(),
  text: z.string(),
  at: z.date(),
  sentStatus: z.enum(messageStatuses).nullable(),
  optedOutAt: z.date().nullable(),
  sentBelow: z.int(),
  receivedBelow: z.int(),
});
const nobodyRow = z.object({ ...endColumns, person: z.null() });

describe('inbound statements return the rows that their types declare', () => {
  const { createAccount, expectRows, get, sql, transaction } = statementScene();
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
      createdAt: new Date(),
    };
    await transaction((tx) => get(InboundRepository).insert(tx, [reply]));
  });

  it('of receipts and replies', async () => {
    await expectRows(z.strictObject({ carrierId: z.string() }), takeReceipts, [[randomUUID()]]);
    await expectRows(outcomeRow, countOutcomes.text, [1]);
    await expectRows(z.strictObject({ held: z.int() }), countHeldNow.text, []);
    await expectRows(z.strictObject({ accountId: z.uuid(), count: z.int() }), countHeld, [[account.id], 10]);
    await expectRows(z.strictObject({ count: z.int() }), countCharged, [[account.id], [PERSON]]);
    const holding = z.strictObject({ accountId: z.uuid() });
    await expectRows(holding, accountsHolding.text, ['00000000-0000-0000-0000-000000000000', 10]);
    await expectRows(z.strictObject({ mismatches: z.int() }), countMismatches.text, []);
    await expectRows(receivedRow, `SELECT ${receivedColumns} FROM inbound_messages WHERE account_id = $1`, [
      account.id,
    ]);
    await expectRows(releasedRow, releaseHeld, [account.id, 10, false]);
    await expectRows(z.strictObject({ last: z.int().nullable() }), eraseReplies.text, [account.id, 0]);
  });

  it('of conversations', async () => {
    await expectRows(repliesRow, conversationRepliesStatement.text, [account.id, PERSON, null]);
    await sql('INSERT INTO opt_outs (recipient, sender) VALUES ($1, $2) ON CONFLICT DO NOTHING', [PERSON, OURS]);
    const optedOut = z.strictObject({ optedOutAt: z.date() });
    await expectRows(optedOut, conversationOptOutStatement.text, [PERSON, [OURS]]);
    await expectRows(personRow, conversationsStatement.text, [account.id, null, null, null]);
    await expectRows(nobodyRow, conversationsStatement.text, [account.id, 1, 1, null]);
  });

  it('of opt-outs', async () => {
    await sql('INSERT INTO opt_outs (recipient, sender) VALUES ($1, $2) ON CONFLICT DO NOTHING', [PERSON, OURS]);
    await expectRows(optOutRow, listOptOuts.text, [PERSON, 10]);
    await expectRows(optOutRow, liftOptOuts.text, [PERSON, null]);
  });
});
