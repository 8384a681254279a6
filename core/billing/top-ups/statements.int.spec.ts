import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { packIds } from '#contract/packs.js';
import { topUpStatuses } from '#contract/billing.js';
import { statementScene } from '../../testing/core-scene.js';
import type { TopUpEntity } from './top-up.entity.js';
import {
  takeDue,
  takeWatched,
  TopUpsRepository,
  type TopUp,
  type TopUpSettings,
  type WatchedTopUp,
} from './top-ups.repository.js';

const topUpColumns = {
  id: z.uuid(),
  accountId: z.uuid(),
  pack: z.enum(packIds),
  credits: z.int(),
  amountCents: z.int(),
  status: z.enum(topUpStatuses),
  customerId: z.string(),
  paymentMethodId: z.string(),
  cardLast4: z.string(),
  cardPaymentId: z.string().nullable(),
  reason: z.string().nullable(),
  createdAt: z.date(),
};
const topUp: z.ZodType<TopUp> = z.strictObject(topUpColumns);
const topUpRow: z.ZodType<TopUpEntity> = z.strictObject({
  ...topUpColumns,
  finishedAt: z.date().nullable(),
  dueAt: z.date().nullable(),
});
const settings: z.ZodType<TopUpSettings> = z.strictObject({
  accountId: z.uuid(),
  enabled: z.boolean(),
  threshold: z.int(),
  pack: z.enum(packIds),
  perMonthMax: z.int(),
  customerId: z.string().nullable(),
  paymentMethodId: z.string().nullable(),
  cardBrand: z.string().nullable(),
  cardLast4: z.string().nullable(),
  cardExpires: z.string().nullable(),
  cardAt: z.date().nullable(),
  failures: z.int(),
  retryAt: z.date().nullable(),
  offReason: z.enum(['declined', 'not_confirmed']).nullable(),
});
const watched: z.ZodType<WatchedTopUp> = z.strictObject({ accountId: z.uuid(), threshold: z.int() });

describe('statements of automatic top-up return the rows that their types declare', () => {
  const { createAccount, expectRows, get, sql, transaction } = statementScene();

  it('of settings and attempts', async () => {
    const { id: accountId } = await createAccount();
    const repository = get(TopUpsRepository);
    await repository.saveCustomer(accountId, 'cus_1');
    const card = { paymentMethodId: 'pm_1', brand: 'visa', last4: '4242', expires: '12/2034' };
    const id = randomUUID();
    await transaction(async (tx) => {
      expect(await repository.saveCard(tx, accountId, card, new Date())).toBe(true);
      await repository.saveSettings(tx, accountId, { enabled: true, threshold: 50, pack: 'basic', perMonthMax: 3 });
      const attempt = { id, accountId, pack: 'basic', credits: 250, amountCents: 1_000, customerId: 'cus_1' } as const;
      await repository.insert(tx, { ...attempt, paymentMethodId: 'pm_1', cardLast4: '4242' });
    });
    settings.parse(await repository.findSettings(accountId));
    topUpRow.parse(await repository.find(id));
    topUpRow.parse(await repository.findOpen(accountId));
    expect(z.array(topUpRow).parse(await repository.page(accountId, 10, 0))).toHaveLength(1);
    expect(await repository.page(accountId, 10, 1)).toEqual([]);
    expect(await repository.countSince(accountId, new Date(0))).toBe(1);
    await sql(`UPDATE auto_top_ups SET seen_at = now() - interval '1 minute'`);
    await sql('UPDATE top_ups SET due_at = now()');
    await expectRows(watched, takeWatched.text);
    await expectRows(topUp, takeDue.text);
    await sql(`UPDATE auto_top_ups SET seen_at = now() - interval '1 minute', retry_at = now() + interval '1 hour'`);
    expect(await repository.takeWatched()).toEqual([]);
  });

  it('allow one open attempt per account', async () => {
    const { id: accountId } = await createAccount();
    const repository = get(TopUpsRepository);
    const attempt = { accountId, pack: 'basic', credits: 250, amountCents: 1_000, customerId: 'cus_2' } as const;
    const insert = () =>
      transaction((tx) =>
        repository.insert(tx, { ...attempt, id: randomUUID(), paymentMethodId: 'pm_2', cardLast4: '4242' }),
      );
    await insert();
    await expect(insert()).rejects.toThrow('top_ups_open');
  });
});
