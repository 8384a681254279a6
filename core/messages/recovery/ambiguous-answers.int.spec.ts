import { z } from 'zod';
import { Postgres } from '../../platform/database/postgres.js';
import { Metrics } from '../../platform/telemetry/metrics.js';
import { publicMessageId } from '../../rules/ids.js';
import { acceptanceRow } from '../../testing/acceptance-rows.js';
import { moneyFaults, moneyOf } from '../../testing/money.js';
import { createTestAccount, type TestAccount } from '../../testing/test-accounts.js';
import { createTestBed, type TestBed } from '../../testing/test-bed.js';
import { createTestCore, type TestCore } from '../../testing/test-core.js';
import type { CarrierMessage } from '../../carriers/carrier.js';
import { DispatchMessage } from '../dispatch/dispatch-message.js';
import { MessageRetention } from '../message-retention.js';
import { Acceptance } from '../send/acceptance.js';
import { matchedStatement } from '../status/carrier-matches.js';
import { RecordReceipt } from '../status/record-receipt.js';
import { StatusUpdates } from '../status/status-updates.js';
import { takeChecksStatement, unsettledStatement } from './due-messages.repository.js';
import { RecoverMessages } from './recover-messages.js';

const RECIPIENT = '+14155552671';

describe('A message whose outcome is ambiguous', () => {
  let bed: TestBed;
  let core: TestCore;
  let account: TestAccount;

  beforeAll(async () => {
    bed = await createTestBed();
    core = await createTestCore(bed.config());
    await core.get(RecoverMessages).run();
  });

  beforeEach(async () => {
    core.carrier.forget();
    await bed.database.sql("UPDATE messages SET claimed_at = claimed_at - interval '1 hour'");
    await bed.database.sql('DELETE FROM message_checks');
    account = await createTestAccount(core, { credits: 1_000 });
  });

  afterEach(async () => {
    expect(await moneyFaults(bed.database)).toEqual([]);
  });

  afterAll(async () => {
    await core?.close();
    await bed?.remove();
  });

  async function accept(body = 'Hello'): Promise<CarrierMessage> {
    const row = acceptanceRow(core, account.apiKey, { body, recipient: RECIPIENT });
    await core.get(Acceptance).decide(row);
    return { id: row.id, accountId: account.id, recipient: RECIPIENT, sender: row.sender ?? '', body };
  }

  /**
   * Dispatches a message; the carrier takes it or not, and its response is lost. Its lease is over.
   */
  async function ambiguous(step: 'lost' | 'nothing', body?: string, secondsAgo = 60): Promise<CarrierMessage> {
    const message = await accept(body);
    core.carrier.next(step);
    await core.get(DispatchMessage).dispatch(message.id);
    await bed.database.sql(`UPDATE messages SET claimed_at = now() - make_interval(secs => $2) WHERE id = $1`, [
      message.id,
      secondsAgo,
    ]);
    await makeDue(message.id);
    return message;
  }

  const recover = () => core.get(RecoverMessages).run();
  const makeDue = (id: string) =>
    bed.database.sql('UPDATE message_checks SET due_at = now() WHERE $1 = ANY (message_ids)', [id]);
  const rowOf = async (id: string) =>
    (
      await bed.database.sql(
        `SELECT *, (
           SELECT extract(epoch FROM min(c.due_at) - now())::float FROM message_checks c
           WHERE m.id = ANY (c.message_ids)
         ) AS due_seconds
         FROM messages m WHERE id = $1`,
        [id],
      )
    )[0];
  const carriedOf = (id: string) =>
    core.carrier.records.filter(({ messageId }) => messageId === id).map(({ carrierId }) => carrierId);
  const receive = (messageId: string, carrierId: string, status: 'sent' | 'delivered' | 'undelivered') =>
    core
      .get(RecordReceipt)
      .record({ carrier: 1, messageId: publicMessageId(messageId), carrierId, status, carrierError: null });
  const alter = (body: string) => {
    const [record] = core.carrier.records;
    if (record) core.carrier.records[0] = { ...record, body };
  };

  it.each([
    ['the trial prefix', 'Hello', 'Sent from your Twilio trial account - Hello'],
    ['smart encoding', 'It’s “5 – 6”…', 'It\'s "5 - 6"...'],
  ])('is recognized at the carrier under %s and not sent again', async (_title, body, carried) => {
    const { id } = await ambiguous('lost', body);
    alter(carried);
    await recover();
    expect(await rowOf(id)).toMatchObject({ status: 'sent', carrier_id: carriedOf(id)[0] });
    expect(core.carrier.records).toHaveLength(1);
  });

  it('is recognized by a record of its first claim when a later claim was ambiguous too', async () => {
    const { id } = await ambiguous('lost');
    await bed.database.sql(
      `UPDATE messages SET attempts = 2, created_at = now() - interval '10 minutes',
        claimed_at = now() - interval '1 minute' WHERE id = $1`,
      [id],
    );
    // The state after the second claim and the settling of its answer.
    await bed.database.sql('DELETE FROM message_checks');
    await bed.database.sql(
      `INSERT INTO message_checks (kind, due_at, claim, message_ids) VALUES ('claimed', now(), 2, ARRAY[$1::uuid])`,
      [id],
    );
    const [record] = core.carrier.records;
    if (record) core.carrier.records[0] = { ...record, createdAt: new Date(Date.now() - 9 * 60_000) };
    await recover();
    expect(await rowOf(id)).toMatchObject({ status: 'sent', carrier_id: carriedOf(id)[0] });
  });

  it('is not sent again while the carrier’s list may lag, and is once it is complete', async () => {
    core.carrier.completeAfterMs = 120_000;
    const { id } = await ambiguous('nothing');
    await recover();
    expect(await rowOf(id)).toMatchObject({ status: 'sending', carrier_id: null });
    core.carrier.completeAfterMs = 50_000;
    await makeDue(id);
    await recover();
    expect(await rowOf(id)).toMatchObject({ status: 'queued' });
  });

  it('is found by its id in a list that has no texts', async () => {
    const [first, second] = [await ambiguous('lost', 'Hello', 90), await ambiguous('lost', 'Hello', 40)];
    core.carrier.records.reverse();
    core.carrier.hasOurIds = true;
    await recover();
    for (const { id } of [first, second]) {
      expect(await rowOf(id)).toMatchObject({ status: 'sent', carrier_id: carriedOf(id)[0] });
    }
  });

  it('is one of five equal ones: each carrier message is matched once, and the others are sent', async () => {
    const messages: CarrierMessage[] = [];
    for (const step of ['lost', 'nothing', 'lost', 'nothing', 'lost'] as const) messages.push(await ambiguous(step));
    for (let round = 0; round < 2; round += 1) {
      await recover();
      for (const { id } of messages) await core.get(DispatchMessage).dispatch(id);
    }
    const rows = await Promise.all(messages.map(({ id }) => rowOf(id)));
    expect(rows.map((row) => row?.status)).toEqual(Array.from({ length: 5 }, () => 'sent'));
    expect(rows.map((row) => row?.carrier_id as string).sort()).toEqual(
      core.carrier.records.map(({ carrierId }) => carrierId).sort(),
    );
    expect(core.carrier.records).toHaveLength(5);
  });

  it('is settled by its own status callback before any comparison', async () => {
    const [taken, untaken] = [await ambiguous('lost'), await ambiguous('nothing')];
    const [carrierId = ''] = carriedOf(taken.id);
    await receive(taken.id, carrierId, 'sent');
    await recover();
    expect(await rowOf(taken.id)).toMatchObject({ status: 'sent', carrier_id: carrierId });
    expect(await rowOf(untaken.id)).toMatchObject({ status: 'queued', carrier_id: null });
    expect(await bed.database.sql('SELECT * FROM carrier_matches WHERE carrier_id = $1', [carrierId])).toEqual([]);
  });

  it('keeps a carrier message that was matched to it when the callback names an equal message', async () => {
    // The record is closer in time to the message that the carrier did not take.
    const [taken, untaken] = [await ambiguous('lost', 'Hello', 90), await ambiguous('nothing', 'Hello', 40)];
    const [carrierId = ''] = carriedOf(taken.id);
    await recover();
    expect(await rowOf(untaken.id)).toMatchObject({ status: 'sent', carrier_id: carrierId });
    expect(await rowOf(taken.id)).toMatchObject({ status: 'queued' });
    await receive(taken.id, carrierId, 'delivered');
    expect(await rowOf(untaken.id)).toMatchObject({ status: 'delivered' });
    expect(await rowOf(taken.id)).toMatchObject({ status: 'queued', carrier_id: null });
    await core.get(DispatchMessage).dispatch(taken.id);
    expect(await rowOf(taken.id)).toMatchObject({ status: 'sent' });
    expect(core.carrier.records).toHaveLength(2);
  });

  it('gets its own receipt when one of a carrier message that was matched to an equal one arrives with it', async () => {
    const [taken, untaken] = [await ambiguous('lost', 'Hello', 90), await ambiguous('nothing', 'Hello', 40)];
    const [matched = ''] = carriedOf(taken.id);
    await recover();
    await core.get(DispatchMessage).dispatch(taken.id);
    const own = carriedOf(taken.id).find((carrierId) => carrierId !== matched) ?? '';
    await Promise.all([matched, own].map((carrierId) => receive(taken.id, carrierId, 'delivered')));
    expect(await rowOf(untaken.id)).toMatchObject({ status: 'delivered', carrier_id: matched });
    expect(await rowOf(taken.id)).toMatchObject({ status: 'delivered', carrier_id: own });
  });

  it('is looked up when its response arrives after the carrier message was matched to an equal one', async () => {
    const [taken, untaken] = [await ambiguous('lost', 'Hello', 90), await ambiguous('nothing', 'Hello', 40)];
    const [carrierId = ''] = carriedOf(taken.id);
    await bed.database.sql(
      `UPDATE message_checks SET due_at = now() + interval '1 minute' WHERE $1 = ANY (message_ids)`,
      [taken.id],
    );
    await recover();
    expect(await rowOf(untaken.id)).toMatchObject({ status: 'sent', carrier_id: carrierId });
    await core.get(StatusUpdates).apply({ id: taken.id, status: 'sent', carrierId });
    expect(await rowOf(taken.id)).toMatchObject({ status: 'sending', carrier_id: null });
    await makeDue(taken.id);
    await recover();
    expect(await rowOf(taken.id)).toMatchObject({ status: 'queued' });
  });

  it.each([
    [60, 30],
    [600, 300],
    [3_600, 600],
  ])('stays sending while the lookup fails; %i s after the claim the next one is in %i s', async (age, wait) => {
    const { id } = await ambiguous('lost', 'Hello', age);
    core.carrier.deaf = true;
    await recover();
    const row = await rowOf(id);
    expect(row).toMatchObject({ status: 'sending', refunded: 0 });
    expect(Math.abs(Number(row?.due_seconds) - wait)).toBeLessThan(10);
    expect(await core.get(Metrics).registry.getSingleMetricAsString('pennytext_carrier_lookups_total')).toMatch(
      /outcome="failed",process="worker"\} [1-9]/,
    );
    core.carrier.deaf = false;
    await makeDue(id);
    await recover();
    expect(await rowOf(id)).toMatchObject({ status: 'sent' });
  });

  it('fails and is refunded after a day of failed lookups, and is never sent again', async () => {
    const { id } = await ambiguous('lost', 'Hello', 86_400 + 60);
    core.carrier.deaf = true;
    await recover();
    expect(await rowOf(id)).toMatchObject({ status: 'failed', error_code: 'carrier_unavailable', refunded: 1 });
    expect(await moneyOf(bed.database, account.id)).toMatchObject({ balance: 1_000 });
    await core.get(DispatchMessage).dispatch(id);
    expect(core.carrier.records).toHaveLength(1);
  });

  it('leaves its match for a week', async () => {
    await bed.database.sql(
      `INSERT INTO carrier_matches (carrier_id, message_id, matched_at)
       VALUES ('old', gen_random_uuid(), now() - interval '7 days 1 minute'), ('young', gen_random_uuid(),
         now() - interval '6 days')`,
    );
    await core.get(MessageRetention).run();
    expect(
      await bed.database.sql(`SELECT carrier_id FROM carrier_matches WHERE carrier_id IN ('old', 'young')`),
    ).toEqual([{ carrier_id: 'young' }]);
  });

  it('is read by statements whose rows have their types', async () => {
    const [first, second] = [await ambiguous('nothing'), await ambiguous('nothing')];
    const postgres = core.get(Postgres);
    const unsettled = z.strictObject({
      id: z.uuid(),
      sender: z.string(),
      text: z.string(),
      files: z.int(),
      attempts: z.int(),
      waitsSince: z.date(),
      claimedAt: z.date(),
      leaseOver: z.boolean(),
    });
    const rows = await postgres.query(unsettledStatement, [RECIPIENT, first.id, 30, 1]);
    expect(
      z
        .array(unsettled)
        .parse(rows)
        .map(({ id }) => id),
    ).toContain(second.id);
    const due = z.object({ id: z.uuid(), waitsSince: z.date(), claimedAt: z.date(), leaseOver: z.boolean() });
    expect(z.array(due).parse(await postgres.query(takeChecksStatement, [30, 500]))).toHaveLength(2);
    await bed.database.sql(`INSERT INTO carrier_matches (carrier_id, message_id) VALUES ('one', $1)`, [first.id]);
    const matched = z.strictObject({ carrierId: z.string(), messageId: z.uuid() });
    expect(z.array(matched).parse(await postgres.query(matchedStatement, [['one', 'two']]))).toEqual([
      { carrierId: 'one', messageId: first.id },
    ]);
  });
});
