import { carrierNumbers } from '#contract/carrier-codes.js';
import { CollectReplies } from '../../inbound/collect-replies.js';
import { ReceiveReplies } from '../../inbound/receive-replies.js';
import { NumberDirectory } from '../../numbers/number-directory.js';
import { Numbers } from '../../numbers/numbers.js';
import { byOwner, numberScene } from '../../numbers/testing/number-scene.js';
import { newMessageId, publicNumberId } from '../../rules/ids.js';
import { acceptanceRow } from '../../testing/acceptance-rows.js';
import { FakeCarrier } from '../../testing/fake-carrier.js';
import { telnyxNumberVariables } from '../../testing/telnyx-account.js';
import { createTestAccount } from '../../testing/test-accounts.js';
import { createTestCore, type TestCore } from '../../testing/test-core.js';
import { WebhookEndpoints } from '../../webhooks/endpoints/webhook-endpoints.js';
import { DispatchMessage } from '../dispatch/dispatch-message.js';
import { DispatchPauses } from '../dispatch/dispatch-pauses.js';
import { ProbeCarrier } from '../dispatch/probe-carrier.js';
import { RecoverMessages } from '../recovery/recover-messages.js';
import { Acceptance } from '../send/acceptance.js';

const { twilio, telnyx } = carrierNumbers;
const SHARED = '+15005550006';
const MINUTE_SECONDS = 60;

