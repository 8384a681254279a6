import { bindNumberOf } from '../../platform/config/smpp-binds.js';
import { CarrierQueues } from '../../platform/queue/carrier-queues.js';
import { DispatchQueue } from '../../platform/queue/queues.js';
import { newMessageId } from '../../rules/ids.js';
import { acceptanceRow } from '../../testing/acceptance-rows.js';
import { FakeCarrier } from '../../testing/fake-carrier.js';
import { createTestAccount } from '../../testing/test-accounts.js';
import { createTestBed, type TestBed } from '../../testing/test-bed.js';
import { createTestCore, type TestCore } from '../../testing/test-core.js';
import { RecoverMessages } from '../recovery/recover-messages.js';
import { MessageAttempts } from '../routes/message-attempts.js';
import { Acceptance } from '../send/acceptance.js';
import { MessageQueues } from './message-queues.js';

const SENDER = '+15005550077';
const ACME = bindNumberOf('acme');

describe('MessageQueues', () => {
  let bed: TestBed;
  let core: TestCore;

  beforeAll(async () => {
    bed = await createTestBed();
    const bind = { name: 'acme', url: 'smpp://127.0.0.1:1', system_id: 'me', password: 'secret', senders: [SENDER] };
    const carrier = Object.assign(new FakeCarrier('acme', ACME), { isExclusive: true });
    core = await createTestCore(bed.config({ SMPP_BINDS: JSON.stringify([bind]) }), [carrier]);
  });

  afterAll(async () => {
    await core?.close();
    await bed?.remove();
  });

  const sizes = () => Promise.all([core.get(DispatchQueue).size(), core.get(CarrierQueues).of(ACME).size()]);

  it('have a message wait in the queue of its carrier, if one worker alone is connected to that', async () => {
    const add = (sender: string | null) =>
      core.get(MessageQueues).enqueued({ id: newMessageId(), accountId: newMessageId(), kind: 'sms' }, sender);
    await add('+15005550006');
    expect(await sizes()).toEqual([1, 0]);
    await add(SENDER);
    expect(await sizes()).toEqual([1, 1]);
    await add(null);
    expect(await sizes()).toEqual([2, 1]);
  });

  it('have recovery take fast messages to another route, and read no others one by one', async () => {
    const account = await createTestAccount(core, { credits: 10 });
    const accept = async (hedgeSeconds: number) => {
      const row = acceptanceRow(core, account.apiKey, {
        sender: SENDER,
        timing: { sendAt: null, validitySeconds: null, hedgeSeconds },
      });
      expect((await core.get(Acceptance).decide(row)).kind).toBe('accepted');
      return row.id;
    };
    const [once, fast] = [await accept(0), await accept(20)];
    const reads = jest.spyOn(core.get(MessageAttempts), 'handedOver');
    await bed.database.sql('UPDATE message_checks SET due_at = now()');
    await core.get(RecoverMessages).run();
    const senderOf = async (id: string) =>
      (await bed.database.sql<{ sender: string }>('SELECT sender FROM messages WHERE id = $1', [id]))[0]?.sender;
    expect(await senderOf(once)).toBe(SENDER);
    expect(await senderOf(fast)).not.toBe(SENDER);
    expect(reads.mock.calls).toEqual([[fast]]);
  });
});
