import { z } from 'zod';
import { Config } from '../../platform/config/config.js';
import { Postgres } from '../../platform/database/postgres.js';
import { Metrics } from '../../platform/telemetry/metrics.js';
import { publicMessageId } from '../../rules/ids.js';
import { ApiKeys } from '../../keys/api-keys.js';
import { Senders } from '../senders/senders.js';
import { acceptanceRow } from '../../testing/acceptance-rows.js';
import { DispatchQueue } from '../../platform/queue/queues.js';
import { eventually } from '../../testing/eventually.js';
import { FakeCarrier } from '../../testing/fake-carrier.js';
import { moneyFaults } from '../../testing/money.js';
import { SECOND_CARRIER, SECOND_SENDER, secondCarrier, withSecondCarrier } from '../../testing/second-carrier.js';
import { WebhookDeliveries } from '../../webhooks/webhook-deliveries.js';
import { WebhookEndpoints } from '../../webhooks/endpoints/webhook-endpoints.js';
import { createTestAccount, type TestAccount } from '../../testing/test-accounts.js';
import { createTestBed, type TestBed } from '../../testing/test-bed.js';
import { createTestCore, type TestCore } from '../../testing/test-core.js';
import { DispatchMessage } from '../dispatch/dispatch-message.js';
import { DispatchPauses } from '../dispatch/dispatch-pauses.js';
import { MessageRecords } from '../history/message-record.js';
import { Messages } from '../history/messages.js';
import { RecoverMessages } from '../recovery/recover-messages.js';
import { OtpPayloads } from '../store/otp-payloads.js';
import { Acceptance } from '../send/acceptance.js';
import type { AcceptanceRow } from '../send/acceptance-batch.js';
import { CancelMessage } from '../status/cancel-message.js';
import { RecordReceipt } from '../status/record-receipt.js';
import { updateStatusStatement } from '../status/status-updates.js';
import type { CarrierStatus } from '../../carriers/carrier.js';
import type { RecordedAttempt } from './message-attempts.js';
import { attemptReceiptsStatement, rerouteStatement } from './message-attempts.sql.js';
import { Reroute } from './reroute.js';

const FIRST_SENDER = '+15005550006';
const FIRST_CARRIER = 1;
/** Codes of Twilio: above the price limit, landline, unregistered sender, opted out. */
const [OF_ROUTE, OF_NUMBER, OF_SENDER, OPTED_OUT] = [30_010, 30_006, 30_034, 21_610];
const HUGE_CODE = 0xffff_ffff;

