import { ApiKeys } from '../../keys/api-keys.js';
import { createTestAccount, type TestAccount } from '../../testing/test-accounts.js';
import { createTestBed, type TestBed } from '../../testing/test-bed.js';
import { createTestCore, type TestCore } from '../../testing/test-core.js';
import { texted } from '../../testing/texted.js';
import { acceptanceRow } from '../../testing/acceptance-rows.js';
import { Acceptance } from '../send/acceptance.js';
import { ConversationOwnersRepository } from './conversation-owners.repository.js';
import { Senders } from './senders.js';

const [ONE, TWO, THREE] = ['+15005550001', '+15005550002', '+15005550003'] as const;
const BRITISH = ['+447700900001', '+447700900002'];
const LIST = [ONE, TWO, THREE, ...BRITISH.map((sender) => `GB:${sender}`)].join();

describe('Senders', () => {
  let bed: TestBed;
  let core: TestCore;
  let other: TestCore;
  let accounts: TestAccount[];
  let recipient: string;
  let recipients = 0;

  beforeAll(async () => {
    bed = await createTestBed();
    [core, other] = (await Promise.all([1, 2].map(() => createTestCore(bed.config({ TWILIO_SENDERS: LIST }))))) as [
      TestCore,
      TestCore,
    ];
  });

  beforeEach(async () => {
    accounts = await Promise.all(Array.from({ length: 4 }, () => createTestAccount(core)));
    recipients += 1;
    recipient = `+1415557${1_000 + recipients}`;
  });

  afterAll(async () => {
    await core?.close();
    await other?.close();
    await bed?.remove();
  });

  /** Returns the sender of an accepted message. */
  const ask = async (
    apiKey: string,
    {
      process = core,
      to = recipient,
      country = 'US',
      idempotencyKey = null,
    }: { process?: TestCore; to?: string; country?: string; idempotencyKey?: string | null } = {},
  ) => {
    const row = acceptanceRow(process, apiKey, { recipient: to, country, sender: null, idempotencyKey });
    await process.get(Acceptance).decide(row);
    return row.sender;
  };
  const foresee = (apiKey: string) => core.get(Senders).senderFor(core.get(ApiKeys).parse(apiKey), recipient, 'US');
  const [first, second] = [() => accounts[0] as TestAccount, () => accounts[1] as TestAccount];
  const conversations = () => bed.database.sql('SELECT * FROM conversation_owners WHERE recipient = $1', [recipient]);
  const withList = async <T>(list: string, work: (process: TestCore) => Promise<T>): Promise<T> => {
    const process = await createTestCore(bed.config({ TWILIO_SENDERS: list }));
    try {
      return await work(process);
    } finally {
      await process.close();
    }
  };

  it('are one and the same for everybody when there is one', async () => {
    await withList(ONE, async (process) => {
      const found = await Promise.all(accounts.map(({ apiKey }) => ask(apiKey, { process })));
      expect(new Set(found)).toEqual(new Set([ONE]));
    });
    expect(await conversations()).toHaveLength(1);
  });

  it('stay for an account and its recipient, also in another process', async () => {
    const sender = await ask(first().apiKey);
    for (const process of [core, other, core]) expect(await ask(first().apiKey, { process })).toBe(sender);
    expect(await conversations()).toMatchObject([{ account_id: first().id, sender }]);
  });

  it.each([null, 'order-1'])(
    'are different for accounts that text a new recipient at the same moment, in two processes, with the key %s',
    async (prefix) => {
      for (let round = 0; round < 10; round += 1) {
        const to = `+1415558${1_000 + recipients * 20 + round}`;
        const idempotencyKey = prefix && `${prefix}-${round}`;
        const found = await Promise.all(
          accounts
            .slice(0, 3)
            .map(({ apiKey }, n) => ask(apiKey, { to, process: n % 2 ? core : other, idempotencyKey })),
        );
        expect(new Set(found)).toEqual(new Set([ONE, TWO, THREE]));
        expect(await bed.database.sql('SELECT id FROM messages WHERE recipient = $1', [to])).toHaveLength(3);
      }
    },
  );

  it('are shared when there are more accounts than senders: the first one by the recipient’s number', async () => {
    const used: unknown[] = [];
    for (const { apiKey } of accounts) used.push(await ask(apiKey));
    expect(used[3]).toBe(used[0]);
    expect(await ask(second().apiKey)).toBe(used[1]);
  });

  it('are shared in the last minute of their owners too', async () => {
    for (const { apiKey } of accounts.slice(0, 3)) await ask(apiKey);
    await bed.database.sql(
      `UPDATE conversation_owners SET last_at = now() - interval '72 hours 30 seconds' WHERE recipient = $1`,
      [recipient],
    );
    await ask(accounts[3]?.apiKey ?? '');
    expect(await bed.database.sql('SELECT id FROM messages WHERE recipient = $1', [recipient])).toHaveLength(4);
  });

  it('stay for an account after one of its messages has moved to another route', async () => {
    const sender = (await ask(first().apiKey)) ?? '';
    const handed = { accountId: first().id, recipient, country: 'US', sender };
    const moved = await core.get(Senders).another(handed, (one) => one !== sender);
    expect(await conversations()).toHaveLength(2);
    expect(moved?.sender).not.toBe(sender);
    expect(await ask(first().apiKey)).toBe(sender);
    expect(await ask(second().apiKey)).not.toBe(moved?.sender);
  });

  it('are the next free one, when another account takes one while a message moves to it', async () => {
    for (let n = 0; n < 8; n += 1) {
      recipient = `+1415558${1_000 + n}`;
      const sender = (await ask(first().apiKey)) ?? '';
      const taken = await ask(second().apiKey);
      jest.spyOn(core.get(ConversationOwnersRepository), 'owners').mockResolvedValueOnce(new Map());
      const handed = { accountId: first().id, recipient, country: 'US', sender };
      const moved = await core.get(Senders).another(handed, (one) => one !== sender);
      expect(new Set([sender, taken, moved?.sender])).toEqual(new Set([ONE, TWO, THREE]));
    }
    jest.restoreAllMocks();
  });

  it('share the recipients of one account', async () => {
    const found = await Promise.all(
      Array.from({ length: 60 }, (_, n) => ask(first().apiKey, { to: `+1415559${1_000 + n}` })),
    );
    expect(new Set(found)).toEqual(new Set([ONE, TWO, THREE]));
  });

  it('are those of the recipient’s country, where it has its own', async () => {
    const found = await Promise.all(
      accounts.slice(0, 2).map(({ apiKey }) => ask(apiKey, { to: '+447400123456', country: 'GB' })),
    );
    expect(new Set(found)).toEqual(new Set(BRITISH));
  });

  it('follow the messages of the time when there was one', async () => {
    await texted(core, bed.database, first(), { recipient, sender: THREE });
    expect(await ask(second().apiKey)).not.toBe(THREE);
    expect(await ask(first().apiKey)).toBe(THREE);
  });

  it('change when the operator takes one away, and stay then', async () => {
    const sender = await ask(first().apiKey);
    const rest = [ONE, TWO, THREE].filter((one) => one !== sender);
    await withList(rest.join(), async (process) => {
      const next = await ask(first().apiKey, { process });
      expect(rest).toContain(next);
      expect(await ask(first().apiKey, { process })).toBe(next);
      expect(await conversations()).toHaveLength(2);
    });
  });

  it.each([
    ['an unknown key', async () => '00000000-0000-4000-8000-000000000000'],
    ['a test key', async () => `${first().apiKey}_test`],
    ['an account without credits', async () => (await createTestAccount(core, { credits: 0 })).apiKey],
    ['a blocked account', async () => (await createTestAccount(core, { blockedAt: new Date() })).apiKey],
  ])('are refused for %s and not stored', async (_title, apiKey) => {
    await ask(await apiKey());
    expect(await conversations()).toEqual([]);
  });

  it('of a test key are those that the account uses', async () => {
    const sender = await ask(first().apiKey);
    expect(await foresee(`${first().apiKey}_test`)).toBe(sender);
  });
});
