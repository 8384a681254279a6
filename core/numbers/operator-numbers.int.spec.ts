import { AccountErasure } from '../accounts/account-erasure.js';
import { ApiKeys } from '../keys/api-keys.js';
import { DomainError } from '../platform/errors/domain-error.js';
import { createTestAccount, type TestAccount } from '../testing/test-accounts.js';
import { createTestBed, type TestBed } from '../testing/test-bed.js';
import { createTestCore, type TestCore } from '../testing/test-core.js';
import { Senders } from '../messages/senders/senders.js';
import { SendMessage } from '../messages/send/send-message.js';
import { EndKeys } from '../messages/status/end-keys.js';
import { NumberDirectory } from './number-directory.js';
import { OperatorNumbers } from './operator-numbers.js';

const [SHARED, SECOND, OWN, OWN_TOO] = ['+15005550006', '+15005550007', '+15005550008', '+15005550009'] as const;

describe('OperatorNumbers', () => {
  let bed: TestBed;
  let core: TestCore;
  let other: TestCore;
  let ada: TestAccount;
  let bob: TestAccount;
  let recipients = 0;

  beforeAll(async () => {
    bed = await createTestBed();
    const config = bed.config({ TWILIO_SENDERS: `${SHARED},${SECOND}` });
    core = await createTestCore(config);
    other = await createTestCore(config);
  });

  beforeEach(async () => {
    [ada, bob] = [await createTestAccount(core), await createTestAccount(core)];
  });

  afterEach(async () => {
    jest.restoreAllMocks();
    await bed.database.sql('DELETE FROM numbers');
    for (const process of [core, other]) await process.get(NumberDirectory).renewed();
  });

  afterAll(async () => {
    await core?.close();
    await other?.close();
    await bed?.remove();
  });

  const set = (account: TestAccount, ...senders: string[]) => core.get(OperatorNumbers).set(account.email, senders);
  /** Returns the sender of a message that this process accepts. */
  const senderOf = async (account: TestAccount, { process = core, to = '' } = {}) => {
    recipients += 1;
    const { messageId } = await process.get(SendMessage).send({
      key: process.get(ApiKeys).parse(account.apiKey),
      address: '127.0.0.1',
      reference: undefined,
      idempotencyKey: undefined,
      to: to || `+1415553${1_000 + recipients}`,
      text: 'Hello',
    });
    const [row] = await bed.database.sql<{ sender: string }>(
      `SELECT sender FROM messages WHERE replace(id::text, '-', '') = $1`,
      [messageId.slice('SM'.length)],
    );
    return row?.sender;
  };

  it('are the only ones of their account, at once in every process', async () => {
    for (const process of [core, other]) expect([SHARED, SECOND]).toContain(await senderOf(ada, { process }));
    await set(ada, OWN);
    for (const process of [core, other, core, other]) expect(await senderOf(ada, { process })).toBe(OWN);
  });

  it('are shared again in every process some seconds after their account has given them up', async () => {
    await set(ada, OWN);
    await set(bob, SECOND);
    const chosen = () => other.get(Senders).senderFor(other.get(ApiKeys).parse(ada.apiKey), '+14155530999', 'US');
    await other.get(NumberDirectory).renewed();
    expect(await chosen()).toBe(OWN);
    await set(ada);
    await set(bob);
    const now = performance.now.bind(performance);
    jest.spyOn(performance, 'now').mockImplementation(() => now() + 10_000);
    expect([SHARED, SECOND]).toContain(await chosen());
  });

  it('are used by no other account, at once in every process, also for a known recipient', async () => {
    const to = `+1415552${1_000 + recipients}`;
    const before = await senderOf(bob, { process: other, to });
    await set(ada, before ?? '');
    const left = before === SHARED ? SECOND : SHARED;
    expect(await senderOf(bob, { process: other, to })).toBe(left);
    const found = await Promise.all(
      Array.from({ length: 20 }, (_, n) => senderOf(bob, { process: n % 2 ? core : other })),
    );
    expect(new Set(found)).toEqual(new Set([left]));
    expect(await senderOf(ada, { process: other, to })).toBe(before);
  });

  it('apply to a new key of the account', async () => {
    await set(ada, OWN);
    await senderOf(ada);
    await core.get(EndKeys).rotateDefault(ada.id, 0, false);
    const { apiKey } = await core.get(ApiKeys).list(ada.id);
    expect(await senderOf({ ...ada, apiKey })).toBe(OWN);
  });

  it('keep a conversation with each recipient when there are several', async () => {
    await set(ada, OWN, OWN_TOO);
    const to = `+1415551${1_000 + recipients}`;
    const first = await senderOf(ada, { to });
    expect([OWN, OWN_TOO]).toContain(first);
    expect(await senderOf(ada, { process: other, to })).toBe(first);
  });

  it('are not affected by an opt-out from the shared sender', async () => {
    const to = `+1415550${1_000 + recipients}`;
    for (const sender of [SHARED, SECOND])
      await bed.database.sql('INSERT INTO opt_outs (recipient, sender) VALUES ($1, $2)', [to, sender]);
    await set(ada, OWN);
    expect(await senderOf(ada, { to })).toBe(OWN);
    await expect(senderOf(bob, { to })).rejects.toMatchObject({ code: 'recipient_opted_out' });
  });

  it('are shared again when the operator takes them away or the account is erased', async () => {
    expect(await set(ada, OWN)).toEqual({ email: ada.email, senders: [OWN] });
    await set(ada);
    expect([SHARED, SECOND]).toContain(await senderOf(ada));
    await set(bob, OWN);
    await core.get(AccountErasure).erase(bob.email, 'test');
    expect(await core.get(OperatorNumbers).set(ada.email, [OWN])).toMatchObject({ senders: [OWN] });
  });

  it.each<[string, (accounts: { theirs: string }) => string[]]>([
    ['a text that is no sender', () => ['12345']],
    ['a sender of another account', ({ theirs }) => [theirs]],
    ['the last shared senders', () => [SHARED, SECOND]],
  ])('are refused and stay as they were for %s', async (_title, senders) => {
    await set(bob, OWN_TOO);
    await set(ada, OWN);
    const refusal = await set(ada, ...senders({ theirs: OWN_TOO })).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(DomainError);
    expect(refusal).toMatchObject({ code: 'invalid_request' });
    expect(await senderOf(ada)).toBe(OWN);
    expect(await senderOf(bob)).toBe(OWN_TOO);
  });

  it('answer unavailable and charge nothing when no shared sender is left', async () => {
    await bed.database.sql('INSERT INTO numbers (account_id, number) SELECT $1, unnest($2::text[])', [
      ada.id,
      [SHARED, SECOND],
    ]);
    for (const process of [core, other])
      await expect(senderOf(bob, { process })).rejects.toMatchObject({ code: 'unavailable' });
    expect(await bed.database.sql('SELECT used FROM credit_accounts WHERE account_id = $1', [bob.id])).toEqual([
      { used: '0' },
    ]);
  });
});
