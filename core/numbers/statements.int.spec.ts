import { z } from 'zod';
import { numberStatuses, numberTypes, releaseReasons } from '#contract/numbers.js';
import { publicNumberId } from '../rules/ids.js';
import {
  type KeyRow,
  allPoolsStatement,
  formerBuyersStatement,
  hadStatement,
  releasedStatement,
  keysOfAccountsStatement,
  type KnownNumber,
  liveNumbersStatement,
  type PoolRow,
} from './number-directory.js';
import {
  accountStateStatement,
  countStatement,
  dueStatement,
  findStatement,
  listLiveStatement,
  listReleasedStatement,
  liveNumberStatement,
  type NumberRow,
  pastDueOfAccountStatement,
} from './numbers.repository.js';
import { Numbers } from './numbers.js';
import { trafficStatement, type TrafficRow } from './number-traffic.js';
import { givenStatement } from './operator-numbers.js';
import { endedOrdersStatement, type Order, takeDueOrdersStatement } from './orders.repository.js';
import { Pools, poolsStatement, type StoredPool } from './pools.js';
import { type SoldNumber, soldNumbersStatement } from './reconcile-numbers.js';
import { heldNumbersStatement } from './search-numbers.js';
import { byOwner, numberScene } from './testing/number-scene.js';

const order: z.ZodType<Order> = z.strictObject({
  id: z.uuid(),
  accountId: z.uuid(),
  number: z.string(),
  carrier: z.int(),
  keyId: z.uuid().nullable(),
  status: z.enum(['pending', 'confirmed', 'failed']),
  reason: z.enum(['taken', 'refused', 'not_capable', 'unavailable', 'not_sold']).nullable(),
  credits: z.int(),
  setupCredits: z.int(),
  bodyHash: z.instanceof(Buffer).nullable(),
  budgetDay: z.string().nullable(),
  createdAt: z.date(),
});

const number: z.ZodType<NumberRow> = z.strictObject({
  id: z.uuid(),
  accountId: z.uuid(),
  number: z.string(),
  origin: z.enum(['operator', 'purchase']),
  status: z.enum(numberStatuses),
  type: z.enum(numberTypes).nullable(),
  country: z.string().nullable(),
  canMms: z.boolean(),
  label: z.string().nullable(),
  autoRenew: z.boolean(),
  creditsPerMonth: z.int().nullable(),
  strangersPerDay: z.int(),
  monthsPaid: z.int(),
  carrier: z.int().nullable(),
  carrierId: z.string().nullable(),
  renewsAt: z.date().nullable(),
  pastDueAt: z.date().nullable(),
  pastDueNotices: z.int(),
  releaseReason: z.enum(releaseReasons).nullable(),
  releaseAt: z.date().nullable(),
  releasedAt: z.date().nullable(),
  filteredAt: z.date().nullable(),
  createdAt: z.date(),
});

