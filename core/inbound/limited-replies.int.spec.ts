import { receivedQuery } from '#contract/histories.js';
import { limits } from '#contract/limits.js';
import { newMessageId } from '../rules/ids.js';
import { moneyFaults, moneyOf } from '../testing/money.js';
import { createTestAccount, type TestAccount } from '../testing/test-accounts.js';
import { createTestBed, type TestBed } from '../testing/test-bed.js';
import { createTestCore, type TestCore } from '../testing/test-core.js';
import { texted } from '../testing/texted.js';
import { WebhookEndpoints } from '../webhooks/endpoints/webhook-endpoints.js';
import { HeldReplies } from './held-replies.js';
import { OptOuts } from './opt-outs.js';
import { ReceivedHistory } from './received-history.js';
import { ReceiveReplies } from './receive-replies.js';
import { adjustCredits } from '../testing/operator-credits.js';

const OURS = '+15005550006';
const MAX = limits.chargedRepliesPerHourMax;

describe('The limit of charged replies', () => {
  let bed: TestBed;
  let core: TestCore;
  let other: TestCore;
  let ada: TestAccount;
  let person: string;
  let persons = 0;

  beforeAll(async () => {
    bed = await createTestBed();
    core = await createTestCore(bed.config());
    other = await createTestCore(bed.config());
  });

  beforeEach(async () => {
    persons += 2;
    person = `+1415549${1_000 + persons}`;
    ada = await createTestAccount(core, { credits: 101 });
    await core.get(WebhookEndpoints).setUrl(ada.id, 'https://example.com/sms');
    await texted(core, bed.database, ada, { recipient: person });
  });

  afterEach(async () => {
    expect(await moneyFaults(bed.database)).toEqual([]);
    expect(await core.get(ReceivedHistory).countMismatches()).toBe(0);
  });

  afterAll(async () => {
    await core?.close();
    await other?.close();
    await bed?.remove();
  });

  const reply = (text = 'Hello', sender = person, process = core) =>
    process.get(ReceiveReplies).receive({
      carrier: 1,
      carrierId: `SM${newMessageId().replaceAll('-', '')}`,
      sender,
      recipient: OURS,
      service: undefined,
      text,
      segments: 1,
      wish: undefined,
    });
  const flood = (count: number) =>
    Promise.all(Array.from({ length: count }, (_, n) => reply(`${n}`, person, n % 2 ? core : other)));
  const statuses = async () => {
    const rows = await bed.database.sql<{ status: string; count: number }>(
      'SELECT status, count(*)::int AS count FROM inbound_messages WHERE account_id = $1 GROUP BY status',
      [ada.id],
    );
    return Object.fromEntries(rows.map(({ status, count }) => [status, count]));
  };
  const forwarded = async () =>
    (await bed.database.sql('SELECT id FROM webhook_deliveries WHERE account_id = $1', [ada.id])).length;
  const balance = async () => (await moneyOf(bed.database, ada.id)).balance;

  it('charges and forwards 20 of 30 replies that arrive at once in two processes, and stores the others', async () => {
    const outcomes = await flood(MAX + 10);
    expect(outcomes.filter((outcome) => outcome === 'limited')).toHaveLength(10);
    expect(await statuses()).toEqual({ received: MAX, limited: 10 });
    expect([await balance(), await forwarded()]).toEqual([100 - MAX, MAX]);
    const { rows, total } = await core.get(ReceivedHistory).page(ada.id, receivedQuery.parse({ status: 'limited' }));
    expect([rows[0]?.credits, total]).toEqual([0, 10]);
  });

  it('applies to each person alone', async () => {
    await flood(MAX + 1);
    const neighbor = `+1415549${1_000 + persons + 1}`;
    await texted(core, bed.database, ada, { recipient: neighbor });
    expect(await reply('Hello', neighbor)).toBe('received');
  });

  it('ends an hour after the replies', async () => {
    await flood(MAX);
    expect(await reply()).toBe('limited');
    await bed.database.sql(
      `UPDATE inbound_messages SET created_at = created_at - interval '61 minutes'
       WHERE account_id = $1 AND number <= 3`,
      [ada.id],
    );
    expect(await Promise.all([reply(), reply(), reply(), reply()])).toEqual([
      'received',
      'received',
      'received',
      'limited',
    ]);
  });

  it('counts held replies, so that credits which arrive later pay for 20', async () => {
    await adjustCredits(core, ada.email, -(await balance()), 'test');
    await flood(MAX + 5);
    expect(await statuses()).toEqual({ held: MAX, limited: 5 });
    await adjustCredits(core, ada.email, 100, 'test');
    await core.get(HeldReplies).release(ada.id);
    expect(await statuses()).toEqual({ received: MAX, limited: 5 });
    expect(await balance()).toBe(100 - MAX);
  });

  it('does not delay STOP', async () => {
    await flood(MAX);
    expect(await reply('STOP')).toBe('limited');
    expect((await core.get(OptOuts).list(person)).optOuts).toMatchObject([{ sender: OURS }]);
  });
});
