import { bindNumbers } from '#contract/carrier-codes.js';
import { CollectReplies } from '../../inbound/collect-replies.js';
import { ReceiveReplies } from '../../inbound/receive-replies.js';
import { Metrics } from '../../platform/telemetry/metrics.js';
import { publicMessageId } from '../../rules/ids.js';
import { acceptanceRow } from '../../testing/acceptance-rows.js';
import type { FakeCarrier } from '../../testing/fake-carrier.js';
import { logLines } from '../../testing/log-lines.js';
import { moneyFaults } from '../../testing/money.js';
import { SECOND_CARRIER, SECOND_SENDER, secondCarrier, withSecondCarrier } from '../../testing/second-carrier.js';
import { WebhookEndpoints } from '../../webhooks/endpoints/webhook-endpoints.js';
import { createTestAccount, type TestAccount } from '../../testing/test-accounts.js';
import { eventually } from '../../testing/eventually.js';
import { createTestBed, type TestBed } from '../../testing/test-bed.js';
import { createTestCore, type TestCore } from '../../testing/test-core.js';
import { MessageCosts } from '../status/message-costs.js';
import { DispatchMessage } from '../dispatch/dispatch-message.js';
import { DispatchPauses } from '../dispatch/dispatch-pauses.js';
import { ProbeCarrier } from '../dispatch/probe-carrier.js';
import { RecoverMessages } from '../recovery/recover-messages.js';
import { Acceptance } from '../send/acceptance.js';
import { Senders } from '../senders/senders.js';
import { RecordReceipt } from '../status/record-receipt.js';
import { StatusUpdates } from '../status/status-updates.js';

const FIRST_SENDER = '+15005550006';
const PERSON = '+14155552671';
const HOUR_SECONDS = 3_600;