describe('statements on numbers return the rows that their types declare', () => {
  const scene = numberScene();

  const expectRows = async (schema: z.ZodType, { text }: { readonly text: string }, values: unknown[] = []) => {
    const rows = await scene.bed.database.sql(text, values);
    expect(rows.length).toBeGreaterThan(0);
    for (const row of rows) schema.parse(row);
  };

  it('of numbers, in each of their states', async () => {
    const { id, number: bought } = await scene.buy({ idempotencyKey: 'a' });
    const accountId = scene.account.id;
    await expectRows(number, findStatement, [accountId, id]);
    await expectRows(number, listLiveStatement, [accountId]);
    await expectRows(number, liveNumberStatement, [bought]);
    await expectRows(number, dueStatement, ['2100-01-01T00:00:00Z', 10]);
    await expectRows(z.strictObject({ max: z.int(), count: z.int() }), countStatement, [accountId]);
    await expectRows(z.strictObject({ isBlocked: z.boolean(), isErased: z.boolean() }), accountStateStatement, [
      accountId,
    ]);
    await scene.bed.database.sql(`UPDATE numbers SET status = 'past_due', past_due_at = now() WHERE id = $1`, [id]);
    await expectRows(number, pastDueOfAccountStatement, [accountId]);
    await scene.bed.database.sql(
      `UPDATE numbers SET status = 'released', past_due_at = NULL, released_at = now(), due_at = NULL,
         rests_until = now() + interval '90 days', release_reason = 'owner' WHERE id = $1`,
      [id],
    );
    await expectRows(number, listReleasedStatement, [accountId]);
    await expectRows(z.strictObject({ number: z.string() }), heldNumbersStatement, [[bought]]);
    await expectRows(z.strictObject({ accountId: z.uuid() }), formerBuyersStatement);
    await expectRows(z.strictObject({ had: z.literal(true) }), hadStatement, [accountId, bought]);
    await expectRows(z.strictObject({ released: z.literal(true) }), releasedStatement, [accountId, bought, null]);
  });

  it('of purchases', async () => {
    const { id } = await scene.buy({ idempotencyKey: 'a' });
    const { id: accountId } = scene.account;
    scene.core.numberCarrier.faults = ['lost'];
    scene.core.numberCarrier.isDown = true;
    await scene.buy();
    const due = `
      WITH due AS (UPDATE number_orders SET due_at = now() WHERE due_at IS NOT NULL RETURNING id) SELECT * FROM due`;
    await scene.bed.database.sql(due);
    // TypeORM returns the rows of an UPDATE beside their number.
    const taken = await scene.bed.database.sql(`WITH taken AS (${takeDueOrdersStatement.text}) SELECT * FROM taken`);
    expect(taken.map((row) => order.parse(row))).toHaveLength(1);
    scene.core.numberCarrier.isDown = false;
    await scene.core.get(Numbers).release(accountId, publicNumberId(id), byOwner);
    await expectRows(z.strictObject({ id: z.uuid() }), endedOrdersStatement, [[id]]);
  });

  it('of what is kept in memory, and of pools', async () => {
    const { number: bought } = await scene.buy();
    const accountId = scene.account.id;
    const pool = { name: 'Shop', numbers: [bought], isDefault: undefined, address: '127.0.0.1' };
    await scene.core.get(Pools).put(accountId, pool);
    const known: z.ZodType<KnownNumber> = z.strictObject({
      id: z.uuid(),
      number: z.string(),
      accountId: z.uuid(),
      origin: z.enum(['operator', 'purchase']),
      status: z.enum(numberStatuses),
      carrier: z.int().nullable(),
      type: z.enum(numberTypes).nullable(),
      canMms: z.boolean(),
      isFiltered: z.boolean(),
    });
    await expectRows(known, liveNumbersStatement);
    await expectRows(z.strictObject({ number: z.string() }), { text: givenStatement });
    const pools: z.ZodType<PoolRow> = z.strictObject({
      id: z.uuid(),
      accountId: z.uuid(),
      isDefault: z.boolean(),
      numberIds: z.array(z.uuid()),
    });
    await expectRows(pools, allPoolsStatement);
    const key: z.ZodType<KeyRow> = z.strictObject({ hash: z.instanceof(Buffer), accountId: z.uuid() });
    await expectRows(key, keysOfAccountsStatement, [[accountId]]);
    const stored: z.ZodType<StoredPool> = z.strictObject({
      id: z.uuid(),
      name: z.string(),
      isDefault: z.boolean(),
      createdAt: z.date(),
      numbers: z.array(
        z.strictObject({
          id: z.uuid(),
          number: z.string(),
          status: z.enum(numberStatuses),
          filtered: z.boolean(),
          filteredAt: z.string().nullable(),
        }),
      ),
    });
    await expectRows(stored, poolsStatement, [accountId, null]);
  });

  it('of traffic and of what the carrier should have', async () => {
    const { number: bought } = await scene.buy();
    const traffic: z.ZodType<TrafficRow> = z.strictObject({
      since: z.date().nullable(),
      sent: z.int(),
      delivered: z.int(),
      failed: z.int(),
      waiting: z.int(),
      replies: z.int(),
      people: z.int(),
      reasons: z.array(z.strictObject({ code: z.string(), messages: z.int() })),
    });
    await expectRows(traffic, trafficStatement, [scene.account.id, bought]);
    await scene.bed.database.sql(`UPDATE numbers SET activated_at = now() - interval '2 hours'`);
    const sold: z.ZodType<SoldNumber> = z.strictObject({ id: z.uuid(), carrier: z.int(), carrierId: z.string() });
    await expectRows(sold, soldNumbersStatement);
  });
});
