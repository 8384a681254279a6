import type { CarrierReply } from '../carriers/carrier.js';
import { newMessageId } from '../rules/ids.js';
import { moneyFaults, moneyOf } from '../testing/money.js';
import { createTestAccount, type TestAccount } from '../testing/test-accounts.js';
import { createTestBed, type TestBed } from '../testing/test-bed.js';
import { createTestCore, type TestCore } from '../testing/test-core.js';
import { texted } from '../testing/texted.js';
import { WebhookEndpoints } from '../webhooks/endpoints/webhook-endpoints.js';
import { ReceiveReplies } from './receive-replies.js';
import { CollectReplies } from './collect-replies.js';

const OURS = '+15005550006';
const OURS_IN_BRITAIN = '+447700900000';
const PERSON = '+14155560199';
const MINUTE_MS = 60_000;

describe('CollectReplies', () => {
  let bed: TestBed;
  let core: TestCore;
  let account: TestAccount;
  /** The clock of the polls. */
  let now: number;

  beforeAll(async () => {
    bed = await createTestBed();
  });

  beforeEach(async () => {
    core = await createTestCore(bed.config({ TWILIO_SENDERS: `${OURS},GB:${OURS_IN_BRITAIN},MG${'1'.repeat(32)}` }));
    account = await createTestAccount(core, { credits: 10 });
    await core.get(WebhookEndpoints).setUrl(account.id, 'https://example.com/sms');
    await texted(core, bed.database, account, { recipient: PERSON });
    now = Date.now();
  });

  afterEach(async () => {
    expect(await moneyFaults(bed.database)).toEqual([]);
    await core?.close();
  });

  afterAll(async () => {
    await bed?.remove();
  });

  function kept(minutesAgo: number, changes: Partial<CarrierReply> = {}): CarrierReply {
    const reply: CarrierReply = {
      carrierId: `SM${newMessageId().replaceAll('-', '')}`,
      sender: PERSON,
      recipient: OURS,
      service: undefined,
      text: 'Hello',
      segments: 1,
      files: 0,
      createdAt: new Date(now - minutesAgo * MINUTE_MS),
      ...changes,
    };
    core.carrier.replies.push(reply);
    return reply;
  }
  const collect = () => core.get(CollectReplies).poll(new Date(now));
  const used = async () => (await moneyOf(bed.database, account.id)).used;

  it('receives a missed reply once, however often and concurrently it polls', async () => {
    kept(2);
    kept(60);
    const before = await used();
    const rounds = await Promise.all([collect(), collect()]);
    expect(rounds.reduce((sum, count) => sum + count)).toBe(2);
    expect(await collect()).toBe(0);
    expect((await used()) - before).toBe(2);
    const deliveries = await bed.database.sql('SELECT id FROM webhook_deliveries WHERE account_id = $1', [account.id]);
    expect(deliveries).toHaveLength(2);
  });

  it('skips a reply that the callback delivered', async () => {
    const reply = kept(5);
    await core.get(ReceiveReplies).receive({ ...reply, carrier: 1, wish: undefined });
    expect(await collect()).toBe(0);
  });

  it('leaves young replies to the callback and collects them later', async () => {
    kept(0);
    expect(await collect()).toBe(0);
    now += 2 * MINUTE_MS;
    expect(await collect()).toBe(1);
  });

  it('finds replies from an outage of the carrier’s API', async () => {
    await collect();
    core.carrier.deaf = true;
    now += 300 * MINUTE_MS;
    expect(await collect()).toBe(0);
    core.carrier.deaf = false;
    kept(290);
    expect(await collect()).toBe(1);
  });

  describe('with files', () => {
    const url = 'https://media.carrier.test/photo';
    let sender: string;
    let people = 0;

    // A person belongs to the account that texted first, so each test has its own person.
    beforeEach(async () => {
      people += 1;
      sender = `+1415557${String(1_000 + people)}`;
      await texted(core, bed.database, account, { recipient: sender });
    });

    const photo = () => {
      const reply = kept(5, { sender, text: '', files: 1 });
      core.carrier.files.set(reply.carrierId, [{ url, type: 'image/jpeg' }]);
      return reply;
    };
    const media = () =>
      bed.database.sql('SELECT state, type, source_url FROM media WHERE account_id = $1', [account.id]);

    it('records them as pending, and asks for those of a reply once', async () => {
      photo();
      kept(5, { sender });
      const asked = jest.spyOn(core.carrier, 'listFiles');
      expect([await collect(), await collect()]).toEqual([2, 0]);
      expect(await media()).toEqual([{ state: 'pending', type: 'image/jpeg', source_url: url }]);
      expect(asked).toHaveBeenCalledTimes(1);
    });

    it('counts those that the carrier has deleted since', async () => {
      const reply = photo();
      core.carrier.files.delete(reply.carrierId);
      expect(await collect()).toBe(1);
      expect(await media()).toEqual([{ state: 'pending', type: null, source_url: '' }]);
    });

    it('waits for them while the carrier does not list them, and misses no other reply', async () => {
      photo();
      kept(5, { sender });
      const before = await used();
      const asked = jest.spyOn(core.carrier, 'listFiles').mockRejectedValueOnce(new Error('503'));
      expect(await collect()).toBe(0);
      expect([(await used()) - before, await media()]).toEqual([1, []]);
      expect(await collect()).toBe(1);
      expect([(await used()) - before, (await media()).length]).toEqual([2, 1]);
      expect(asked).toHaveBeenCalledTimes(2);
    });
  });

  it('polls every number, and no messaging service', async () => {
    await collect();
    expect(core.carrier.asked).toEqual([OURS, OURS_IN_BRITAIN]);
  });
});
