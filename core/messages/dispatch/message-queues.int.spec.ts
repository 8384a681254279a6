import { bindNumberOf } from '../../platform/config/smpp-binds.js';
import { CarrierQueues } from '../../platform/queue/carrier-queues.js';
import { DispatchQueue } from '../../platform/queue/queues.js';
import { newMessageId } from '../../rules/ids.js';
import { createTestBed, type TestBed } from '../../testing/test-bed.js';
import { createTestCore, type TestCore } from '../../testing/test-core.js';
import { MessageQueues } from './message-queues.js';

const SENDER = '+15005550077';
const ACME = bindNumberOf('acme');

describe('MessageQueues', () => {
  let bed: TestBed;
  let core: TestCore;

  beforeAll(async () => {
    bed = await createTestBed();
    const bind = { name: 'acme', url: 'smpp://127.0.0.1:1', system_id: 'me', password: 'secret', senders: [SENDER] };
    core = await createTestCore(bed.config({ SMPP_BINDS: JSON.stringify([bind]) }));
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
});