describe('With two carriers', () => {
  let bed: TestBed;
  let core: TestCore;
  let second: FakeCarrier;
  let account: TestAccount;

  beforeAll(async () => {
    bed = await createTestBed();
  });

  beforeEach(async () => {
    await bed.database.sql('DELETE FROM carrier_pauses');
    await bed.database.sql('DELETE FROM account_senders');
    await bed.database.sql('DELETE FROM message_checks');
    // The carriers of each test count their ids from one.
    await bed.database.sql('DELETE FROM carrier_matches');
    await bed.database.sql(`UPDATE messages SET status = 'sent' WHERE status IN ('queued', 'sending')`);
    second = secondCarrier();
    core = await createTestCore(withSecondCarrier(bed.config()), [second]);
    account = await createTestAccount(core, { credits: 100 });
  });

  afterEach(async () => {
    jest.restoreAllMocks();
    await core.close();
    expect(await moneyFaults(bed.database)).toEqual([]);
  });

  afterAll(() => bed?.remove());

  async function accept(sender: string, recipient = PERSON, of = account): Promise<string> {
    const row = acceptanceRow(core, of.apiKey, { sender, recipient });
    expect((await core.get(Acceptance).decide(row)).kind).toBe('accepted');
    return row.id;
  }
  const dispatch = (id: string) => core.get(DispatchMessage).dispatch(id);
  const rowOf = async (id: string) => (await bed.database.sql('SELECT * FROM messages WHERE id = $1', [id]))[0];
  const receipt = (carrier: number, id: string, more: { sender?: string } = {}) =>
    core.get(RecordReceipt).record({
      carrier,
      messageId: publicMessageId(id),
      carrierId: `SM${'9'.repeat(32)}`,
      status: 'delivered',
      carrierError: null,
      ...more,
    });
  const countOf = async (counter: 'foreignReceipts' | 'foreignReplies' | 'unknownCarrierCodes') =>
    (await core.get(Metrics)[counter].get()).values.map(({ value, labels }) => [labels['carrier'], value]);
  /** Runs recovery for the message as if this much time had passed since its claim. */
  const recover = async (of: TestCore, id: string, secondsAgo: number) => {
    await bed.database.sql('UPDATE messages SET claimed_at = now() - make_interval(secs => $2) WHERE id = $1', [
      id,
      secondsAgo,
    ]);
    await bed.database.sql(`UPDATE message_checks SET due_at = now() WHERE $1 = ANY (message_ids)`, [id]);
    await of.get(RecoverMessages).run();
  };

  it('a message goes to the carrier of its sender, whose number its row keeps', async () => {
    const [one, two] = [await accept(FIRST_SENDER), await accept(SECOND_SENDER)];
    await Promise.all([dispatch(one), dispatch(two)]);
    expect([core.carrier.calls.map(({ id }) => id), second.calls.map(({ id }) => id)]).toEqual([[one], [two]]);
    expect(await rowOf(one)).toMatchObject({ status: 'sent', carrier: null });
    expect(await rowOf(two)).toMatchObject({ status: 'sent', carrier: SECOND_CARRIER });
  });

  it('an account is given senders of both', async () => {
    const key = acceptanceRow(core, account.apiKey).key;
    const people = Array.from({ length: 20 }, (_, n) => `+141555502${String(n).padStart(2, '0')}`);
    const chosen = await Promise.all(people.map((person) => core.get(Senders).senderFor(key, person, 'US')));
    expect(new Set(chosen)).toEqual(new Set([FIRST_SENDER, SECOND_SENDER]));
  });

  it('the pause of one holds messages that have no other sender, and its own probe ends it', async () => {
    await bed.database.sql('INSERT INTO account_senders (account_id, sender) VALUES ($1, $2)', [
      account.id,
      SECOND_SENDER,
    ]);
    const others = await createTestAccount(core, { credits: 10 });
    const [met, waiting] = [await accept(SECOND_SENDER), await accept(SECOND_SENDER)];
    const free = await accept(FIRST_SENDER, PERSON, others);
    second.next('suspended');
    await dispatch(met);
    // The worker does not hold the message, which would block a message that can leave.
    expect(await dispatch(waiting)).toEqual({ kind: 'retry', delayMs: 15_000 });
    expect(await rowOf(waiting)).toMatchObject({ status: 'queued', attempts: 0, counted_on: null });
    await dispatch(free);
    expect(await rowOf(free)).toMatchObject({ status: 'sent' });
    expect((await core.get(DispatchPauses).latest()).map(({ carrier }) => carrier)).toEqual([SECOND_CARRIER]);
    const paused = (await core.get(Metrics).dispatchPaused.get()).values;
    expect(paused.map(({ labels, value }) => [labels['carrier'], value])).toEqual([
      ['twilio', 0],
      ['second', 1],
    ]);

    const other = await accept(FIRST_SENDER, PERSON, others);
    await core.get(DispatchPauses).probeSoon();
    await core.get(ProbeCarrier).run();
    expect((await rowOf(other))?.['status']).toBe('queued');
    expect(second.calls).toHaveLength(2);
    expect(await core.get(DispatchPauses).latest()).toMatchObject([{ resumedAt: expect.any(Date), probes: 1 }]);
    for (const id of [met, waiting]) await dispatch(id);
    expect([(await rowOf(met))?.['status'], (await rowOf(waiting))?.['status']]).toEqual(['sent', 'sent']);
  });

  it('messages wait in the worker while both are paused, and leave as soon as one resumes', async () => {
    core.carrier.next('suspended');
    second.next('suspended');
    for (const sender of [FIRST_SENDER, SECOND_SENDER]) await dispatch(await accept(sender));
    const id = await accept(FIRST_SENDER);
    const waiting = dispatch(id);
    await core.get(DispatchPauses).end(1, false);
    await core.get(ProbeCarrier).run();
    expect(await waiting).toEqual({ kind: 'done' });
    expect(await rowOf(id)).toMatchObject({ status: 'sent' });
  });

  it('a carrier that has stopped answering is paused, without its doubtful messages being sent again', async () => {
    const ids = await Promise.all(Array.from({ length: 5 }, () => accept(SECOND_SENDER)));
    const now = performance.now.bind(performance);
    const hang = async () => {
      await eventually('all are being handed over', async () => second.calls.length === ids.length);
      jest.spyOn(performance, 'now').mockImplementation(() => now() + 10_000);
      return { kind: 'unknown', cause: new Error('no answer') } as const;
    };
    second.next(...ids.map(() => hang));
    await Promise.all(ids.map((id) => dispatch(id)));
    expect(await core.get(DispatchPauses).latest()).toMatchObject([
      { carrier: SECOND_CARRIER, httpStatus: null, carrierError: null, resumedAt: null },
    ]);
    for (const id of ids) expect(await rowOf(id)).toMatchObject({ status: 'sending', attempts: 1 });
    const other = await accept(SECOND_SENDER);
    await dispatch(other);
    expect(await rowOf(other)).toMatchObject({ status: 'queued', sender: FIRST_SENDER });
    await core.get(DispatchPauses).probeSoon();
    await core.get(ProbeCarrier).run();
    expect(await core.get(DispatchPauses).latest()).toMatchObject([{ resumedAt: expect.any(Date) }]);
  });

  it('ignores a receipt of the one for a message of the other, and reports it', async () => {
    const service = `MG${'1'.repeat(32)}`;
    const [one, two] = [await accept(service), await accept(SECOND_SENDER)];
    await Promise.all([dispatch(one), dispatch(two)]);
    const lines = logLines(core);
    await receipt(SECOND_CARRIER, one, { sender: SECOND_SENDER });
    await receipt(1, two);
    expect(await rowOf(one)).toMatchObject({ status: 'sent', sender: service });
    expect(await rowOf(two)).toMatchObject({ status: 'sent' });
    expect(lines.map(({ text }) => text)).toEqual(Array(2).fill('receipt ignored: another carrier has the message'));
    expect(await countOf('foreignReceipts')).toEqual([
      ['second', 1],
      ['twilio', 1],
    ]);
    await receipt(1, one, { sender: FIRST_SENDER });
    await receipt(SECOND_CARRIER, two);
    // A repeated receipt does not count as another carrier's.
    await receipt(SECOND_CARRIER, two);
    expect(await rowOf(one)).toMatchObject({ status: 'delivered', sender: FIRST_SENDER });
    expect(await rowOf(two)).toMatchObject({ status: 'delivered' });
    expect(lines).toHaveLength(2);
  });

  it('reads a code by the table of the message’s own carrier, and counts one that the table lacks', async () => {
    const [one, two] = [await accept(FIRST_SENDER), await accept(SECOND_SENDER)];
    core.carrier.next({ refuse: 21_610 });
    second.next({ refuse: 21_610 });
    await Promise.all([dispatch(one), dispatch(two)]);
    expect(await bed.database.sql('DELETE FROM opt_outs RETURNING sender')).toEqual([{ sender: FIRST_SENDER }]);
    expect(await rowOf(two)).toMatchObject({ status: 'failed', carrier_error: 21_610, refunded: 1 });
    expect(await countOf('unknownCarrierCodes')).toEqual([['second', 1]]);
  });

  it('asks each about its own messages and numbers alone', async () => {
    const person = '+14155552672';
    const [one, two] = [await accept(FIRST_SENDER, person), await accept(SECOND_SENDER, person)];
    second.next('lost');
    await Promise.all([dispatch(one), dispatch(two)]);
    await recover(core, two, HOUR_SECONDS);
    // Both carriers happen to have given their message the same id.
    expect(second.records[0]?.carrierId).toBe(core.carrier.records[0]?.carrierId);
    expect(await rowOf(two)).toMatchObject({ status: 'sent', carrier_id: second.records[0]?.carrierId });
    expect([core.carrier.asked, second.asked]).toEqual([[], [person]]);
    await core.get(CollectReplies).poll();
    expect([core.carrier.asked, second.asked]).toEqual([[FIRST_SENDER], [person, SECOND_SENDER]]);
  });

  describe('when one is not configured any more', () => {
    let after: TestCore;
    beforeEach(async () => {
      after = await createTestCore(bed.config());
    });
    afterEach(() => after.close());

    it('a message that it has stays sent, and is not asked about elsewhere', async () => {
      const id = await accept(SECOND_SENDER);
      await dispatch(id);
      await bed.database.sql(`UPDATE messages SET sent_at = now() - interval '1 hour' WHERE id = $1`, [id]);
      await recover(after, id, HOUR_SECONDS);
      expect(await rowOf(id)).toMatchObject({ status: 'sent', refunded: 0 });
      expect(after.carrier.asked).toEqual([]);
      expect(await bed.database.sql('SELECT FROM message_checks WHERE $1 = ANY (message_ids)', [id])).toHaveLength(1);
    });

    it('a message that it may have is not sent again, and fails with a refund after a day', async () => {
      const id = await accept(SECOND_SENDER);
      second.next('nothing');
      await dispatch(id);
      const lines = logLines(after);
      await recover(after, id, HOUR_SECONDS);
      expect(await rowOf(id)).toMatchObject({ status: 'sending', refunded: 0 });
      expect(lines.map(({ text }) => text)).toEqual(['message could not be looked up at the carrier']);
      await recover(after, id, 25 * HOUR_SECONDS);
      expect(await rowOf(id)).toMatchObject({ status: 'failed', error_code: 'carrier_unavailable', refunded: 1 });
      expect(after.carrier.calls).toEqual([]);
      expect(after.carrier.asked).toEqual([]);
    });

    it('a message that waits for it goes to the first carrier, whose word ends it', async () => {
      const id = await accept(SECOND_SENDER);
      second.next('suspended');
      await dispatch(id);
      after.carrier.next({ refuse: 21_606 });
      await after.get(DispatchMessage).dispatch(id);
      expect(await rowOf(id)).toMatchObject({ status: 'failed', carrier: null, carrier_error: 21_606, refunded: 1 });
    });
  });

  describe('of which one has no look-up', () => {
    beforeEach(async () => {
      await core.close();
      second = secondCarrier({ canBeAsked: false });
      core = await createTestCore(withSecondCarrier(bed.config()), [second]);
    });

    it('a message whose answer was lost is not sent again, and its receipt settles it', async () => {
      const id = await accept(SECOND_SENDER);
      second.next('lost');
      await dispatch(id);
      await recover(core, id, HOUR_SECONDS);
      expect(await rowOf(id)).toMatchObject({ status: 'sending' });
      await receipt(SECOND_CARRIER, id);
      expect(await rowOf(id)).toMatchObject({ status: 'delivered', refunded: 0 });
      expect(second.calls).toHaveLength(1);
    });

    it('its numbers are not polled for replies', async () => {
      await core.get(CollectReplies).poll();
      expect([core.carrier.asked, second.asked]).toEqual([[FIRST_SENDER], []]);
    });
  });

  it('a reply, STOP or START of the one to a number of the other is dropped, counted, and logged without it', async () => {
    // A conversation of their own: earlier accounts own PERSON's.
    const person = '+14155552690';
    await core.get(WebhookEndpoints).setUrl(account.id, 'https://example.com/sms');
    const [one, two] = [await accept(FIRST_SENDER, person), await accept(SECOND_SENDER, person)];
    await Promise.all([dispatch(one), dispatch(two)]);
    let replies = 0;
    const reply = (carrier: number, recipient: string, text: string) =>
      core.get(ReceiveReplies).receive({
        carrier,
        carrierId: `reply-${account.id}-${(replies += 1)}`,
        sender: person,
        recipient,
        service: undefined,
        text,
        segments: 1,
        wish: undefined,
      });
    const optOuts = () => bed.database.sql('SELECT sender FROM opt_outs WHERE recipient = $1', [person]);
    const lines = logLines(core);
    expect(await reply(SECOND_CARRIER, FIRST_SENDER, 'Hello')).toBe('foreign');
    expect(await reply(SECOND_CARRIER, FIRST_SENDER, 'STOP')).toBe('foreign');
    expect(await reply(1, SECOND_SENDER, 'STOP')).toBe('foreign');
    expect(await optOuts()).toEqual([]);
    expect(await reply(1, FIRST_SENDER, 'STOP')).toBe('received');
    expect(await reply(SECOND_CARRIER, FIRST_SENDER, 'START')).toBe('foreign');
    expect(await optOuts()).toEqual([{ sender: FIRST_SENDER }]);
    expect(await reply(1, FIRST_SENDER, 'START')).toBe('received');
    expect(await reply(SECOND_CARRIER, SECOND_SENDER, 'Hello')).toBe('received');
    const stored = 'SELECT body FROM inbound_messages WHERE account_id = $1 ORDER BY number';
    expect(await bed.database.sql(stored, [account.id])).toEqual(['STOP', 'START', 'Hello'].map((body) => ({ body })));
    expect(await countOf('foreignReplies')).toEqual([
      ['second', 3],
      ['twilio', 1],
    ]);
    expect(lines.map(({ text }) => text)).toEqual(
      Array(4).fill('reply dropped: it was sent to no number of its carrier'),
    );
    expect(lines[0]?.data).toMatchObject({ carrier: 'second', destination: { characters: 12, ending: '06' } });
    expect(JSON.stringify(lines)).not.toContain(FIRST_SENDER.slice(-5));
  });

  it('a number that no carrier lists, such as one of a messaging service, is none of an SMPP peer’s', async () => {
    const person = '+14155552691';
    await core.get(WebhookEndpoints).setUrl(account.id, 'https://example.com/sms');
    const [unlisted, service] = ['+15005550123', `MG${'1'.repeat(32)}`];
    await dispatch(await accept(service, person));
    const reply = (carrier: number) =>
      core.get(ReceiveReplies).receive({
        carrier,
        carrierId: `unlisted-${account.id}-${carrier}`,
        sender: person,
        recipient: unlisted,
        service,
        text: 'Hello',
        segments: 1,
        wish: undefined,
      });
    expect(await Promise.all([bindNumbers.first, SECOND_CARRIER, 1].map(reply))).toEqual([
      'foreign',
      'received',
      'received',
    ]);
  });

  it('the cost that one tells for a message of the other is not stored', async () => {
    const id = await accept(FIRST_SENDER);
    await dispatch(id);
    const cost = (carrier: number) => core.get(MessageCosts).record({ id, carrier, costMicrousd: 4_000n });
    await Promise.all([cost(1), cost(SECOND_CARRIER)]);
    const stored = 'SELECT carrier FROM message_costs WHERE message_id = $1';
    expect(await bed.database.sql(stored, [id])).toEqual([{ carrier: 1 }]);
  });

  it('the word of a carrier that has not the message changes nothing', async () => {
    const id = await accept(SECOND_SENDER);
    await dispatch(id);
    const update = { id, status: 'failed', carrierId: null, errorCode: 'carrier_refused' } as const;
    expect(await core.get(StatusUpdates).apply({ ...update, carrier: 1 })).toBeUndefined();
    expect(await rowOf(id)).toMatchObject({ status: 'sent' });
    expect(await core.get(StatusUpdates).apply({ ...update, carrier: SECOND_CARRIER })).toMatchObject({
      status: 'failed',
    });
  });
});
