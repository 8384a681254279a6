import type { INestApplicationContext } from '@nestjs/common';
import { Command, CommanderError } from 'commander';
import { acceptanceRow } from '#core/testing/acceptance-rows.js';
import { moneyFaults } from '#core/testing/money.js';
import { createTestBed, type TestBed } from '#core/testing/test-bed.js';
import { createTestCore, type TestCore } from '#core/testing/test-core.js';
import { Acceptance } from '#core/messages/send/acceptance.js';
import { addCommands } from './commands.js';
import { sharedRunnerOver } from './run.js';
import { refusalOf, runAdmin } from './testing/run-admin.js';

describe('admin commands', () => {
  let bed: TestBed;
  let core: TestCore;

  beforeAll(async () => {
    bed = await createTestBed();
    core = await createTestCore(bed.config());
  });

  afterEach(() => {
    process.exitCode = 0;
  });

  afterAll(async () => {
    await core?.close();
    await bed?.remove();
  });

  const admin = async <Answer = Record<string, unknown>>(...words: string[]) =>
    (await runAdmin(bed.config(), words)) as Answer;

  let number = 0;
  async function create(...options: string[]): Promise<{ id: string; email: string; apiKey: string }> {
    number += 1;
    return admin('account', 'create', '--email', `operator${number}@example.com`, ...options);
  }

  const refusal = (words: string[]) => refusalOf(admin(...words));

  it('account create creates an account with 3 credits, or the given number', async () => {
    const account = await create();
    expect(account).toEqual({
      id: expect.any(String),
      email: account.email,
      apiKey: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-4/),
    });
    expect(await admin('account', 'show', account.email)).toMatchObject({
      ...account,
      credits: { balance: 3, purchased: 3, used: 0 },
      dailyLimit: 100,
      keyRatePerSecond: null,
      urlsActivated: false,
      blockedAt: null,
    });
    const rich = await create('--credits', '500');
    expect(await admin('account', 'show', rich.email)).toMatchObject({
      credits: { balance: 500, purchased: 500, used: 0 },
    });
    const poor = await create('--credits', '0');
    expect(await admin('account', 'show', poor.email)).toMatchObject({
      credits: { balance: 0, purchased: 0, used: 0 },
    });
  });

  it('account create rejects an address that has an account, in any letter case', async () => {
    const { email } = await create();
    expect(await refusal(['account', 'create', '--email', email.toUpperCase()])).toBe('account_exists');
  });

  it('account require-recipient switches what verifyotp requires', async () => {
    const { email } = await create();
    const set = (state: string) => admin('account', 'require-recipient', email, state);
    expect(await set('on')).toEqual({ email, recipientRequired: true });
    expect(await set('off')).toEqual({ email, recipientRequired: false });
    expect(await refusal(['account', 'require-recipient', email, 'maybe'])).toBe('commander.invalidArgument');
  });

  it('account limit, rate, activate-urls, block and unblock change their setting', async () => {
    const { email } = await create();
    expect(await admin('account', 'limit', email, '5000')).toMatchObject({ dailyLimit: 5_000 });
    expect(await admin('account', 'limit', email, '0')).toMatchObject({ dailyLimit: 0 });
    expect(await admin('account', 'rate', email, '7')).toMatchObject({ keyRatePerSecond: 7 });
    expect(await admin('account', 'rate', email, '0')).toMatchObject({ keyRatePerSecond: null });
    expect(await admin('account', 'numbers', email, '25')).toMatchObject({ numbersMax: 25 });
    expect(await refusal(['account', 'numbers', email, '-1'])).toBe('commander.invalidArgument');
    expect(await admin('account', 'activate-urls', email)).toMatchObject({ urlsActivated: true });
    expect(await admin('account', 'block', email)).toMatchObject({ blockedAt: expect.stringMatching(/Z$/) });
    expect(await admin('account', 'unblock', email)).toMatchObject({
      blockedAt: null,
      dailyLimit: 0,
      urlsActivated: true,
    });
  });

  it('address block and unblock normalize the address', async () => {
    expect(await admin('address', 'block', '::ffff:203.0.113.77')).toEqual({ address: '203.0.113.77', blocked: true });
    await admin('address', 'block', '203.0.113.77');
    expect(await bed.database.sql('SELECT address FROM blocked_addresses')).toEqual([{ address: '203.0.113.77' }]);
    expect(await admin('address', 'unblock', '203.0.113.77')).toEqual({ address: '203.0.113.77', blocked: false });
    expect(await bed.database.sql('SELECT address FROM blocked_addresses')).toEqual([]);
  });

  it('address block takes a CIDR range, unblock removes all within one', async () => {
    expect(await admin('address', 'block', '198.51.100.77/24')).toEqual({ address: '198.51.100.0/24', blocked: true });
    expect(await admin('address', 'block', '2001:db8::7')).toEqual({ address: '2001:db8::/64', blocked: true });
    await admin('address', 'block', '198.51.100.9');
    expect(await admin('address', 'unblock', '198.51.0.0/16')).toEqual({ address: '198.51.0.0/16', blocked: false });
    expect(await bed.database.sql('SELECT address FROM blocked_addresses')).toEqual([{ address: '2001:db8::/64' }]);
    await admin('address', 'unblock', '2001:db8::1');
    expect(await bed.database.sql('SELECT address FROM blocked_addresses')).toEqual([]);
  });

  it('credits adjust adds and removes credits, with the reason in the ledger', async () => {
    const { email, id } = await create();
    expect(await admin('credits', 'adjust', email, '10', '--why', 'a gift')).toMatchObject({
      credits: { balance: 13, purchased: 13, used: 0 },
    });
    expect(await admin('credits', 'adjust', email, '-4', '--why', 'a mistake')).toMatchObject({
      credits: { balance: 9, purchased: 9, used: 0 },
    });
    const entries = await bed.database.sql(
      'SELECT amount::int, note, kind FROM ledger_entries WHERE account_id = $1 ORDER BY number',
      [id],
    );
    expect(entries.slice(1)).toEqual([
      { amount: 10, note: 'a gift', kind: 'adjustment' },
      { amount: -4, note: 'a mistake', kind: 'adjustment' },
    ]);
    expect(await refusal(['credits', 'adjust', email, '-10', '--why', 'too much'])).toBe('insufficient_credits');
    expect(await moneyFaults(bed.database)).toEqual([]);
  });

  it('code create creates a code with credits, uses and an expiry', async () => {
    const { code } = await admin<{ code: string }>('code', 'create', '--credits', '25');
    expect(code).toMatch(/^[2-9A-Z]{4}-[2-9A-Z]{4}-[2-9A-Z]{4}$/);
    await admin('code', 'create', '--credits', '5', '--uses', '10', '--expires', '2099-12-31');
    expect(
      await bed.database.sql('SELECT credits, uses_max, uses, expires_at FROM redeem_codes ORDER BY created_at'),
    ).toEqual([
      { credits: 25, uses_max: 1, uses: 0, expires_at: null },
      { credits: 5, uses_max: 10, uses: 0, expires_at: new Date('2099-12-31T00:00:00Z') },
    ]);
  });

  it('payments list shows an account’s payments, and account unflag removes its flag', async () => {
    const { email, id } = await create();
    expect(await admin('payments', 'list', email)).toEqual({ payments: [] });
    await bed.database.sql(
      `WITH sold AS (
         INSERT INTO checkout_sessions (session_id, account_id, pack, credits, amount_cents, status)
         VALUES ('cs_1', $1, 'basic', 250, 1000, 'paid')
       ) INSERT INTO payments (account_id, session_id, card_payment_id, amount_cents, credits, method)
         VALUES ($1, 'cs_1', 'pi_1', 1000, 250, 'Stripe Payment')`,
      [id],
    );
    expect(await admin('payments', 'list', email)).toMatchObject({
      payments: [{ sessionId: 'cs_1', amountCents: 1_000, credits: 250, refundedCents: 0, method: 'Stripe Payment' }],
    });
    await bed.database.sql(`UPDATE accounts SET flagged_at = now(), flagged_reason = 'why' WHERE id = $1`, [id]);
    expect(await admin('account', 'show', email)).toMatchObject({ flaggedReason: 'why' });
    expect(await admin('account', 'unflag', email)).toMatchObject({ flaggedAt: null, flaggedReason: null });
  });

  it('queue status counts jobs by state', async () => {
    const empty = { isPaused: false, jobs: { active: 0, prioritized: 0, delayed: 0, failed: 0 } };
    expect(await admin('queue', 'status')).toMatchObject({
      dispatch: { ...empty, carrierPause: null },
      mail: empty,
      webhooks: empty,
      'credits-added': empty,
    });
  });

  it('queue status shows a pause by the carrier, and queue resume has a worker probe at once', async () => {
    await bed.database.sql(
      `INSERT INTO carrier_pauses (carrier, message_id, http_status, carrier_error, next_probe_at)
       VALUES (1, gen_random_uuid(), 403, 20005, now() + interval '1 hour')`,
    );
    const check = 'TWILIO_ACCOUNT_SID and TWILIO_AUTH_TOKEN';
    const refused = { httpStatus: 403, carrierError: 20_005, probes: 0, resumedAt: null };
    const carrierPause = { ...refused, carrierName: 'twilio', check };
    expect(await admin('queue', 'status', 'dispatch')).toMatchObject({ dispatch: { isPaused: false, carrierPause } });
    expect(await admin('queue', 'status', 'mail')).not.toHaveProperty('dispatch');
    await admin('queue', 'resume', 'mail');
    const isDue = () => bed.database.sql('SELECT next_probe_at <= now() AS due FROM carrier_pauses');
    expect(await isDue()).toEqual([{ due: false }]);
    await admin('queue', 'resume');
    expect(await isDue()).toEqual([{ due: true }]);
    await bed.database.sql('DELETE FROM carrier_pauses');
  });

  it('queue pause, resume, retry-failed and drain act on one queue or all, and are recorded', async () => {
    expect(await admin('queue', 'pause', 'webhooks')).toMatchObject({ webhooks: { isPaused: true } });
    expect(await admin('queue', 'status')).toMatchObject({
      webhooks: { isPaused: true },
      dispatch: { isPaused: false },
    });
    expect(Object.keys(await admin('queue', 'resume'))).toEqual([
      'dispatch',
      'mail',
      'webhooks',
      'credits-added',
      'media',
    ]);
    expect(await admin('queue', 'status', 'webhooks')).toMatchObject({ webhooks: { isPaused: false } });
    expect(await admin('queue', 'retry-failed', 'mail')).toEqual({ mail: { failed: 0, delayed: 0 } });
    expect(await admin('queue', 'drain', 'mail')).toEqual({ mail: { removed: 0 } });
    expect(await refusal(['queue', 'drain', 'nonsense'])).toBe('invalid_request');
    const { entries } = await admin<{ entries: { action: string; details: Record<string, unknown> }[] }>(
      'audit',
      'list',
      '--entries',
      '4',
    );
    expect(entries.slice(1)).toMatchObject([
      { action: 'operator.refused', details: { command: 'queue drain', code: 'invalid_request' } },
      { action: 'operator.command', details: { command: 'queue drain', arguments: ['nonsense'] } },
      { action: 'operator.command', details: { command: 'queue drain', arguments: ['mail'] } },
    ]);
  });

  it('ledger check exits with 0 without mismatches, and with 1 when there are some', async () => {
    const { apiKey } = await create();
    const row = acceptanceRow(core, apiKey);
    await core.get(Acceptance).decide(row);
    expect(await admin('ledger', 'check')).toMatchObject({
      mismatches: 0,
      accounts: expect.any(Number),
      entries: expect.any(Number),
    });
    expect(process.exitCode ?? 0).toBe(0);
    await bed.database.sql(`UPDATE ledger_entries SET amount = -2 WHERE source_id = $1`, [row.id]);
    expect(await admin('ledger', 'check')).toMatchObject({ mismatches: 2 });
    expect(process.exitCode).toBe(1);
    await bed.database.sql(`UPDATE ledger_entries SET amount = -1 WHERE source_id = $1`, [row.id]);
  });

  it('account delete requires --yes, and erases the account', async () => {
    const { id, email } = await create();
    expect(await refusal(['account', 'delete', email, '--why', 'asked for it'])).toBe('invalid_request');
    expect(await admin('account', 'show', email)).toMatchObject({ id, blockedAt: null });
    expect(await admin('account', 'delete', email, '--why', 'asked for it', '--yes')).toEqual({
      id,
      deleted: true,
      creditsLeft: 3,
    });
    expect(await refusal(['account', 'show', email])).toBe('account_not_found');
  });

  it('records every command in the audit log, and its error after it', async () => {
    const { email, id } = await create();
    await admin('account', 'limit', email, '7');
    expect(await refusal(['credits', 'adjust', email, '-10', '--why', 'too much'])).toBe('insufficient_credits');
    const { entries } = await admin<{ entries: object[] }>('audit', 'list', '--email', email, '--entries', '4');
    expect(entries).toMatchObject([
      { action: 'operator.command', details: { command: 'audit list' } },
      { action: 'operator.refused', details: { command: 'credits adjust', code: 'insufficient_credits' } },
      {
        action: 'operator.command',
        details: { command: 'credits adjust', arguments: [id, '-10'], options: { why: 'too much' } },
      },
      { actor: 'operator:ada', accountId: id, details: { command: 'account limit', arguments: [id, '7'] } },
    ]);
    const all = await admin<{ entries: { id: number; details: object }[] }>('audit', 'list', '--entries', '1');
    expect(all.entries).toMatchObject([{ details: { command: 'audit list' } }]);
    const older = await admin<{ entries: { id: number }[] }>('audit', 'list', '--before', String(all.entries[0]?.id));
    expect(Math.max(...older.entries.map((entry) => entry.id))).toBeLessThan(all.entries[0]?.id ?? 0);
  });

  it('keys re-encrypt counts what it encrypted, and exits with 1 when a key cannot be decrypted', async () => {
    const { id } = await create();
    expect(await admin('keys', 're-encrypt')).toEqual({ reencrypted: 0, unreadable: 0 });
    await bed.database.sql(`UPDATE key_secrets SET encryption_key_id = NULL, encrypted = 'x' WHERE account_id = $1`, [
      id,
    ]);
    expect(await admin('keys', 're-encrypt')).toEqual({ reencrypted: 0, unreadable: 1 });
    expect(process.exitCode).toBe(1);
  });

  it.each([
    ['account', 'show', 'unknown@example.com'],
    ['account', 'limit', 'unknown@example.com', '5'],
    ['account', 'block', 'unknown@example.com'],
    ['credits', 'adjust', 'unknown@example.com', '5', '--why', 'x'],
  ])('%s %s rejects an unknown address', async (...words) => {
    expect(await refusal(words)).toBe('account_not_found');
  });

  it.each([
    [['account', 'limit', 'a@b.c', 'many'], 'commander.invalidArgument'],
    [['account', 'limit', 'a@b.c', '-1'], 'commander.invalidArgument'],
    [['account', 'limit', 'a@b.c', '1.5'], 'commander.invalidArgument'],
    [['account', 'limit', 'a@b.c', '99999999999'], 'commander.invalidArgument'],
    [['account', 'rate', 'a@b.c', 'x'], 'commander.invalidArgument'],
    [['account', 'create', '--email', 'a@b.c', '--credits', '-5'], 'commander.invalidArgument'],
    [['credits', 'adjust', 'a@b.c', '0', '--why', 'x'], 'commander.invalidArgument'],
    [['credits', 'adjust', 'a@b.c', 'x', '--why', 'x'], 'commander.invalidArgument'],
    [['credits', 'adjust', 'a@b.c', '5'], 'commander.missingMandatoryOptionValue'],
    [['account', 'create'], 'commander.missingMandatoryOptionValue'],
    [['code', 'create'], 'commander.missingMandatoryOptionValue'],
    [['code', 'create', '--credits', '0'], 'commander.invalidArgument'],
    [['code', 'create', '--credits', '5', '--uses', '0'], 'commander.invalidArgument'],
    [['code', 'create', '--credits', '5', '--expires', 'soon'], 'commander.invalidArgument'],
    [['code', 'create', '--credits', '5', '--expires', '2026-13-01'], 'commander.invalidArgument'],
    [['account', 'create', '--email', 'notanemail'], 'commander.invalidArgument'],
    [['account', 'create', '--email', 'a b@example.com'], 'commander.invalidArgument'],
    [['account', 'create', '--email', 'ok@example.com', '--name', 'two\nlines'], 'commander.invalidArgument'],
    [['account', 'create', '--email', 'ok@example.com', '--name', 'x'.repeat(101)], 'commander.invalidArgument'],
    [['account', 'delete', 'a@b.c', '--why', ' ', '--yes'], 'commander.invalidArgument'],
    [['credits', 'adjust', 'a@b.c', '5', '--why', ''], 'commander.invalidArgument'],
    [['code', 'create', '--credits', '5', '--expires', '2020-01-01'], 'commander.invalidArgument'],
    [['code', 'create', '--credits', '5', '--expires', '2099-02-30'], 'commander.invalidArgument'],
    [['code', 'create', '--credits', '5', '--expires', '2099-01-01T10:00:00'], 'commander.invalidArgument'],
    [['key', 'create', 'a@b.c', 'Shop', '--expires', '2020-01-01'], 'commander.invalidArgument'],
    [['audit', 'list', '--entries', '0'], 'commander.invalidArgument'],
    [['audit', 'list', '--entries', '1001'], 'commander.invalidArgument'],
    [['audit', 'list', '--before', '0'], 'commander.invalidArgument'],
    [['inbound', 'status', '--hours', '1000000000'], 'commander.invalidArgument'],
    [['recipient', 'erase', 'a@b.c', 'everybody', '--yes'], 'commander.invalidArgument'],
    [['optout', 'list', '--recipient', 'ada'], 'commander.invalidArgument'],
    [['optout', 'lift', 'ada'], 'commander.invalidArgument'],
    [['optout', 'lift', '+14155550100', '--sender', 'ada'], 'commander.invalidArgument'],
    [['webhook', 'redeliver', '--account', 'a@b.c', '--from', '2099-01-01'], 'invalid_request'],
    [['webhook', 'redeliver', '--account', 'a@b.c', '--from', '2026-02-02', '--to', '2026-02-01'], 'invalid_request'],
    [['account', 'limit', 'a@b.c'], 'commander.missingArgument'],
    [['account', 'nonsense'], 'commander.unknownCommand'],
    [['address', 'block', 'example.com'], 'invalid_request'],
  ])('%j is rejected with %s, and changes nothing', async (words, code) => {
    const counted =
      'SELECT (SELECT count(*)::int FROM accounts) AS accounts, (SELECT count(*)::int FROM redeem_codes) AS codes';
    const before = await bed.database.sql(counted);
    expect(await refusal(words)).toBe(code);
    expect(await bed.database.sql(counted)).toEqual(before);
  });

  it('explains what is wrong with an argument', async () => {
    const printed: string[] = [];
    const program = new Command('admin').exitOverride();
    addCommands(program, async () => undefined);
    const quiet = (command: Command): void => {
      command.configureOutput({ writeErr: (text) => printed.push(text) });
      command.commands.forEach(quiet);
    };
    quiet(program);
    await expect(program.parseAsync(['account', 'limit', 'a@b.c', 'many'], { from: 'user' })).rejects.toThrow(
      CommanderError,
    );
    expect(printed.join('')).toContain('Give a whole number from 0 to 1000000000.');
  });

  it('inbound status counts the replies of the last hours by outcome', async () => {
    await bed.database.sql(
      `INSERT INTO inbound_receipts (carrier_id, outcome, created_at) VALUES
         ('SM1', 'received', now()), ('SM2', 'received', now()), ('SM3', 'unrouted', now()), ('SM4', 'full', now()),
         ('SM5', 'off', now() - interval '2 hours')`,
    );
    const none = { received: 2, held: 0, heldOnArrival: 0, limited: 0, unrouted: 1, resting: 0, full: 1 };
    expect(await admin('inbound', 'status')).toEqual({ hours: 24, ...none, off: 1 });
    expect(await admin('inbound', 'status', '--hours', '1')).toEqual({ hours: 1, ...none, off: 0 });
  });

  it('key create, list and revoke manage keys with limits', async () => {
    const { email } = await create();
    const options = ['--scopes', 'send,otp', '--countries', 'US,CA', '--addresses', '203.0.113.7', '--per-day', '5'];
    const { id, secret } = await admin<{ id: string; secret: string }>('key', 'create', email, 'Shop', ...options);
    expect(secret).toMatch(/^pt_live_[0-9a-f]{40}$/);
    const limited = { scopes: ['send', 'otp'], countries: ['US', 'CA'], addresses: ['203.0.113.7'], creditsPerDay: 5 };
    expect(await admin('key', 'list', email)).toMatchObject({ keys: [{ id, name: 'Shop', mode: 'live', ...limited }] });
    expect(await admin('key', 'create', email, 'Try', '--test', '--expires', '2099-01-01')).toMatchObject({
      secret: expect.stringMatching(/^pt_test_/),
    });
    const renewed = await admin<{ id: string; secret: string }>('key', 'rotate', email, id, '--keep-old', '24');
    const replaced = { id, secret: expect.stringMatching(/^pt_live_[0-9a-f]{40}$/), canceled: 0, scheduled: 0 };
    expect(renewed).toEqual(replaced);
    const earlier = [{ masked: `pt_live_••••${secret.slice(-4)}` }];
    const listed = await admin<{ keys: object[] }>('key', 'list', email);
    expect(listed.keys).toContainEqual(expect.objectContaining({ id, earlier: [expect.objectContaining(earlier[0])] }));
    expect(await admin('key', 'end-old', email, id)).toEqual({ id, ended: true });
    expect((await admin<{ keys: object[] }>('key', 'list', email)).keys).toContainEqual(
      expect.objectContaining({ id, earlier: [] }),
    );
    const ended = { id, revoked: true, canceled: 0, scheduled: 0 };
    expect(await admin('key', 'revoke', email, id, '--cancel-scheduled')).toEqual(ended);
    expect((await admin<{ keys: object[] }>('key', 'list', email)).keys).toHaveLength(1);
  });

  it.each([
    [['list', 'unknown@example.com'], 'account_not_found'],
    [['create', 'EMAIL', ' '], 'invalid_request'],
    [['create', 'EMAIL', 'Shop', '--scopes', 'all'], 'invalid_request'],
    [['create', 'EMAIL', 'Shop', '--countries', 'XX'], 'key_settings_invalid'],
    [['create', 'EMAIL', 'Shop', '--per-day', '0'], 'commander.invalidArgument'],
    [['rotate', 'EMAIL', '1'], 'key_not_found'],
    [['rotate', 'EMAIL', '1', '--keep-old', '73'], 'invalid_request'],
    [['end-old', 'EMAIL', '1'], 'key_not_found'],
    [['revoke', 'EMAIL', '1'], 'key_not_found'],
  ])('key %j is refused with %s', async (words, code) => {
    const { email } = await create();
    expect(await refusal(['key', ...words.map((word) => (word === 'EMAIL' ? email : word))])).toBe(code);
  });

  it('runs several commands for an operator in one container, and those of another operator in another', async () => {
    const runner = sharedRunnerOver(bed.config(), () => undefined);
    const containers: INestApplicationContext[] = [];
    const note = async (app: INestApplicationContext) => ({ container: containers.push(app) });
    try {
      for (const operator of ['ada', 'ada', 'bob']) await runner.run(note, operator);
    } finally {
      await runner.close();
    }
    expect(containers[1] === containers[0]).toBe(true);
    expect(containers[2] === containers[0]).toBe(false);
  });

  it('settles the messages of a dump, whose time is written as in its name, in ISO 8601 or as Postgres does', async () => {
    const now = new Date().toISOString();
    const settled = { since: expect.any(String), carriers: expect.any(Object) };
    for (const since of [`${now.slice(0, 19).replaceAll(':', '')}Z`, now, now.replace('T', ' ').replace('Z', '+00')]) {
      expect(await admin('backup', 'settle', '--since', since)).toEqual(settled);
    }
    for (const since of ['2026-11-21', 'yesterday', '2999-01-01T00:00:00Z'])
      expect(await refusal(['backup', 'settle', '--since', since])).toBe('commander.invalidArgument');
  });
});
