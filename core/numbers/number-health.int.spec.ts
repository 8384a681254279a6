import { z } from 'zod';
import { publicNumberId } from '../rules/ids.js';
import { texted } from '../testing/texted.js';
import { WebhookEndpoints } from '../webhooks/endpoints/webhook-endpoints.js';
import { NumberDirectory } from './number-directory.js';
import { type FiguresRow, NumberHealth, numberFiguresStatement } from './number-health.js';
import { NumberList } from './number-list.js';
import { Pools } from './pools.js';
import { numberScene } from './testing/number-scene.js';

const ADDRESS = '127.0.0.1';

describe('The health of a number', () => {
  const scene = numberScene();
  let number: string;
  let id: string;
  let people = 0;

  beforeEach(async () => {
    ({ number, id } = await scene.buy());
    await put();
  });

  const put = (numbers = [number]) =>
    scene.core.get(Pools).put(scene.account.id, { name: 'Shop', numbers, isDefault: true, address: ADDRESS });
  const run = () => scene.core.get(NumberHealth).run();
  /** Ends messages with the carrier's code, or delivered. */
  const end = async (times: number, carrierError: number | null, { minutes = 1, sender = number } = {}) => {
    for (let n = 0; n < times; n += 1) {
      people += 1;
      const recipient = `+1415${5_550_000 + people}`;
      const status = carrierError === null ? 'delivered' : 'undelivered';
      const message = await texted(scene.core, scene.bed.database, scene.account, { recipient, sender, status });
      await scene.bed.database.sql(
        'UPDATE messages SET carrier_error = $2, claimed_at = now() - make_interval(mins => $3) WHERE id = $1',
        [message, carrierError, minutes],
      );
      await scene.bed.database.sql(
        `INSERT INTO number_turns (account_id, message_id, number, at)
         SELECT account_id, id, sender, claimed_at FROM messages WHERE id = $1`,
        [message],
      );
    }
  };
  const state = async () => {
    const [row] = await scene.bed.database.sql<{ filtered: boolean; pools: number; in_pools: number }>(
      `SELECT n.filtered_at IS NOT NULL AS filtered, count(m.*)::int AS pools,
         count(m.*) FILTER (WHERE m.left_at IS NULL)::int AS in_pools
       FROM numbers n LEFT JOIN pool_numbers m ON m.number_id = n.id WHERE n.id = $1 GROUP BY n.id`,
      [id],
    );
    return row;
  };
  const sound = { filtered: false, pools: 1, in_pools: 1 };
  const left = { filtered: true, pools: 1, in_pools: 0 };
  const mails = () =>
    scene.bed.database.sql<{ content: object }>(
      `SELECT content FROM mails WHERE account_id = $1 AND kind = 'number_filtered'`,
      [scene.account.id],
    );

  it.each([30_007, 30_034])(
    'has it leave its pool, with an email and an event, when carriers answer %s',
    async (code) => {
      await scene.core.get(WebhookEndpoints).setUrl(scene.account.id, 'https://example.com/events');
      await scene.core.get(WebhookEndpoints).setEvents(scene.account.id, ['number.filtered']);
      await end(4, null);
      await end(2, code);
      expect([await run(), await state()]).toEqual([0, sound]);
      await end(1, code);
      expect([await run(), await state()]).toEqual([1, left]);
      expect((await mails()).map(({ content }) => content)).toMatchObject([
        { numberId: publicNumberId(id), number, messages: 7, failed: 3 },
      ]);
      const events = await scene.bed.database.sql<{ body: string }>(
        'SELECT body FROM webhook_deliveries WHERE account_id = $1',
        [scene.account.id],
      );
      const data = { number_id: publicNumberId(id), number, status: 'active', messages: 7, failed: 3 };
      expect(events.map(({ body }) => JSON.parse(body) as object)).toMatchObject([{ type: 'number.filtered', data }]);
      const [audited] = await scene.bed.database.sql(
        `SELECT actor, details FROM audit_entries WHERE account_id = $1 AND action = 'number.filtered'`,
        [scene.account.id],
      );
      expect(audited).toMatchObject({ actor: 'operator', details: { id, ended: 7, failed: 3, filtered: 3 } });
      expect((await scene.core.get(NumberDirectory).ofAccount(scene.account.id)).pools).toMatchObject([
        { senders: [] },
      ]);
      expect([await run(), await mails()]).toMatchObject([0, [{}]]);
    },
  );

  it('is seen behind a bulk that waits', async () => {
    await end(5, 30_007);
    await scene.bed.database.sql(
      `INSERT INTO messages (id, account_id, number, recipient, sender, body, segments, credits, status, kind, country)
       SELECT gen_random_uuid(), account_id, number + n, recipient, sender, body, segments, credits, 'queued', kind,
         country
       FROM messages, generate_series(1000000, 1005999) n
       WHERE account_id = $1 AND number = (SELECT max(number) FROM messages WHERE account_id = $1)`,
      [scene.account.id],
    );
    try {
      expect([await run(), await state()]).toEqual([1, left]);
      const { traffic } = await scene.core.get(NumberList).show(scene.account.id, publicNumberId(id));
      expect(traffic).toMatchObject({ failed: 5, waiting: 6_000 });
    } finally {
      await scene.bed.database.sql('DELETE FROM messages WHERE account_id = $1 AND number >= 1000000', [
        scene.account.id,
      ]);
    }
  });

  it('has it leave when half of at least ten messages fail for the sender or the route', async () => {
    await end(5, null);
    await end(4, 30_032);
    await end(1, 21_612);
    expect(await run()).toBe(1);
  });

  it('leaves it when the failures are those of people, older than ten minutes, or of another number', async () => {
    const other = await scene.buy();
    await end(12, 30_003);
    await end(12, 30_007, { minutes: 11 });
    await end(12, 30_007, { sender: '+15005550006' });
    expect([await run(), await state()]).toEqual([0, sound]);
    await end(3, 30_007, { sender: other.number });
    expect([await run(), await state()]).toEqual([1, sound]);
  });

  it('is judged again once its owner has put it back', async () => {
    await end(3, 30_007);
    expect(await run()).toBe(1);
    await put();
    expect([await run(), await state()]).toEqual([0, sound]);
    await end(3, 30_007, { minutes: 0 });
    expect([await run(), await state()]).toEqual([1, left]);
    expect(await mails()).toHaveLength(2);
  });

  it('is found once by two workers', async () => {
    await end(3, 30_007);
    expect((await Promise.all([run(), run()])).toSorted()).toEqual([0, 1]);
  });

  it('is read by a statement that returns rows of its type', async () => {
    await end(1, 30_007);
    const rows = await scene.bed.database.sql(numberFiguresStatement.text, [scene.account.id, [1], [30_007], [true]]);
    const row: z.ZodType<FiguresRow> = z.strictObject({
      id: z.uuid(),
      ended: z.int(),
      failed: z.int(),
      filtered: z.int(),
    });
    expect(rows.map((one) => row.parse(one))).toEqual([{ id, ended: 1, failed: 1, filtered: 1 }]);
  });
});
