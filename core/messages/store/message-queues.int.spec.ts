import { bindNumberOf } from '../../platform/config/smpp-binds.js';
import { CarrierQueues } from '../../platform/queue/carrier-queues.js';
import { DispatchQueue } from '../../platform/queue/queues.js';
import { newMessageId } from '../../rules/ids.js';
import { acceptanceRow } from '../../testing/acceptance-rows.js';
import { FakeCarrier } from '../../testing/fake-carrier.js';
import { createTestAccount, type TestAccount } from '../../testing/test-accounts.js';
import { createTestBed, type TestBed } from '../../testing/test-bed.js';
import { createTestCore, type TestCore } from '../../testing/test-core.js';
import { RecoverMessages } from '../recovery/recover-messages.js';
import { MessageAttempts } from '../handover/message-attempts.js';
import { Acceptance } from '../send/acceptance.js';
import { DispatchMessage } from '../dispatch/dispatch-message.js';
import { MessageQueues } from './message-queues.js';

const SHARED_SENDER = '+15005550006';
const SENDER = '+15005550077';
const ACME = bindNumberOf('acme');

/** A carrier with one connected worker at a time. */
class ExclusiveCarrier extends FakeCarrier {
  override readonly isExclusive = true;
  isConnected = true;
  override get isHere(): boolean {
    return this.isConnected;
  }
}

describe('MessageQueues', () => {
  let bed: TestBed;
  let core: TestCore;
  let carrier: ExclusiveCarrier;
  let account: TestAccount;

  beforeAll(async () => {
    bed = await createTestBed();
    const bind = { name: 'acme', url: 'smpp://127.0.0.1:1', system_id: 'me', password: 'secret', senders: [SENDER] };
    carrier = new ExclusiveCarrier('acme', ACME);
    core = await createTestCore(bed.config({ SMPP_BINDS: JSON.stringify([bind]) }), [carrier]);
  });

  afterAll(async () => {
    await core?.close();
    await bed?.remove();
  });

  beforeEach(async () => {
    account = await createTestAccount(core, { credits: 10 });
    carrier.forget();
  });

  const accept = async (hedgeSeconds = 0, sender = SENDER) => {
    const row = acceptanceRow(core, account.apiKey, {
      sender,
      timing: { sendAt: null, validitySeconds: null, hedgeSeconds },
    });
    expect((await core.get(Acceptance).decide(row)).kind).toBe('accepted');
    return row.id;
  };
  const sizes = () => Promise.all([core.get(DispatchQueue).size(), core.get(CarrierQueues).of(ACME).size()]);

  it('have a message wait in the queue of its carrier, if one worker alone is connected to that', async () => {
    const add = (sender: string | null) =>
      core.get(MessageQueues).enqueued({ id: newMessageId(), accountId: newMessageId(), kind: 'sms' }, sender);
    await add(SHARED_SENDER);
    expect(await sizes()).toEqual([1, 0]);
    await add(SENDER);
    expect(await sizes()).toEqual([1, 1]);
    await add(null);
    expect(await sizes()).toEqual([2, 1]);
  });

  it('have recovery take fast messages of such a carrier to another route, and read no others one by one', async () => {
    const [once, fast] = [await accept(), await accept(20)];
    const ofShared = await accept(20, SHARED_SENDER);
    const reads = jest.spyOn(core.get(MessageAttempts), 'handedOver');
    await bed.database.sql('UPDATE message_checks SET due_at = now()');
    await core.get(RecoverMessages).run();
    const senderOf = async (id: string) =>
      (await bed.database.sql<{ sender: string }>('SELECT sender FROM messages WHERE id = $1', [id]))[0]?.sender;
    expect(await senderOf(once)).toBe(SENDER);
    expect(await senderOf(fast)).not.toBe(SENDER);
    expect(await senderOf(ofShared)).toBe(SHARED_SENDER);
    expect(reads.mock.calls).toEqual([[fast]]);
  });

  it('have a message that waits in the shared queue handed over to its carrier’s, and sent from there', async () => {
    const id = await accept();
    const stored = () => bed.database.sql<{ status: string }>('SELECT status FROM messages WHERE id = $1', [id]);
    const before = await sizes();
    await core.get(DispatchMessage).dispatch(id);
    expect([carrier.calls, await sizes()]).toEqual([[], [before[0], before[1] + 1]]);
    await core.get(DispatchMessage).dispatch(id, {}, ACME);
    expect(await stored()).toEqual([{ status: 'sent' }]);
  });

  it('have a message sent whose jobs of both queues run together', async () => {
    const id = await accept();
    await Promise.all([undefined, ACME].map((queueOf) => core.get(DispatchMessage).dispatch(id, {}, queueOf)));
    expect(carrier.calls).toMatchObject([{ id }]);
  });

  it('have a message probe its carrier', async () => {
    expect(await core.get(DispatchMessage).probe(await accept())).toBe(true);
  });

  it('have a message wait a second whose worker has just lost its carrier, until another one has it', async () => {
    const id = await accept();
    core.get(CarrierQueues).of(ACME);
    const [store] = core.get(CarrierQueues).stores();
    await store?.drain(true);
    carrier.isConnected = false;
    await core.get(DispatchMessage).dispatch(id, {}, ACME);
    expect((await store?.getDelayed())?.map(({ opts }) => opts.delay)).toEqual([1_000]);
  });
});
