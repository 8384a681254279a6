import { setTimeout as pause } from 'node:timers/promises';
import { limits } from '#contract/limits.js';
import type { PoolView } from '#contract/numbers.js';
import { AuditLog } from '../audit/audit-log.js';
import { poolIdFromPublic, publicNumberId } from '../rules/ids.js';
import { NumberList } from './number-list.js';
import { Numbers } from './numbers.js';
import { Pools } from './pools.js';
import { byOwner, numberScene } from './testing/number-scene.js';

describe('Pools', () => {
  const scene = numberScene();
  const { buy, newAccount } = scene;
  const put = (name: string, numbers: readonly string[], isDefault?: boolean, accountId = scene.account.id) =>
    scene.core.get(Pools).put(accountId, { name, numbers, isDefault, address: '127.0.0.1' });
  const list = (accountId = scene.account.id) => scene.core.get(Pools).list(accountId);

  it('have numbers of the account, by number or id, each once', async () => {
    const [one, two] = [await buy(), await buy()];
    const pool = await put('Support', [one.number, publicNumberId(two.id), publicNumberId(one.id)]);
    expect(pool).toMatchObject({
      pool_id: expect.stringMatching(/^pool_[0-9a-f]{32}$/),
      name: 'Support',
      default: true,
      numbers: [
        { number: one.number, number_id: publicNumberId(one.id), status: 'active', active: true, filtered_at: null },
        { number: two.number },
      ],
    });
    expect(await list()).toEqual([pool]);
    const [shown] = (await scene.core.get(NumberList).list(scene.account.id, 'live')).numbers;
    expect(shown?.pools).toEqual([pool.pool_id]);
  });

  it('of one name are one: its numbers are replaced', async () => {
    const [one, two] = [await buy(), await buy()];
    const first = await put('Support', [one.number]);
    const second = await put('Support', [two.number]);
    expect([second.pool_id, second.default]).toEqual([first.pool_id, true]);
    expect(second.numbers.map(({ number }) => number)).toEqual([two.number]);
    expect(await list()).toHaveLength(1);
  });

  it('and numbers are audited when something changes, and only then', async () => {
    const [one, two] = [await buy(), await buy()];
    const audited = async () =>
      (await scene.core.get(AuditLog).list({ accountId: scene.account.id, beforeId: undefined, entriesMax: 99 }))
        .map(({ action }) => action)
        .filter((action) => action.endsWith('.changed')).length;
    await put('Support', [one.number, two.number]);
    await put('Support', [two.number, one.number]);
    expect(await audited()).toBe(1);
    await put('Support', [two.number]);
    await put('Support', [two.number], false);
    expect(await audited()).toBe(3);
    const change = (label: string) =>
      scene.core.get(Numbers).change(scene.account.id, publicNumberId(one.id), { label, autoRenew: true }, byOwner);
    await change('Shop');
    await change('Shop');
    expect(await audited()).toBe(4);
  });

  it('have one default pool: the first one, unless another one is to be', async () => {
    expect([await put('One', []), await put('Two', [])]).toMatchObject([{ default: true }, { default: false }]);
    await put('Two', [], true);
    expect((await list()).map((pool) => [pool.name, pool.default])).toEqual([
      ['One', false],
      ['Two', true],
    ]);
    await put('Two', [], false);
    expect((await list()).some((pool) => pool.default)).toBe(false);
    const other = await newAccount();
    expect(await put('None', [], false, other.id)).toMatchObject({ default: false });
  });

  it('refuse numbers of others and unknown ones, and stay as they were', async () => {
    const other = await newAccount();
    const theirs = await buy({ accountId: other.id });
    const mine = await buy();
    await put('Support', [mine.number]);
    for (const number of [theirs.number, publicNumberId(theirs.id), '+12125550143', 'x'])
      await expect(put('Support', [mine.number, number])).rejects.toMatchObject({ code: 'pool_invalid' });
    expect(await list()).toMatchObject([{ numbers: [{ number: mine.number }] }]);
  });

  it('are at most 20', async () => {
    for (let n = 0; n < limits.poolsMax; n += 1) await put(`Pool ${n}`, []);
    await expect(put('One more', [])).rejects.toMatchObject({ code: 'pool_limit' });
    expect(await put('Pool 3', [])).toMatchObject({ name: 'Pool 3' });
  });

  it('are deleted by their account alone, and leave the numbers', async () => {
    const { number } = await buy();
    const { pool_id: id } = await put('Support', [number]);
    const other = await newAccount();
    const remove = (accountId: string, poolId = id) => scene.core.get(Pools).delete(accountId, poolId, '127.0.0.1');
    for (const refused of [remove(other.id), remove(scene.account.id, 'x')])
      await expect(refused).rejects.toMatchObject({ code: 'pool_not_found' });
    await remove(scene.account.id);
    expect(await list()).toEqual([]);
    await expect(scene.core.get(Pools).show(scene.account.id, id)).rejects.toMatchObject({ code: 'pool_not_found' });
    expect((await scene.core.get(NumberList).list(scene.account.id, 'live')).numbers).toMatchObject([
      { number, pools: [] },
    ]);
  });

  it('are created once more by a call that comes while they are deleted, with its numbers', async () => {
    const { number } = await buy();
    const { pool_id: id } = await put('Support', [number]);
    const auditLog = scene.core.get(AuditLog);
    const original = auditLog.record.bind(auditLog);
    let changed: Promise<PoolView> | undefined;
    jest.spyOn(auditLog, 'record').mockImplementation(async (tx, entry) => {
      if (entry.action === 'pool.deleted') {
        changed = put('Support', [number]);
        await Promise.race([changed, pause(200)]);
      }
      return original(tx, entry);
    });
    await scene.core.get(Pools).delete(scene.account.id, id, '127.0.0.1');
    expect(await changed).toMatchObject({ name: 'Support', numbers: [{ number }] });
    const members = 'SELECT pool_id FROM pool_numbers WHERE account_id = $1';
    expect(await scene.bed.database.sql(members, [scene.account.id])).toEqual([
      { pool_id: poolIdFromPublic((await changed)?.pool_id ?? '') },
    ]);
  });

  it('are left by a number that is released', async () => {
    const { id, number } = await buy();
    await put('Support', [number]);
    await scene.core.get(Numbers).release(scene.account.id, publicNumberId(id), byOwner);
    expect(await list()).toMatchObject([{ numbers: [] }]);
  });
});