describe('With another route', () => {
  let bed: TestBed;
  let core: TestCore;
  let second: FakeCarrier;
  let account: TestAccount;

  beforeAll(async () => {
    bed = await createTestBed();
  });

  beforeEach(async () => {
    await bed.database.sql('DELETE FROM carrier_pauses');
    await bed.database.sql('DELETE FROM message_checks');
    await bed.database.sql('DELETE FROM carrier_matches');
    // The carriers of each test count their ids from one.
    await bed.database.sql(`UPDATE messages SET status = 'delivered', carrier_id = NULL`);
    await bed.database.sql('DELETE FROM message_attempts');
    second = secondCarrier();
    core = await createTestCore(withSecondCarrier(bed.config({ FAST_HEDGES_PERCENT: '100' })), [second]);
    account = await createTestAccount(core, { credits: 100 });
  });

  afterEach(async () => {
    await core.close();
    expect(await moneyFaults(bed.database)).toEqual([]);
  });

  afterAll(() => bed?.remove());

  async function accept(changes: Partial<AcceptanceRow> = {}): Promise<string> {
    const row = acceptanceRow(core, account.apiKey, { sender: FIRST_SENDER, ...changes });
    expect((await core.get(Acceptance).decide(row)).kind).toBe('accepted');
    return row.id;
  }
  const fast = { timing: { sendAt: null, validitySeconds: null, hedgeSeconds: 20 } };
  const dispatch = (id: string) => core.get(DispatchMessage).dispatch(id);
  const rowOf = async (id: string) => (await bed.database.sql('SELECT * FROM messages WHERE id = $1', [id]))[0];
  /** Returns the attempts of the record; the message's view and its record count them. */
  async function attemptsOf(id: string) {
    const record = await core.get(MessageRecords).show(account.id, publicMessageId(id));
    const view = await core.get(Messages).find(account.id, publicMessageId(id));
    expect([record.attempts, view.attempts]).toEqual([record.attempt_list.length, record.attempt_list.length]);
    return record.attempt_list.map(({ route, reason, outcome, receipt }) => [route, reason, outcome, receipt]);
  }
  const receipt = (carrier: number, id: string, status: CarrierStatus, carrierError: number | null = null) => {
    const records = carrier === FIRST_CARRIER ? core.carrier.records : second.records;
    const carrierId = records.find(({ messageId }) => messageId === id)?.carrierId ?? '';
    return core.get(RecordReceipt).record({ carrier, messageId: publicMessageId(id), carrierId, status, carrierError });
  };
  /** Makes the message's checks of a kind due and runs recovery. */
  async function recover(id: string, kind: 'hedge' | 'claimed' | 'settle'): Promise<void> {
    await bed.database.sql(`UPDATE messages SET claimed_at = now() - interval '5 minutes' WHERE id = $1`, [id]);
    await bed.database.sql(`UPDATE message_checks SET due_at = now() WHERE $1 = ANY (message_ids) AND kind = $2`, [
      id,
      kind,
    ]);
    await core.get(RecoverMessages).run();
  }
  const sent = () => [core.carrier.calls.length, second.calls.length];

  it.each(['unavailable', 'suspended'] as const)('goes there at once if the first is %s', async (answer) => {
    const id = await accept();
    core.carrier.next(answer);
    await dispatch(id);
    expect(await rowOf(id)).toMatchObject({ status: 'queued', sender: SECOND_SENDER });
    expect(await attemptsOf(id)).toEqual([['r1', 'first', 'not_taken', null]]);
    await dispatch(id);
    await receipt(SECOND_CARRIER, id, 'delivered');
    expect(await rowOf(id)).toMatchObject({
      status: 'delivered',
      carrier: SECOND_CARRIER,
      refunded: 0,
      counted_on: expect.anything(),
    });
    expect(await attemptsOf(id)).toEqual([
      ['r1', 'first', 'not_taken', null],
      ['r2', 'not_taken', 'accepted', 'delivered'],
    ]);
    expect((await core.get(Metrics).reroutes.get()).values).toMatchObject([
      { labels: { reason: 'not_taken' }, value: 1 },
    ]);
  });

  it('goes there within 17 s also if the queue has lost its job', async () => {
    // The first run finds a new queue and checks all messages.
    await core.get(RecoverMessages).run();
    const id = await accept();
    core.carrier.next('unavailable');
    await dispatch(id);
    const enqueued = jest.spyOn(core.get(DispatchQueue), 'enqueued');
    await bed.database.sql(`DELETE FROM message_checks WHERE kind = 'queued'`);
    await bed.database.sql(`UPDATE message_checks SET due_at = due_at - interval '17 seconds'`);
    await core.get(RecoverMessages).run();
    expect(enqueued.mock.calls).toMatchObject([[{ id, requeued: true }]]);
  });

  it('goes there after a failure that its carrier reports before its answer has come', async () => {
    const id = await accept();
    core.carrier.next('lost');
    await dispatch(id);
    await receipt(FIRST_CARRIER, id, 'failed', OF_ROUTE);
    expect(await rowOf(id)).toMatchObject({ status: 'queued', sender: SECOND_SENDER });
    expect(await attemptsOf(id)).toEqual([['r1', 'first', 'accepted', 'failed']]);
  });

  it('goes there while the first is paused, without a hand-over to it', async () => {
    const met = await accept();
    core.carrier.next('suspended');
    await dispatch(met);
    const id = await accept();
    await dispatch(id);
    await dispatch(id);
    expect(await rowOf(id)).toMatchObject({ status: 'sent', carrier: SECOND_CARRIER });
    expect(await attemptsOf(id)).toEqual([['r1', 'route_paused', 'accepted', null]]);
    expect(sent()).toEqual([1, 1]);
    await core.get(DispatchPauses).end(FIRST_CARRIER, false);
    second.next('suspended');
    await dispatch(await accept({ sender: SECOND_SENDER }));
    const other = await accept({ sender: SECOND_SENDER });
    await dispatch(other);
    expect(await rowOf(other)).toMatchObject({ status: 'queued', sender: FIRST_SENDER });
  });

  it('goes there after a failure of the route, and not after one of the number', async () => {
    const [one, two] = [await accept(), await accept()];
    await dispatch(one);
    await dispatch(two);
    await receipt(FIRST_CARRIER, one, 'undelivered', OF_ROUTE);
    await receipt(FIRST_CARRIER, two, 'undelivered', OF_NUMBER);
    expect(await rowOf(one)).toMatchObject({ status: 'queued', refunded: 0 });
    expect(await rowOf(two)).toMatchObject({ status: 'undelivered', refunded: 1 });
    // The first carrier repeats itself.
    await receipt(FIRST_CARRIER, one, 'undelivered', OF_ROUTE);
    await dispatch(one);
    await receipt(FIRST_CARRIER, one, 'undelivered', OF_ROUTE);
    expect(await rowOf(one)).toMatchObject({ status: 'sent', carrier: SECOND_CARRIER });
    await receipt(SECOND_CARRIER, one, 'undelivered');
    expect(await rowOf(one)).toMatchObject({ status: 'undelivered', refunded: 1 });
    expect(await attemptsOf(one)).toEqual([
      ['r1', 'first', 'accepted', 'undelivered'],
      ['r2', 'route_failed', 'accepted', 'undelivered'],
    ]);
  });

  it('tells the account’s webhook, once for each change, and of the hand-over to a carrier once', async () => {
    const types = ['message.sent', 'message.rerouted'] as const;
    await core.get(WebhookEndpoints).setUrl(account.id, 'https://example.com/sms');
    await core.get(WebhookEndpoints).setEvents(account.id, types);
    const id = await accept({ ...fast, reference: 'mine' });
    await dispatch(id);
    await recover(id, 'hedge');
    await dispatch(id);
    const deliveries = 'SELECT type, body FROM webhook_deliveries WHERE account_id = $1 ORDER BY id';
    const told = await bed.database.sql<{ type: string; body: string }>(deliveries, [account.id]);
    expect(told.map(({ type }) => type)).toEqual(types);
    expect(JSON.parse(told[1]?.body ?? '')).toMatchObject({
      type: 'message.rerouted',
      data: {
        message_id: publicMessageId(id),
        status: 'queued',
        reference: 'mine',
        delivery: 'fast',
        attempt: 2,
        reason: 'slow',
      },
    });
  });

  /** Two equal messages, each with the carrier's id of the other. */
  async function mismatched() {
    const [one, two] = [await accept(), await accept()];
    core.carrier.next('lost', 'lost');
    await dispatch(one);
    await dispatch(two);
    const [first, other] = core.carrier.records.map(({ carrierId }) => carrierId);
    await bed.database.sql(`UPDATE messages SET status = 'sent', carrier_id = $2, sent_at = now() WHERE id = $1`, [
      one,
      other,
    ]);
    await bed.database.sql(`UPDATE messages SET status = 'sent', carrier_id = $2, sent_at = now() WHERE id = $1`, [
      two,
      first,
    ]);
    await bed.database.sql('INSERT INTO carrier_matches (carrier_id, message_id) VALUES ($1, $2), ($3, $4)', [
      other,
      one,
      first,
      two,
    ]);
    return { one, two, first, other };
  }

  it('a failure of a carrier message that was matched to an equal message of ours is none of this one', async () => {
    const { one, two, other } = await mismatched();
    await receipt(FIRST_CARRIER, one, 'undelivered', OF_ROUTE);
    expect(await rowOf(one)).toMatchObject({ status: 'sent', carrier_id: other });
    expect(await rowOf(two)).toMatchObject({ status: 'undelivered', refunded: 1 });
    expect(sent()).toEqual([2, 0]);
  });

  it('the cost of a carrier message that was matched to an equal message of ours is that one’s alone', async () => {
    const { one, two, first = '' } = await mismatched();
    const ended = { carrierId: first, status: 'delivered', carrierError: null, costMicrousd: 4_000n } as const;
    await core.get(RecordReceipt).record({ carrier: FIRST_CARRIER, messageId: publicMessageId(one), ...ended });
    const costs = 'SELECT message_id FROM message_costs WHERE account_id = $1';
    expect(await bed.database.sql(costs, [account.id])).toEqual([{ message_id: two }]);
  });

  describe('delivered once', () => {
    it('a message in doubt is not handed over again', async () => {
      const id = await accept();
      core.carrier.next('lost');
      await dispatch(id);
      expect(await rowOf(id)).toMatchObject({ status: 'sending', sender: FIRST_SENDER });
      expect(await bed.database.sql(`SELECT FROM message_checks WHERE kind = 'hedge'`)).toEqual([]);
      await recover(id, 'claimed');
      expect(sent()).toEqual([1, 0]);
    });

    it('is handed over three times at most', async () => {
      const id = await accept();
      for (const carrier of [core.carrier, second, core.carrier]) carrier.next('unavailable');
      for (let n = 0; n < 3; n += 1) await dispatch(id);
      expect(await attemptsOf(id)).toEqual([
        ['r1', 'first', 'not_taken', null],
        ['r2', 'not_taken', 'not_taken', null],
        ['r1', 'not_taken', 'not_taken', null],
      ]);
      await dispatch(id);
      expect(await rowOf(id)).toMatchObject({ status: 'sent', carrier: null });
      expect(sent()).toEqual([3, 1]);
    });
  });

  it('every change is found among the webhooks by the message’s id, and is in its record', async () => {
    await core.get(WebhookEndpoints).setUrl(account.id, 'https://example.com/sms');
    await core.get(WebhookEndpoints).setEvents(account.id, ['message.rerouted']);
    const [id, other] = [await accept(), await accept()];
    for (const carrier of [core.carrier, second, core.carrier]) carrier.next('unavailable');
    for (let n = 0; n < 3; n += 1) await dispatch(id);
    core.carrier.next('unavailable');
    await dispatch(other);
    const messageId = publicMessageId(id);
    const webhooks = core.get(WebhookDeliveries);
    const attemptsIn = (bodies: readonly { readonly body: string }[]) =>
      bodies.map(({ body }) => {
        const { data } = JSON.parse(body) as { data: { message_id: string; attempt: number } };
        return [data.message_id, data.attempt];
      });
    for (const query of [
      { message: messageId },
      { search: messageId },
      { search: messageId, type: 'message.rerouted' as const },
    ]) {
      const { deliveries } = await webhooks.list(account.id, query);
      expect(deliveries.map(({ about }) => about.messageId)).toEqual([messageId, messageId]);
    }
    const { webhooks: recorded } = await webhooks.recordOf(account.id, id);
    expect(attemptsIn(recorded)).toEqual([
      [messageId, 2],
      [messageId, 3],
    ]);
  });

  describe('delivered fast', () => {
    it('a message in doubt is handed over again, and the receipt of either settles it', async () => {
      const [one, two] = [await accept(fast), await accept(fast)];
      core.carrier.next('lost', 'lost');
      for (const id of [one, two]) {
        await dispatch(id);
        await dispatch(id);
        expect(await rowOf(id)).toMatchObject({ status: 'sent', carrier: SECOND_CARRIER });
      }
      await receipt(FIRST_CARRIER, one, 'delivered');
      await receipt(SECOND_CARRIER, two, 'delivered');
      expect(await rowOf(one)).toMatchObject({ status: 'delivered', carrier: null, sender: FIRST_SENDER });
      expect(await rowOf(two)).toMatchObject({ status: 'delivered', carrier: SECOND_CARRIER });
      await receipt(SECOND_CARRIER, one, 'delivered');
      expect(await attemptsOf(one)).toEqual([
        ['r1', 'first', 'accepted', 'delivered'],
        ['r2', 'doubtful', 'accepted', 'delivered'],
      ]);
    });

    it('a message without a receipt in time is handed over again, once', async () => {
      const id = await accept(fast);
      await dispatch(id);
      await recover(id, 'hedge');
      expect(await rowOf(id)).toMatchObject({ status: 'queued', sender: SECOND_SENDER });
      await dispatch(id);
      await recover(id, 'hedge');
      expect(await rowOf(id)).toMatchObject({ status: 'sent', carrier: SECOND_CARRIER });
      expect(sent()).toEqual([1, 1]);
      expect(await attemptsOf(id)).toEqual([
        ['r1', 'first', 'accepted', null],
        ['r2', 'slow', 'accepted', null],
      ]);
    });

    it('of the messages of a day one in five is handed over again, codes apart', async () => {
      const bounded = await createTestCore(withSecondCarrier(bed.config()), [secondCarrier()]);
      const leave = (id: string) =>
        bounded.get(Reroute).leaveInDoubt(id, { reason: 'slow', outcome: 'accepted', from: ['sent'] });
      try {
        const ids: string[] = [];
        for (let n = 0; n < 6; n += 1) ids.push(await accept(fast));
        const code = await accept({ ...fast, kind: 'otp' });
        const payload = { messageId: code, text: 'Your code is 123456.', usefulSeconds: 600 };
        await core.get(Postgres).transaction((tx) => core.get(OtpPayloads).keep(tx, [payload]));
        for (const id of [...ids, code]) await dispatch(id);
        const left: boolean[] = [];
        for (const id of ids) left.push(await leave(id));
        // A fifth of seven, rounded up.
        expect(left).toEqual([true, true, false, false, false, false]);
        expect(await rowOf(ids[2] ?? '')).toMatchObject({ status: 'sent', carrier: null, sender: FIRST_SENDER });
        expect(await attemptsOf(ids[2] ?? '')).toHaveLength(1);
        expect(await leave(code)).toBe(true);
      } finally {
        await bounded.close();
      }
    });

    it('an answer that comes after the next hand-over has begun is not taken for its own', async () => {
      const id = await accept(fast);
      core.carrier.next(async (message) => {
        await recover(id, 'hedge');
        return { kind: 'accepted', carrierId: core.carrier.take(message).carrierId };
      });
      await dispatch(id);
      expect(await rowOf(id)).toMatchObject({ status: 'queued', sender: SECOND_SENDER, carrier_id: null });
      await dispatch(id);
      await receipt(FIRST_CARRIER, id, 'undelivered', OF_NUMBER);
      expect(await rowOf(id)).toMatchObject({ status: 'sent', carrier: SECOND_CARRIER, refunded: 0 });
      expect(await attemptsOf(id)).toEqual([
        ['r1', 'first', 'doubtful', 'undelivered'],
        ['r2', 'doubtful', 'accepted', null],
      ]);
    });

    it('a message that was delivered in time is not', async () => {
      const id = await accept(fast);
      await dispatch(id);
      await receipt(FIRST_CARRIER, id, 'delivered');
      await recover(id, 'hedge');
      expect(sent()).toEqual([1, 0]);
    });

    it('is refunded only when no hand-over ends delivered', async () => {
      const [one, two] = [await accept(fast), await accept(fast)];
      for (const id of [one, two]) {
        await dispatch(id);
        await recover(id, 'hedge');
        await dispatch(id);
        await receipt(SECOND_CARRIER, id, 'undelivered', OF_NUMBER);
        expect(await rowOf(id)).toMatchObject({ status: 'sent', carrier: null, sender: FIRST_SENDER, refunded: 0 });
      }
      await receipt(FIRST_CARRIER, one, 'delivered');
      await receipt(FIRST_CARRIER, two, 'undelivered', OF_NUMBER);
      expect(await rowOf(one)).toMatchObject({ status: 'delivered', refunded: 0 });
      expect(await rowOf(two)).toMatchObject({ status: 'undelivered', refunded: 1 });
      await receipt(SECOND_CARRIER, two, 'delivered');
      expect(await rowOf(two)).toMatchObject({ status: 'undelivered', refunded: 1 });
      const days = `SELECT sum(sent) OVER () AS sent, reason, messages FROM delivery_days
        WHERE account_id = $1 ORDER BY reason`;
      expect(await bed.database.sql(days, [account.id])).toEqual([
        { sent: '0', reason: '', messages: '1' },
        { sent: '0', reason: String(OF_NUMBER), messages: '1' },
      ]);
    });

    it('a message in doubt is looked up when the next hand-over fails', async () => {
      const [one, two] = [await accept(fast), await accept(fast)];
      core.carrier.next('lost', 'nothing');
      for (const id of [one, two]) {
        await dispatch(id);
        second.next({ refuse: 40_310 });
        await dispatch(id);
        expect(await rowOf(id)).toMatchObject({ status: 'sending', carrier: null, refunded: 0 });
        await recover(id, 'claimed');
      }
      expect(await rowOf(one)).toMatchObject({ status: 'sent', carrier: null });
      expect(await rowOf(two)).toMatchObject({ status: 'queued', sender: FIRST_SENDER });
    });

    it('is delivered if the carrier of an earlier hand-over knows so, while the later one is in doubt', async () => {
      const id = await accept(fast);
      await dispatch(id);
      await recover(id, 'hedge');
      second.next('nothing');
      second.deaf = true;
      await dispatch(id);
      core.carrier.end(core.carrier.records[0]?.carrierId ?? '', 'delivered');
      await recover(id, 'settle');
      expect(await rowOf(id)).toMatchObject({ status: 'delivered', carrier: null, sender: FIRST_SENDER, refunded: 0 });
    });

    it('an opt-out that the carrier of an earlier hand-over reports late holds, and its code is kept', async () => {
      const id = await accept(fast);
      await dispatch(id);
      await recover(id, 'hedge');
      await dispatch(id);
      await receipt(FIRST_CARRIER, id, 'undelivered', OPTED_OUT);
      expect(await rowOf(id)).toMatchObject({ status: 'sent', carrier: SECOND_CARRIER });
      expect(await bed.database.sql('DELETE FROM opt_outs RETURNING sender')).toEqual([{ sender: FIRST_SENDER }]);
      expect(
        await bed.database.sql('SELECT carrier_error FROM message_attempts WHERE message_id = $1 AND n = 1', [id]),
      ).toEqual([{ carrier_error: OPTED_OUT }]);
    });

    it('records all receipts of a batch that name earlier hand-overs, also several of one message', async () => {
      const ids = [];
      for (let n = 0; n < 3; n += 1) {
        const id = await accept(fast);
        await dispatch(id);
        await recover(id, 'hedge');
        await dispatch(id);
        ids.push(id);
      }
      const [one = '', two = '', three = ''] = ids;
      await Promise.all([
        receipt(FIRST_CARRIER, one, 'sent'),
        receipt(FIRST_CARRIER, two, 'undelivered', OF_NUMBER),
        receipt(FIRST_CARRIER, one, 'undelivered', OF_ROUTE),
        receipt(FIRST_CARRIER, one, 'undelivered', OF_NUMBER),
        receipt(SECOND_CARRIER, three, 'delivered'),
      ]);
      const attempts = `SELECT message_id, receipt, carrier_error FROM message_attempts
        WHERE message_id = ANY ($1::uuid[]) AND NOT current ORDER BY message_id`;
      expect(await bed.database.sql(attempts, [ids])).toEqual([
        { message_id: one, receipt: 'undelivered', carrier_error: OF_ROUTE },
        { message_id: two, receipt: 'undelivered', carrier_error: OF_NUMBER },
        { message_id: three, receipt: null, carrier_error: null },
      ]);
      expect(await rowOf(three)).toMatchObject({ status: 'delivered', carrier: SECOND_CARRIER });
      const carrierId = core.carrier.records.find(({ messageId }) => messageId === one)?.carrierId;
      const values = [[one], [FIRST_CARRIER], [carrierId], ['sent'], [null]];
      const row: z.ZodType<RecordedAttempt> = z.strictObject({
        id: z.uuid(),
        n: z.int(),
        sender: z.string(),
        recipient: z.string(),
      });
      expect(row.parse((await bed.database.sql(attemptReceiptsStatement.text, values))[0])).toMatchObject({ n: 1 });
    });

    it('keeps no code that no column takes, of an earlier hand-over and of one that is taken back', async () => {
      const id = await accept(fast);
      await dispatch(id);
      await recover(id, 'hedge');
      second.next({ refuse: HUGE_CODE });
      await dispatch(id);
      expect(await rowOf(id)).toMatchObject({ status: 'sent', carrier: null });
      const other = await accept(fast);
      await dispatch(other);
      await recover(other, 'hedge');
      await dispatch(other);
      await receipt(FIRST_CARRIER, other, 'undelivered', HUGE_CODE);
      const codes = `SELECT n, receipt, carrier_error FROM message_attempts
        WHERE message_id = ANY ($1::uuid[]) AND NOT current`;
      expect(await bed.database.sql(`${codes} ORDER BY message_id`, [[id, other]])).toEqual([
        { n: 2, receipt: null, carrier_error: null },
        { n: 1, receipt: 'undelivered', carrier_error: null },
      ]);
    });

    it('asks the carrier of an earlier hand-over, although that of another one cannot be asked', async () => {
      const id = await accept(fast);
      await dispatch(id);
      await recover(id, 'hedge');
      await dispatch(id);
      const known = core.carrier.records[0]?.carrierId ?? '';
      core.carrier.end(known, 'delivered');
      // Adds an earlier attempt by a third route, whose carrier does not answer.
      await bed.database.sql('UPDATE message_attempts SET n = n + 10 WHERE message_id = $1', [id]);
      await bed.database.sql(
        `INSERT INTO message_attempts
           (account_id, message_id, n, current, carrier, sender, reason, handed_at, outcome, carrier_id)
         VALUES ($1, $2, 1, false, $3, $4, 'first', now(), 'accepted', 'other')`,
        [account.id, id, SECOND_CARRIER, SECOND_SENDER],
      );
      second.deaf = true;
      await bed.database.sql(`UPDATE messages SET sent_at = now() - interval '5 minutes' WHERE id = $1`, [id]);
      await recover(id, 'claimed');
      expect(await rowOf(id)).toMatchObject({ status: 'delivered', carrier: null, sender: FIRST_SENDER });
    });

    it('has its states in order of time', async () => {
      const id = await accept(fast);
      await dispatch(id);
      await recover(id, 'hedge');
      await dispatch(id);
      const { transitions } = await core.get(MessageRecords).show(account.id, publicMessageId(id));
      const times = transitions.map(({ at }) => at);
      expect(times).toEqual(times.toSorted());
      expect(times).toHaveLength(3);
    });

    it('a one-time password that was entered, or goes by its next channel, is not sent again', async () => {
      const otp = { ...fast, kind: 'otp' } as const;
      const ids = [await accept(otp), await accept(otp), await accept(otp)];
      await core.get(Postgres).transaction((tx) =>
        core.get(OtpPayloads).keep(
          tx,
          ids.map((messageId) => ({ messageId, text: 'Your code is 123456.', usefulSeconds: 600 })),
        ),
      );
      for (const [n, id] of ids.entries()) {
        await bed.database.sql(
          `INSERT INTO otp_codes (id, account_id, recipient, code_hash, digits, state, expires_at, ended_at, forget_at)
           VALUES ($1, $2, '+14155552671', sha256($3::text::bytea), 6, $4, now() + interval '5 minutes',
             CASE WHEN $4 = 'live' THEN NULL ELSE now() END, now() + interval '1 day')`,
          [id, account.id, id, n === 0 ? 'used' : 'live'],
        );
        await bed.database.sql('UPDATE messages SET step = $2 WHERE id = $1', [id, n === 0 ? null : 1]);
        await bed.database.sql('UPDATE otp_codes SET step = $2 WHERE id = $1', [id, n === 0 ? null : n]);
        await dispatch(id);
        await recover(id, 'hedge');
      }
      expect(await Promise.all(ids.map(rowOf))).toMatchObject([
        { status: 'sent', sender: FIRST_SENDER },
        { status: 'queued', sender: SECOND_SENDER },
        { status: 'sent', sender: FIRST_SENDER },
      ]);
    });

    it('a batch that is canceled counts only what is canceled', async () => {
      const id = await accept(fast);
      await dispatch(id);
      await recover(id, 'hedge');
      const numbers = { first: 1, below: 1_000 };
      expect(await core.get(CancelMessage).cancelBatch(account.id, numbers)).toBe(0);
      expect(await rowOf(id)).toMatchObject({ status: 'sent', refunded: 0 });
    });

    it('cannot be canceled while a hand-over may end delivered', async () => {
      const id = await accept(fast);
      await dispatch(id);
      await recover(id, 'hedge');
      await expect(core.get(CancelMessage).cancel(account.id, publicMessageId(id))).rejects.toThrow();
      expect(await rowOf(id)).toMatchObject({ status: 'sent', sender: FIRST_SENDER, refunded: 0 });
      expect(await attemptsOf(id)).toEqual([['r1', 'first', 'accepted', null]]);
    });
  });

  describe('and a third one', () => {
    const thirdSender = '+15005550077';
    let third: FakeCarrier;

    beforeEach(async () => {
      await core.close();
      const config = withSecondCarrier(bed.config());
      third = new FakeCarrier('third', 3, true);
      const settings = { name: 'third', number: 3, senders: [thirdSender], countrySenders: new Map() };
      const withThree = Object.assign(Object.create(Config.prototype) as Config, config, {
        carriers: [...config.carriers, settings],
      });
      core = await createTestCore(withThree, [second, third]);
    });

    afterEach(() => bed.database.sql('DELETE FROM routes'));

    it('one that has not been tried comes before one that has, whichever would be chosen', async () => {
      const next = new Set<unknown>();
      for (let n = 0; n < 8; n += 1) {
        const id = await accept({ recipient: `+1415555267${n}` });
        for (const carrier of [core.carrier, second, third]) carrier.next('unavailable');
        await dispatch(id);
        const chosen = (await rowOf(id))?.sender;
        await dispatch(id);
        expect((await rowOf(id))?.sender).toBe(chosen === thirdSender ? SECOND_SENDER : thirdSender);
        next.add(chosen);
      }
      expect(next).toEqual(new Set([SECOND_SENDER, thirdSender]));
    });

    it('the others share the messages of one that fails', async () => {
      await bed.database.sql(
        `INSERT INTO routes (country, carrier, resting_weight, weight)
         SELECT 'US', n, 50, 50 FROM generate_series(1, 3) n`,
      );
      const key = core.get(ApiKeys).parse(account.apiKey);
      const counts = new Map<unknown, number>();
      for (let n = 0; n < 60; n += 1) {
        const recipient = `+14155552${100 + n}`;
        if ((await core.get(Senders).senderFor(key, recipient, 'US')) !== FIRST_SENDER) continue;
        const id = await accept({ recipient });
        core.carrier.next('unavailable');
        await dispatch(id);
        const next = (await rowOf(id))?.sender;
        counts.set(next, (counts.get(next) ?? 0) + 1);
      }
      expect(counts.get(SECOND_SENDER)).toBeGreaterThan(1);
      expect(counts.get(thirdSender)).toBeGreaterThan(1);
    });
  });

  it('accounts whose messages to a person move there get senders of their own, as far as there are some', async () => {
    await core.close();
    const other = '+15005550009';
    core = await createTestCore(withSecondCarrier(bed.config({ TWILIO_SENDERS: `${FIRST_SENDER},${other}` })), [
      second,
    ]);
    const recipient = '+14155552699';
    const ids = [await accept({ sender: SECOND_SENDER, recipient })];
    account = await createTestAccount(core, { credits: 100 });
    ids.push(await accept({ sender: SECOND_SENDER, recipient }));
    second.next('unavailable', 'unavailable');
    for (const id of ids) await dispatch(id);
    const senders = (await Promise.all(ids.map(rowOf))).map((row) => row?.sender);
    expect(new Set(senders)).toEqual(new Set([FIRST_SENDER, other]));
  });

  it('a sender that the carrier refuses is replaced by another one of the same route, once', async () => {
    await core.close();
    const other = '+15005550009';
    core = await createTestCore(withSecondCarrier(bed.config({ TWILIO_SENDERS: `${FIRST_SENDER},${other}` })), [
      second,
    ]);
    const id = await accept();
    core.carrier.next({ refuse: OF_SENDER }, { refuse: OF_SENDER });
    await dispatch(id);
    expect(await rowOf(id)).toMatchObject({ status: 'queued', sender: other });
    await dispatch(id);
    expect(await rowOf(id)).toMatchObject({ status: 'failed', carrier_error: OF_SENDER, refunded: 1 });
    expect(second.calls).toEqual([]);
  });

  it('a message in doubt whose sender is refused gets no other: one receipt could be of either', async () => {
    await core.close();
    core = await createTestCore(withSecondCarrier(bed.config({ TWILIO_SENDERS: `${FIRST_SENDER},+15005550009` })), [
      second,
    ]);
    const id = await accept();
    core.carrier.next('lost');
    await dispatch(id);
    await receipt(FIRST_CARRIER, id, 'undelivered', OF_SENDER);
    expect(await rowOf(id)).toMatchObject({ status: 'undelivered', sender: FIRST_SENDER, refunded: 1 });
  });

  it('the receipt of an earlier hand-over to the same carrier is that one’s alone', async () => {
    const earlier = `SM${'e'.repeat(32)}`;
    const earlierReceipt = (id: string, status: CarrierStatus) =>
      core.get(RecordReceipt).record({
        carrier: FIRST_CARRIER,
        messageId: publicMessageId(id),
        carrierId: earlier,
        status,
        carrierError: null,
      });
    const id = await accept();
    await dispatch(id);
    await bed.database.sql(
      `INSERT INTO message_attempts
         (account_id, message_id, n, current, carrier, sender, reason, handed_at, outcome, carrier_id)
       SELECT account_id, id, 1, false, $2, sender, 'first', claimed_at, 'accepted', $3 FROM messages WHERE id = $1`,
      [id, FIRST_CARRIER, earlier],
    );
    await earlierReceipt(id, 'undelivered');
    expect(await rowOf(id)).toMatchObject({ status: 'sent', refunded: 0 });
    await bed.database.sql('UPDATE message_attempts SET receipt = NULL WHERE message_id = $1', [id]);
    await earlierReceipt(id, 'delivered');
    expect(await rowOf(id)).toMatchObject({ status: 'delivered', carrier_id: earlier });
  });

  it('a receipt that comes while the message is given to another route settles it', async () => {
    const id = await accept();
    await dispatch(id);
    const [before] = await bed.database.sql<{ attempts: number }>('SELECT attempts FROM messages WHERE id = $1', [id]);
    let delivered: Promise<void> | undefined;
    await core.get(Postgres).transaction(async (tx) => {
      const moved = [
        id,
        before?.attempts,
        'sent',
        SECOND_SENDER,
        SECOND_CARRIER,
        'slow',
        'accepted',
        null,
        null,
        null,
        null,
      ];
      await tx.query(rerouteStatement.text, moved);
      delivered = receipt(FIRST_CARRIER, id, 'delivered');
      const waiting = `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
      await eventually('the receipt waits for the message', async () => (await bed.database.sql(waiting)).length > 0);
    });
    await delivered;
    expect(await rowOf(id)).toMatchObject({ status: 'delivered', sender: FIRST_SENDER });
  });

  it('a receipt that repeats a state asks the database once', async () => {
    await bed.database.sql('DELETE FROM webhook_endpoints');
    const id = await accept();
    await dispatch(id);
    const query = jest.spyOn(core.get(Postgres), 'query');
    await receipt(FIRST_CARRIER, id, 'sent');
    expect(query.mock.calls.map(([{ name }]) => name)).toEqual([updateStatusStatement.name]);
    query.mockRestore();
  });
});
