import { Credits } from '../../credits/credits.js';
import { Postgres } from '../../platform/database/postgres.js';
import { newMessageId } from '../../rules/ids.js';
import { acceptanceRow } from '../../testing/acceptance-rows.js';
import { eventually } from '../../testing/eventually.js';
import { moneyFaults, moneyOf } from '../../testing/money.js';
import { createTestAccount, type TestAccount } from '../../testing/test-accounts.js';
import { createTestBed, type TestBed } from '../../testing/test-bed.js';
import { createTestCore, type TestCore } from '../../testing/test-core.js';
import { Acceptance } from '../send/acceptance.js';
import { AcceptBulk } from './accept-bulk.js';
import { BatchesRepository } from './batches.repository.js';

describe('Single messages while a bulk is being accepted', () => {
  let bed: TestBed;
  let core: TestCore;
  let bulky: TestAccount;
  let other: TestAccount;

  beforeAll(async () => {
    bed = await createTestBed();
    core = await createTestCore(bed.config());
  });

  beforeEach(async () => {
    [bulky, other] = [await createTestAccount(core, { credits: 10 }), await createTestAccount(core, { credits: 10 })];
  });

  afterEach(async () => {
    expect(await moneyFaults(bed.database)).toEqual([]);
  });

  afterAll(async () => {
    await core?.close();
    await bed?.remove();
  });

  const decide = ({ apiKey }: TestAccount, key: string | null = null) =>
    core.get(Acceptance).decide(acceptanceRow(core, apiKey, { idempotencyKey: key }));
  const running = () => bed.database.sql('SELECT batch_id FROM running_bulks WHERE account_id = $1', [bulky.id]);
  const acceptBulk = (messages: number) =>
    core.get(AcceptBulk).accept({
      id: newMessageId(),
      accountId: bulky.id,
      rows: Array.from({ length: messages }, (_one, n) =>
        acceptanceRow(core, bulky.apiKey, { recipient: `+1415555${2_000 + n}` }),
      ),
      idempotency: undefined,
      partial: false,
      isSent: true,
      rejectedOf: () => [],
    });

  it('hold up no other account, though those of the same account wait for the bulk', async () => {
    await core.get(BatchesRepository).begin({ id: newMessageId(), accountId: bulky.id });
    const settled: string[] = [];
    const { waiting } = await core.get(Postgres).transaction(async (tx) => {
      const { id: accountId } = bulky;
      // Locks the balance, as a bulk does until its commit.
      await core.get(Credits).post(tx, [{ accountId, amount: 1, kind: 'adjustment', sourceId: accountId }]);
      const mixed = ['a', 'b', 'c', 'd'].flatMap((key) => [
        decide(bulky, key).finally(() => settled.push('bulky')),
        decide(other, key).finally(() => settled.push('other')),
      ]);
      await eventually('the other account’s messages are decided', () =>
        Promise.resolve(settled.filter((name) => name === 'other').length === 4),
      );
      expect(settled).not.toContain('bulky');
      return { waiting: mixed };
    });
    expect((await Promise.all(waiting)).map(({ kind }) => kind)).toEqual(Array.from({ length: 8 }, () => 'accepted'));
    expect(await moneyOf(bed.database, bulky.id)).toMatchObject({ balance: 7, messages: 4 });
  });

  it('share batches again once the bulk is stored, rejected, or was begun long ago', async () => {
    expect(await acceptBulk(3)).toMatchObject({ kind: 'accepted', balance: 7 });
    expect(await running()).toEqual([]);
    expect(await acceptBulk(8)).toMatchObject({ kind: 'rejected' });
    expect(await running()).toEqual([]);
    await bed.database.sql(`INSERT INTO running_bulks VALUES ($1, $2, now() - interval '2 hours')`, [
      newMessageId(),
      bulky.id,
    ]);
    expect(await decide(bulky)).toMatchObject({ kind: 'accepted' });
    await acceptBulk(1);
    expect(await running()).toEqual([]);
  });

  it('wait half a minute at most for a bulk whose process died', async () => {
    const lasting = () =>
      bed.database.sql('SELECT FROM running_bulks WHERE account_id = $1 AND ends_at > now()', [bulky.id]);
    const pass = (seconds: number) =>
      bed.database.sql('UPDATE running_bulks SET ends_at = ends_at - make_interval(secs => $2) WHERE account_id = $1', [
        bulky.id,
        seconds,
      ]);
    await core.get(BatchesRepository).begin({ id: newMessageId(), accountId: bulky.id });
    await pass(20);
    expect(await lasting()).toHaveLength(1);
    await pass(10);
    expect(await lasting()).toEqual([]);
  });

  it('are decided as before: a repeated Idempotency-Key, a test and a refusal', async () => {
    await decide(bulky, 'first');
    await core.get(BatchesRepository).begin({ id: newMessageId(), accountId: bulky.id });
    expect(await decide(bulky, 'first')).toMatchObject({ kind: 'replayed' });
    expect(
      (await Promise.all([decide(bulky, 'twice'), decide(bulky, 'twice')])).map(({ kind }) => kind).sort(),
    ).toEqual(['accepted', 'replayed']);
    const row = acceptanceRow(core, bulky.apiKey, { price: 9, segments: 9 });
    expect(await core.get(Acceptance).decide(row)).toMatchObject({ kind: 'refused', code: 'insufficient_credits' });
    const test = acceptanceRow(core, `${bulky.apiKey}_test`);
    expect(await core.get(Acceptance).decide(test)).toMatchObject({ kind: 'approved' });
  });
});
