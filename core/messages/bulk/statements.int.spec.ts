import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { messageStatuses } from '#contract/messages.js';
import { statementScene } from '../../testing/core-scene.js';
import {
  BatchesRepository,
  batchPartsStatement,
  findBatchStatement,
  lastMessageStatement,
  listBatchesStatement,
  type Batch,
  type BatchPart,
  type CountedBatch,
} from './batches.repository.js';

describe('statements of batches', () => {
  const { expectRows, createAccount, transaction, sql, get } = statementScene();

  it('return rows of their types', async () => {
    const { id: accountId } = await createAccount();
    const id = randomUUID();
    await sql(
      `INSERT INTO messages (id, account_id, number, kind, recipient, country, sender, body, segments, credits)
       VALUES (gen_random_uuid(), $1, 1, 'sms', '+14155550188', 'US', '+15005550006', 'Hello', 1, 1)`,
      [accountId],
    );
    await transaction((tx) =>
      get(BatchesRepository).store(tx, { id, accountId, messages: 1, credits: 1 }, [
        { index: 1, code: 'duplicate', detail: 'Sent once.' },
      ]),
    );
    await sql('UPDATE batches SET first_number = 1 WHERE account_id = $1', [accountId]);
    const part = z.strictObject({
      status: z.enum(messageStatuses),
      messages: z.int(),
      refunded: z.number(),
    }) satisfies z.ZodType<BatchPart>;
    const batch = z.strictObject({
      id: z.uuid(),
      accountId: z.uuid(),
      firstNumber: z.number(),
      messages: z.int(),
      credits: z.number(),
      rejected: z.array(z.strictObject({ index: z.int(), code: z.string(), detail: z.string() })).nullable(),
      createdAt: z.date(),
    }) satisfies z.ZodType<Batch>;
    await expectRows(batch, findBatchStatement.text, [accountId, id]);
    const counted: z.ZodType<CountedBatch> = batch.extend({ parts: z.array(part).length(1) });
    await expectRows(counted, listBatchesStatement.text, [accountId, 10, 5]);
    await expectRows(part, batchPartsStatement.text, [accountId, 1, 2]);
    const last = z.strictObject({ number: z.number(), balance: z.number() });
    await expectRows(last, lastMessageStatement.text, [accountId]);
  });
});