describe('Messages of a number that was bought at the second carrier', () => {
  const second = new FakeCarrier('telnyx', telnyx);
  const scene = numberScene(telnyxNumberVariables, [second]);
  let number: string;
  let id: string;
  let people = 0;

  beforeEach(async () => {
    await scene.bed.database.sql('DELETE FROM carrier_pauses');
    await scene.bed.database.sql('DELETE FROM message_checks');
    await scene.bed.database.sql(`UPDATE messages SET status = 'sent' WHERE status IN ('queued', 'sending')`);
    second.forget();
    scene.core.carrier.forget();
    ({ number, id } = await scene.buy());
  });

  const newPerson = () => `+1415556${1_000 + (people += 1)}`;
  const accept = async (sender = number, account = scene.account, recipient = newPerson()) => {
    const row = acceptanceRow(scene.core, account.apiKey, { sender, recipient });
    expect((await scene.core.get(Acceptance).decide(row)).kind).toBe('accepted');
    return row.id;
  };
  const dispatch = (message: string, process = scene.core) => process.get(DispatchMessage).dispatch(message);
  const rowOf = async (message: string) =>
    (await scene.bed.database.sql('SELECT * FROM messages WHERE id = $1', [message]))[0];
  const calls = () => [scene.core.carrier.calls.map((call) => call.id), second.calls.map((call) => call.id)];
  const pause = (carrier: number, messageId: string) =>
    scene.core.get(DispatchPauses).begin({ carrier, messageId, httpStatus: 401, carrierError: null }, 1);

  it('go there, and those of shared senders to the first carrier', async () => {
    const other = await createTestAccount(scene.core, { credits: 10 });
    const [own, shared] = [await accept(), await accept(SHARED, other)];
    await Promise.all([dispatch(own), dispatch(shared)]);
    expect(calls()).toEqual([[shared], [own]]);
    expect([await rowOf(own), await rowOf(shared)]).toMatchObject([
      { status: 'sent', carrier: telnyx },
      { status: 'sent', carrier: null },
    ]);
  });

  it('go there from a process whose memory does not have the number, also after a failure of the route', async () => {
    const process = await createTestCore(scene.bed.config(telnyxNumberVariables), [second]);
    try {
      await process.get(NumberDirectory).all();
      const bought = await scene.buy();
      expect((await process.get(NumberDirectory).all()).has(bought.number)).toBe(false);
      second.next('accept', { refuse: 40_309 });
      const [sent, refused] = [await accept(bought.number), await accept(bought.number)];
      await dispatch(sent, process);
      await dispatch(refused, process);
      expect([process.carrier.calls, second.calls.map((call) => call.id)]).toEqual([[], [sent, refused]]);
      expect([await rowOf(sent), await rowOf(refused)]).toMatchObject([
        { status: 'sent', carrier: telnyx },
        { status: 'failed', sender: bought.number, refunded: 1 },
      ]);
    } finally {
      await process.close();
    }
  });

  it('go nowhere from a process without its settings', async () => {
    const process = await createTestCore(scene.bed.config());
    try {
      const message = await accept();
      await expect(dispatch(message, process)).rejects.toThrow(`Carrier ${telnyx} is not configured`);
      expect(process.carrier.calls).toEqual([]);
      expect(await rowOf(message)).toMatchObject({ status: 'sending' });
    } finally {
      await process.close();
    }
  });

  it('go there again when it had no place for them, and after a lost answer are looked up there alone', async () => {
    second.next('unavailable', 'accept', 'lost');
    const [again, lost] = [await accept(), await accept()];
    await dispatch(again);
    expect(await rowOf(again)).toMatchObject({ status: 'queued' });
    await dispatch(again);
    await dispatch(lost);
    expect(calls()).toEqual([[], [again, again, lost]]);
    const ago = 'UPDATE messages SET claimed_at = now() - make_interval(secs => $2) WHERE id = $1';
    await scene.bed.database.sql(ago, [lost, 10 * MINUTE_SECONDS]);
    await scene.bed.database.sql(`UPDATE message_checks SET due_at = now() WHERE $1 = ANY (message_ids)`, [lost]);
    await scene.core.get(RecoverMessages).run();
    expect([await rowOf(again), await rowOf(lost)]).toMatchObject([{ status: 'sent' }, { status: 'sent' }]);
    expect([scene.core.carrier.asked, second.asked.length]).toEqual([[], 1]);
  });

  it('leave while the first carrier is paused, whose own wait', async () => {
    const other = await createTestAccount(scene.core, { credits: 10 });
    const [own, shared] = [await accept(), await accept(SHARED, other)];
    await pause(twilio, shared);
    expect((await dispatch(shared)).kind).toBe('retry');
    await dispatch(own);
    expect([await rowOf(own), await rowOf(shared)]).toMatchObject([{ status: 'sent' }, { status: 'queued' }]);
  });

  it('wait while their own carrier is paused, and one of them is tried to end that', async () => {
    const other = await createTestAccount(scene.core, { credits: 10 });
    const [own, shared] = [await accept(), await accept(SHARED, other)];
    await pause(telnyx, own);
    expect((await dispatch(own)).kind).toBe('retry');
    const pauses = scene.core.get(DispatchPauses);
    expect([await pauses.probeCandidate(telnyx), await pauses.probeCandidate(twilio)]).toEqual([own, shared]);
    await dispatch(shared);
    expect([await rowOf(own), await rowOf(shared)]).toMatchObject([{ status: 'queued' }, { status: 'sent' }]);
    await pauses.probeSoon();
    await scene.core.get(ProbeCarrier).run();
    expect(await rowOf(own)).toMatchObject({ status: 'sent', carrier: telnyx });
    expect(await pauses.latest()).toMatchObject([{ carrier: telnyx, resumedAt: expect.any(Date) }]);
  });

  it('fail once the number is released, also while their carrier is paused', async () => {
    const message = await accept();
    await pause(telnyx, message);
    await scene.core.get(Numbers).release(scene.account.id, publicNumberId(id), byOwner);
    await dispatch(message);
    expect(await rowOf(message)).toMatchObject({ status: 'failed', error_code: 'sender_released', refunded: 1 });
  });

  describe('and its replies', () => {
    beforeEach(() => scene.core.get(WebhookEndpoints).setUrl(scene.account.id, 'https://example.com/sms'));

    const receive = (carrier: number) =>
      scene.core.get(ReceiveReplies).receive({
        carrier,
        carrierId: `SM${newMessageId().replaceAll('-', '')}`,
        sender: newPerson(),
        recipient: number,
        service: undefined,
        text: 'Hello',
        segments: 1,
        wish: undefined,
      });

    /** A process that buys numbers at the first carrier. */
    let selling: TestCore | undefined;

    afterEach(async () => {
      await selling?.close();
      selling = undefined;
    });

    it('count when that carrier delivers them, and not when another one does', async () => {
      expect([await receive(telnyx), await receive(twilio)]).toEqual(['received', 'foreign']);
      selling = await createTestCore(scene.bed.config({ ...telnyxNumberVariables, NUMBER_CARRIER: 'twilio' }));
      ({ number } = await scene.buy({ process: selling }));
      await scene.core.get(NumberDirectory).renewed();
      expect([await receive(telnyx), await receive(twilio)]).toEqual(['foreign', 'received']);
    });

    it('are fetched from that carrier', async () => {
      await scene.core.get(CollectReplies).poll();
      expect(second.asked).toContain(number);
      expect(scene.core.carrier.asked).not.toContain(number);
    });
  });
});
