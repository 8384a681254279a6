import { z } from 'zod';
import { Postgres } from '../../platform/database/postgres.js';
import { acceptanceRow } from '../../testing/acceptance-rows.js';
import { moneyFaults } from '../../testing/money.js';
import { createTestAccount, type TestAccount } from '../../testing/test-accounts.js';
import { createTestBed, type TestBed } from '../../testing/test-bed.js';
import { createTestCore, type TestCore } from '../../testing/test-core.js';
import { texted } from '../../testing/texted.js';
import { MessageRetention } from '../message-retention.js';
import { Acceptance } from '../send/acceptance.js';
import { ConversationOwner, ownerStatement } from './conversation-owner.js';

const OURS = '+15005550006';
const OTHER = '+15005550007';

describe('A conversation', () => {
  let bed: TestBed;
  let core: TestCore;
  let second: TestCore;
  let ada: TestAccount;
  let bob: TestAccount;
  let recipient: string;
  let recipients = 0;

  beforeAll(async () => {
    bed = await createTestBed();
    core = await createTestCore(bed.config());
    second = await createTestCore(bed.config());
  });

  beforeEach(async () => {
    [ada, bob] = [await createTestAccount(core), await createTestAccount(core)];
    recipients += 1;
    recipient = `+1415554${1_000 + recipients * 30}`;
  });

  afterEach(async () => {
    expect(await moneyFaults(bed.database)).toEqual([]);
  });

  afterAll(async () => {
    await core?.close();
    await second?.close();
    await bed?.remove();
  });

  /** Returns whether replies reach the account, by acceptance and by the stored message. */
  const send = async (account: TestAccount, { process = core, to = recipient, sender = OURS } = {}) => {
    const row = acceptanceRow(process, account.apiKey, { recipient: to, sender });
    const decision = await process.get(Acceptance).decide(row);
    if (decision.kind !== 'accepted') return decision.kind;
    const [stored] = await bed.database.sql('SELECT replies_unavailable FROM messages WHERE id = $1', [row.id]);
    expect(stored).toEqual({ replies_unavailable: decision.repliesUnavailable });
    return decision.repliesUnavailable ? 'unavailable' : 'own';
  };
  const ownersOf = (to = recipient) =>
    bed.database.sql<{ account_id: string; sender: string }>(
      'SELECT account_id, sender FROM conversation_owners WHERE recipient = $1 ORDER BY sender',
      [to],
    );
  const pass = (hours: number) =>
    bed.database.sql(
      `UPDATE conversation_owners SET last_at = last_at - make_interval(mins => $2) WHERE recipient = $1`,
      [recipient, Math.round(hours * 60)],
    );
  const answered = async (senders = [OURS]) => {
    const [owner] = await core
      .get(Postgres)
      .transaction((tx) => core.get(ConversationOwner).of(tx, [{ person: recipient, senders }]));
    const accountId = owner?.accountId;
    return accountId === ada.id ? 'ada' : accountId === bob.id ? 'bob' : accountId;
  };

  it('belongs to the account that texted first, also when another account texts later', async () => {
    expect([await send(ada), await send(bob), await send(ada), await send(bob)]).toEqual([
      'own',
      'unavailable',
      'own',
      'unavailable',
    ]);
    expect(await ownersOf()).toEqual([{ account_id: ada.id, sender: OURS }]);
  });

  it('is one per sender and recipient', async () => {
    await send(ada);
    expect(await send(bob, { sender: OTHER })).toBe('own');
    expect(await ownersOf()).toEqual([
      { account_id: ada.id, sender: OURS },
      { account_id: bob.id, sender: OTHER },
    ]);
  });

  it('gets exactly one owner when accounts text at the same moment, in one batch and in two processes', async () => {
    const accounts = [ada, bob, await createTestAccount(core), await createTestAccount(core)];
    for (let round = 0; round < 20; round += 1) {
      const to = `+1415554${1_000 + recipients * 30 + round}`;
      const found = await Promise.all(
        accounts.map(async (account, n) => [account.id, await send(account, { to, process: n % 2 ? core : second })]),
      );
      const owners = await ownersOf(to);
      expect(owners).toHaveLength(1);
      expect(found.filter(([, replies]) => replies === 'own')).toEqual([[owners[0]?.account_id, 'own']]);
    }
  });

  it('is kept for 72 hours after the latest message of its owner', async () => {
    await send(ada);
    await pass(71);
    expect(await send(bob)).toBe('unavailable');
    expect(await send(ada)).toBe('own');
    await pass(71.9);
    expect([await send(bob), await answered()]).toEqual(['unavailable', undefined]);
    await pass(0.2);
    expect([await send(bob), await send(ada)]).toEqual(['own', 'unavailable']);
  });

  it('is not taken by a message that is refused or a test', async () => {
    const poor = await createTestAccount(core, { credits: 0 });
    expect(await send(poor)).toBe('refused');
    expect(await send({ ...ada, apiKey: `${ada.apiKey}_test` })).toBe('approved');
    expect(await ownersOf()).toEqual([]);
  });

  it('brings replies to its owner, regardless of who texted last', async () => {
    await texted(core, bed.database, ada, { recipient });
    await texted(core, bed.database, bob, { recipient });
    expect(await answered()).toBe('ada');
    await pass(73);
    expect(await answered()).toBe('bob');
  });

  it('brings no replies to an owner whose messages never left', async () => {
    await texted(core, bed.database, ada, { recipient });
    await pass(73);
    await texted(core, bed.database, bob, { recipient, status: 'failed' });
    expect((await ownersOf())[0]).toMatchObject({ account_id: bob.id });
    expect(await answered()).toBe('ada');
  });

  it('is forgotten after 400 days, until when the recipient knows the account by its sender', async () => {
    await send(ada);
    await pass(399 * 24);
    await core.get(MessageRetention).run();
    expect(await ownersOf()).toHaveLength(1);
    await pass(2 * 24);
    await core.get(MessageRetention).run();
    expect(await ownersOf()).toEqual([]);
  });

  it('learns the other numbers of a batch that a messaging service chose when Postgres refuses one', async () => {
    const service = `MG${'7'.repeat(32)}`;
    const ids = [];
    for (let n = 0; n < 3; n += 1) ids.push(await texted(core, bed.database, ada, { recipient, sender: service }));
    const results = await Promise.allSettled(
      ids.map((id, n) => core.get(ConversationOwner).recordSender(1, id, n === 1 ? 'a\0b' : '+15005550009')),
    );
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    const stored = 'SELECT sender FROM messages WHERE id = ANY ($1::uuid[]) ORDER BY id';
    expect((await bed.database.sql(stored, [ids])).map(({ sender }) => sender)).toEqual([
      '+15005550009',
      service,
      '+15005550009',
    ]);
  });

  it('is found by a statement that returns rows of its type', async () => {
    await texted(core, bed.database, ada, { recipient });
    const question = JSON.stringify([{ n: 0, person: recipient, senders: [OURS] }]);
    const rows = await bed.database.sql(ownerStatement.text, [question, 72]);
    expect(
      rows.map((row) =>
        z.strictObject({ n: z.int(), rests: z.literal(false), hasNumber: z.boolean(), accountId: z.uuid() }).parse(row),
      ),
    ).toHaveLength(1);
  });
});
