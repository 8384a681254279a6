import { AccountErasure } from '../accounts/account-erasure.js';
import { NamedKeys } from '../keys/named-keys.js';
import { Spend } from '../figures/spend.js';
import { publicNumberId } from '../rules/ids.js';
import { WebhookEndpoints } from '../webhooks/endpoints/webhook-endpoints.js';
import { spendDayFaults } from '../testing/spend-day-faults.js';
import { texted } from '../testing/texted.js';
import { NumberRent } from './number-rent.js';
import { NumberList } from './number-list.js';
import { Numbers } from './numbers.js';
import { OperatorNumbers } from './operator-numbers.js';
import { byKey, byOwner, newNumber, numberScene } from './testing/number-scene.js';

const UNKNOWN = publicNumberId('0199d0d0-7c5a-7b1f-8e0a-4f6f2f9c1b3d');

describe('Numbers', () => {
  const scene = numberScene();
  const { buy, rows, sold, newAccount } = scene;
  const numbers = () => scene.core.get(Numbers);
  const list = () => scene.core.get(NumberList);
  const bought = async () => {
    const { id, number } = await buy({ label: 'Support' });
    return { id, number, publicId: publicNumberId(id) };
  };
  const change = (
    publicId: string,
    changes: { label?: string | null; autoRenew?: boolean },
    accountId = scene.account.id,
  ) => numbers().change(accountId, publicId, changes, byOwner);

  it('are listed newest first, as their account sees them, with how many it may have', async () => {
    const first = await bought();
    const second = await bought();
    const { numbers: listed, max } = await list().list(scene.account.id, 'live');
    expect([listed.map(({ number }) => number), max]).toEqual([[second.number, first.number], 10]);
    expect(listed[1]).toEqual({
      number_id: first.publicId,
      number: first.number,
      label: 'Support',
      type: 'local',
      country: 'US',
      capabilities: ['sms', 'mms'],
      origin: 'purchase',
      status: 'active',
      auto_renew: true,
      credits_per_month: 50,
      strangers_per_day: 100,
      renews_at: expect.stringMatching(/Z$/),
      past_due_since: null,
      releases_at: null,
      released_at: null,
      filtered_at: null,
      pools: [],
      created_at: expect.stringMatching(/Z$/),
    });
    const other = await newAccount();
    expect((await list().list(other.id, 'live')).numbers).toEqual([]);
  });

  it('are seen in the spend by their country, and are no messages', async () => {
    await bought();
    await bought();
    const shown = async () => {
      const { kinds, countries, charged } = await scene.core.get(Spend).show(scene.account.id, {});
      return { kinds, countries, charged };
    };
    const rent = { messages: 0, charged: 100, refunded: 0, spent: 100 };
    const expected = { kinds: [{ kind: 'number', ...rent }], countries: [{ country: 'US', ...rent }], charged: 100 };
    expect(await shown()).toEqual(expected);
    await scene.core.get(Spend).count();
    expect(await shown()).toEqual(expected);
    expect(await spendDayFaults(scene.bed.database)).toEqual([]);
  });

  it('are seen in the spend of the key that bought them, except for the months that follow', async () => {
    const { id: keyId } = await scene.core.get(NamedKeys).create(
      { actor: 'account', accountId: scene.account.id },
      {
        name: 'Robot',
        mode: 'live',
        scopes: ['numbers'],
        addresses: [],
        countries: [],
        creditsPerDay: 60,
        creditsPerMonth: null,
        messagesPerSecond: null,
        expiresAt: null,
      },
    );
    const { id } = await buy({ keyId });
    // Rent is due by the clock of the process, which has no microseconds.
    const due = `date_trunc('milliseconds', now())`;
    await scene.bed.database.sql(`UPDATE numbers SET due_at = ${due}, renews_at = ${due} WHERE id = $1`, [id]);
    await scene.core.get(NumberRent).run();
    const keys = async () => {
      const shown = await scene.core.get(Spend).show(scene.account.id, {});
      return new Map(shown.keys.map((key) => [key.key_id, key.charged]));
    };
    const expected = new Map([
      [keyId, 50],
      [null, 50],
    ]);
    expect(await keys()).toEqual(expected);
    await scene.core.get(Spend).count();
    expect(await keys()).toEqual(expected);
    expect(await spendDayFaults(scene.bed.database)).toEqual([]);
  });

  it('show what went through them, and why messages failed', async () => {
    const { number, publicId } = await bought();
    const { core, account } = scene;
    await texted(core, scene.bed.database, account, { recipient: '+14155552601', sender: number });
    const failed = await texted(core, scene.bed.database, account, { recipient: '+14155552602', sender: number });
    await texted(core, scene.bed.database, account, { recipient: '+14155552602', sender: number, status: 'queued' });
    await texted(core, scene.bed.database, account, { recipient: '+14155552603' });
    await scene.bed.database.sql(
      `UPDATE messages SET status = 'undelivered', error_code = 'not_delivered', carrier_error = 30007 WHERE id = $1`,
      [failed],
    );
    const { traffic } = await list().show(account.id, publicId);
    expect(traffic).toEqual({
      since: expect.stringMatching(/Z$/),
      sent: 3,
      delivered: 1,
      failed: 1,
      waiting: 1,
      replies: 0,
      people: 2,
      reasons: [{ code: '30007', text: expect.any(String), messages: 1 }],
    });
    await scene.bed.database.sql(`UPDATE messages SET status = 'sent', error_code = NULL WHERE id = $1`, [failed]);
  });

  it('are found by their account alone, and tell why a purchase failed', async () => {
    const { publicId } = await bought();
    const other = await newAccount();
    for (const [accountId, id] of [
      [other.id, publicId],
      [scene.account.id, UNKNOWN],
      [scene.account.id, 'x'],
    ] as const) {
      const missing = { code: 'number_not_found' };
      await expect(list().show(accountId, id)).rejects.toMatchObject(missing);
      await expect(change(id, { label: 'x' }, accountId)).rejects.toMatchObject(missing);
      await expect(numbers().release(accountId, id, byOwner)).rejects.toMatchObject(missing);
    }
    scene.core.numberCarrier.faults = ['refused'];
    await expect(buy()).rejects.toBeDefined();
    const [failed] = await scene.bed.database.sql<{ id: string }>(
      `SELECT id FROM number_orders WHERE account_id = $1 AND status = 'failed'`,
      [scene.account.id],
    );
    await expect(list().show(scene.account.id, publicNumberId(failed?.id ?? ''))).rejects.toMatchObject({
      code: 'number_not_found',
      detail: 'This purchase failed: the carrier does not sell the number. You were not charged.',
    });
  });

  it('change what is given, and leave the rest', async () => {
    const { publicId } = await bought();
    expect(await change(publicId, { autoRenew: false })).toMatchObject({ label: 'Support', auto_renew: false });
    expect(await change(publicId, { label: 'Sales' })).toMatchObject({ label: 'Sales', auto_renew: false });
    expect(await change(publicId, { label: null, autoRenew: true })).toMatchObject({ label: null, releases_at: null });
  });

  it('of the operator have a label, and are neither renewed nor released by their account', async () => {
    const sender = newNumber();
    await scene.core.get(OperatorNumbers).set(scene.account.email, [sender]);
    const [row] = await rows();
    const publicId = publicNumberId(row?.id ?? '');
    expect(await change(publicId, { label: 'Main' })).toMatchObject({ origin: 'operator', label: 'Main', type: null });
    for (const refused of [
      () => change(publicId, { autoRenew: false }),
      () => numbers().release(scene.account.id, publicId, byOwner),
    ])
      await expect(refused()).rejects.toMatchObject({ code: 'number_not_changeable' });
    await scene.core.get(OperatorNumbers).set(scene.account.email, []);
  });

  describe('that are released', () => {
    it('are given back, and rest for 90 days', async () => {
      await scene.core.get(WebhookEndpoints).setUrl(scene.account.id, 'https://example.com/hook');
      await scene.core.get(WebhookEndpoints).setEvents(scene.account.id, ['number.released']);
      const { number, publicId } = await bought();
      expect(await numbers().release(scene.account.id, publicId, byOwner)).toMatchObject({
        status: 'released',
        renews_at: null,
      });
      expect(sold()).not.toContain(number);
      const [row] = await scene.bed.database.sql<{ days: number }>(
        `SELECT extract(day FROM rests_until - released_at)::int AS days FROM numbers WHERE number = $1`,
        [number],
      );
      expect(row?.days).toBe(90);
      const [event] = await scene.bed.database.sql<{ body: string }>(
        'SELECT body FROM webhook_deliveries WHERE account_id = $1',
        [scene.account.id],
      );
      expect(JSON.parse(event?.body ?? '')).toMatchObject({
        type: 'number.released',
        data: { number, reason: 'owner' },
      });
      const other = await newAccount();
      await expect(buy({ number, accountId: other.id })).rejects.toMatchObject({ code: 'number_taken' });
      await scene.bed.database.sql('UPDATE numbers SET rests_until = now() WHERE number = $1', [number]);
      expect(await buy({ number, accountId: other.id })).toMatchObject({ status: 'active' });
      expect((await list().list(scene.account.id, 'released')).numbers).toMatchObject([{ number, status: 'released' }]);
      expect((await list().list(scene.account.id, 'live')).numbers).toEqual([]);
    });

    it('by a key can be kept for a day, and are released then; both send the owner an email', async () => {
      const { id, number, publicId } = await bought();
      const inADay = new Date(Date.now() + 24 * 3_600_000);
      const rent = scene.core.get(NumberRent);
      const first = await numbers().release(scene.account.id, publicId, byKey);
      expect(first).toMatchObject({ status: 'releasing', released_at: null });
      expect(Math.abs(Date.parse(first.releases_at ?? '') - inADay.getTime())).toBeLessThan(60_000);
      await rent.run(new Date(inADay.getTime() - 3_600_000));
      expect(sold()).toContain(number);
      expect(await numbers().keep(scene.account.id, publicId, byKey)).toMatchObject({
        status: 'active',
        releases_at: null,
        auto_renew: true,
      });
      await numbers().release(scene.account.id, publicId, byKey);
      expect(await buy({ number })).toMatchObject({ id, status: 'active', credits: 0 });
      await numbers().release(scene.account.id, publicId, byKey);
      await rent.run(new Date(inADay.getTime() + 3_600_000));
      expect([await rows(), sold().includes(number)]).toMatchObject([[{ status: 'released' }], false]);
      await expect(numbers().keep(scene.account.id, publicId, byKey)).rejects.toMatchObject({
        code: 'number_not_changeable',
      });
      const mails = await scene.bed.database.sql(
        `SELECT kind FROM mails WHERE account_id = $1 AND kind LIKE 'number%' ORDER BY kind`,
        [scene.account.id],
      );
      expect(mails.map(({ kind }) => kind)).toEqual(['number_bought', 'number_released', 'number_releasing']);
    });

    it('at the end of a month that is near by a key wait for a day, without another month', async () => {
      const { publicId } = await bought();
      await scene.bed.database.sql(
        `UPDATE numbers SET renews_at = now() + interval '1 minute', due_at = now() + interval '1 minute'
         WHERE account_id = $1`,
        [scene.account.id],
      );
      await numbers().change(scene.account.id, publicId, { autoRenew: false }, byKey);
      await scene.core.get(NumberRent).run(new Date(Date.now() + 3_600_000));
      expect(await rows()).toMatchObject([{ status: 'releasing' }]);
      await scene.bed.database.sql(`UPDATE numbers SET renews_at = now() - interval '8 days' WHERE account_id = $1`, [
        scene.account.id,
      ]);
      // The month that began meanwhile is due since it began: undoing a release makes no grace
      // longer.
      const kept = await numbers().keep(scene.account.id, publicId, byKey);
      expect(kept).toMatchObject({ status: 'past_due', auto_renew: true });
      expect(Date.parse(kept.releases_at ?? '')).toBeLessThan(Date.now());
      await scene.core.get(NumberRent).run();
      expect(await rows()).toMatchObject([{ status: 'active' }]);
    });

    it('by a key are released at once by their owner', async () => {
      const { publicId } = await bought();
      await numbers().release(scene.account.id, publicId, byKey);
      expect(await numbers().release(scene.account.id, publicId, byOwner)).toMatchObject({ status: 'released' });
    });

    it('answer as before when they are released again, and cannot be changed', async () => {
      const { publicId } = await bought();
      const released = await numbers().release(scene.account.id, publicId, byOwner);
      expect(await numbers().release(scene.account.id, publicId, byOwner)).toEqual(released);
      await expect(change(publicId, { label: 'x' })).rejects.toMatchObject({ code: 'number_not_changeable' });
    });

    it('are given back by a worker when the carrier cannot be asked, and are no sender meanwhile', async () => {
      const { number, publicId } = await bought();
      scene.core.numberCarrier.isDown = true;
      expect(await numbers().release(scene.account.id, publicId, byOwner)).toMatchObject({ status: 'releasing' });
      expect(await numbers().release(scene.account.id, publicId, byOwner)).toMatchObject({ status: 'releasing' });
      scene.core.numberCarrier.isDown = false;
      await scene.core.get(NumberRent).run(new Date(Date.now() + 3_600_000));
      expect([await rows(), sold().includes(number)]).toMatchObject([[{ status: 'released' }], false]);
    });

    it('are given back by a worker when the process is killed in between', async () => {
      const { number, publicId } = await bought();
      jest.spyOn(scene.core.numberCarrier, 'release').mockImplementation(() => new Promise(() => undefined));
      void numbers().release(scene.account.id, publicId, byOwner);
      await scene.bed.database.sql(`SELECT pg_sleep(0.2)`);
      jest.restoreAllMocks();
      await scene.core.get(NumberRent).run();
      expect([await rows(), sold().includes(number)]).toMatchObject([[{ status: 'released' }], false]);
    });

    it('are not those whose purchase is not decided', async () => {
      scene.core.numberCarrier.faults = ['lost'];
      scene.core.numberCarrier.isDown = true;
      const { id } = await buy();
      for (const refused of [
        () => numbers().release(scene.account.id, publicNumberId(id), byOwner),
        () => change(publicNumberId(id), { label: 'x' }),
      ])
        await expect(refused()).rejects.toMatchObject({ code: 'number_not_changeable' });
    });
  });

  it('are given back when their account is erased, which waits for purchases that are not decided', async () => {
    const { number } = await bought();
    scene.core.numberCarrier.faults = ['lost'];
    scene.core.numberCarrier.isDown = true;
    await buy();
    const erase = () => scene.core.get(AccountErasure).erase(scene.account.email, 'test');
    await expect(erase()).rejects.toMatchObject({ code: 'account_busy' });
    scene.core.numberCarrier.isDown = false;
    await scene.bed.database.sql(`UPDATE number_orders SET status = 'failed', reason = 'not_sold', due_at = NULL,
      finished_at = now() WHERE status = 'pending'`);
    await scene.bed.database.sql(`DELETE FROM numbers WHERE status = 'reserving'`);
    await scene.bed.database.sql(`UPDATE credit_accounts SET frozen = 0 WHERE account_id = $1`, [scene.account.id]);
    await scene.bed.database.sql('DELETE FROM credit_holds WHERE account_id = $1', [scene.account.id]);
    await erase();
    await scene.core.get(NumberRent).run();
    expect(sold()).not.toContain(number);
    expect(await rows()).toMatchObject([{ status: 'released', release_reason: 'deleted', label: null }]);
  });
});
