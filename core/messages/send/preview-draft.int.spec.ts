import fc from 'fast-check';
import { NamedKeys } from '../../keys/named-keys.js';
import { DomainError } from '../../platform/errors/domain-error.js';
import { newMessageId } from '../../rules/ids.js';
import { acceptanceRow, refusedByRules } from '../../testing/acceptance-rows.js';
import { freeze, moneyFaults } from '../../testing/money.js';
import { createTestAccount, type TestAccount } from '../../testing/test-accounts.js';
import { createTestBed, type TestBed } from '../../testing/test-bed.js';
import { createTestCore, type TestCore } from '../../testing/test-core.js';
import { BatchesRepository } from '../bulk/batches.repository.js';
import { Acceptance } from './acceptance.js';
import type { AcceptanceRow } from './acceptance-batch.js';
import { PreviewDraft } from './preview-draft.js';
import { SendMessage } from './send-message.js';
import { QuoteMessage } from './quote-message.js';

const TO = '+14155552671';
const OPTED_OUT = '+14155552672';
const SENDER = '+15005550006';
const OWN_SENDER = '+15005550099';
const BLOCKED_ADDRESS = '203.0.113.1';

interface State {
  readonly credits: number;
  readonly frozen: number;
  readonly hasRecord: boolean;
  readonly suspended: boolean;
  readonly blocked: boolean;
  /** Places left today, and tomorrow. */
  readonly dayLeft: number;
  readonly ownNumbersOnly: boolean;
  readonly countryOff: boolean;
  readonly urlsActivated: boolean;
  readonly key: { readonly perDay: number | null; readonly perMonth: number | null; readonly abroad: boolean } | null;
}

interface Ask {
  readonly price: number;
  readonly test: boolean;
  readonly refused: boolean;
  readonly hasUrl: boolean;
  readonly optedOut: boolean;
  readonly addressBlocked: boolean;
  readonly tomorrow: boolean;
}

const usual: State = {
  credits: 100,
  frozen: 0,
  hasRecord: true,
  suspended: false,
  blocked: false,
  dayLeft: 100,
  ownNumbersOnly: false,
  countryOff: false,
  urlsActivated: false,
  key: null,
};
const plain: Ask = {
  price: 3,
  test: false,
  refused: false,
  hasUrl: false,
  optedOut: false,
  addressBlocked: false,
  tomorrow: false,
};

const rarely = (weight: number) => fc.integer({ min: 1, max: weight }).map((n) => n === weight);
const budget = fc.constantFrom(null, 2, 100);
const states = fc.record<State>({
  credits: fc.constantFrom(0, 2, 100, 100, 100),
  frozen: fc.constantFrom(0, 0, 2),
  hasRecord: rarely(10).map((lacks) => !lacks),
  suspended: rarely(6),
  blocked: rarely(12),
  dayLeft: fc.constantFrom(0, 1, 100, 100),
  ownNumbersOnly: rarely(6),
  countryOff: rarely(6),
  urlsActivated: fc.boolean(),
  key: fc.oneof(fc.constant(null), fc.record({ perDay: budget, perMonth: budget, abroad: rarely(6) })),
});
const asks = fc.record<Ask>({
  price: fc.constantFrom(1, 3, 50),
  test: rarely(6),
  refused: rarely(6),
  hasUrl: rarely(5),
  optedOut: rarely(5),
  addressBlocked: rarely(12),
  tomorrow: rarely(4),
});

describe('A preview', () => {
  let bed: TestBed;
  let core: TestCore;

  beforeAll(async () => {
    bed = await createTestBed();
    core = await createTestCore(bed.config({ FREE_CREDITS_OWN_NUMBER: 'true' }));
    await bed.database.sql('INSERT INTO opt_outs (recipient, sender) VALUES ($1, $2)', [OPTED_OUT, SENDER]);
    await bed.database.sql('INSERT INTO blocked_addresses VALUES ($1)', [BLOCKED_ADDRESS]);
  });

  afterEach(async () => {
    expect(await moneyFaults(bed.database)).toEqual([]);
  });

  afterAll(async () => {
    await core?.close();
    await bed?.remove();
  });

  const sql = (text: string, values: readonly unknown[] = []) => bed.database.sql(text, [...values]);

  /** Opens an account in this state; `apiKey` is the key that sends. */
  async function open(changes: Partial<State> = {}): Promise<TestAccount> {
    const { key, ...state } = { ...usual, ...changes };
    const account = await createTestAccount(core, { credits: state.credits, urlsActivated: state.urlsActivated });
    const { id } = account;
    const created =
      key &&
      (await core.get(NamedKeys).create(
        { actor: 'account', accountId: id },
        {
          name: 'Key',
          mode: 'live',
          scopes: ['send'],
          addresses: [],
          countries: key.abroad ? ['DE'] : [],
          creditsPerDay: key.perDay,
          creditsPerMonth: key.perMonth,
          messagesPerSecond: null,
          expiresAt: null,
        },
      ));
    await sql(
      `UPDATE accounts SET delivery_suspended_at = CASE WHEN $2 THEN now() END,
         blocked_at = CASE WHEN $3 THEN now() END, own_numbers_only = $4, disabled_countries = $5
       WHERE id = $1`,
      [id, state.suspended, state.blocked, state.ownNumbersOnly, state.countryOff ? ['US'] : []],
    );
    if (state.hasRecord) await freeze(bed.database, id, state.frozen);
    await sql(
      `INSERT INTO daily_counts (account_id, day, count, last_granted, scheduled)
       SELECT $1, (at AT TIME ZONE 'America/New_York')::date, 60, 0, 40 - $2 FROM unnest(ARRAY[now(), $3]) AS days (at)
       ON CONFLICT (account_id, day) DO UPDATE SET count = excluded.count, scheduled = excluded.scheduled`,
      [id, Math.min(40, state.dayLeft), tomorrow()],
    );
    if (!state.hasRecord) {
      await sql('DELETE FROM ledger_entries WHERE account_id = $1', [id]);
      await sql('DELETE FROM credit_accounts WHERE account_id = $1', [id]);
    }
    return { ...account, apiKey: created?.secret ?? account.apiKey };
  }

  const tomorrow = () => new Date(Date.now() + 24 * 3_600_000);

  function rowOf({ apiKey }: TestAccount, changes: Partial<Ask> = {}): AcceptanceRow {
    const ask = { ...plain, ...changes };
    const row = acceptanceRow(core, apiKey, {
      price: ask.price,
      hasUrl: ask.hasUrl,
      ...(ask.optedOut && { recipient: OPTED_OUT }),
      ...(ask.addressBlocked && { address: BLOCKED_ADDRESS }),
      ...(ask.tomorrow && { timing: { sendAt: tomorrow(), validitySeconds: null } }),
    });
    const keyed = { ...row, key: { ...row.key, test: ask.test } };
    return ask.refused ? refusedByRules(keyed) : keyed;
  }

  /** Returns the refusal, or null. */
  async function previewed(row: AcceptanceRow): Promise<string | null> {
    const decision = await core.get(Acceptance).decide({ ...row, idempotencyKey: null, dryRun: true });
    return decision.kind === 'refused' ? decision.code : decision.refusal;
  }
  async function sent(row: AcceptanceRow): Promise<string | null> {
    const decision = await core.get(Acceptance).decide({ ...row, id: newMessageId() });
    return decision.kind === 'refused' ? decision.code : null;
  }

  /** Returns every row of the account with its versions, including versions that a lock leaves. */
  async function rowsOf({ id }: TestAccount): Promise<unknown[]> {
    const tables = ['api_keys', 'key_secrets', 'credit_accounts', 'ledger_entries', 'messages', 'daily_counts'];
    const versions = async (table: string, column = 'account_id') =>
      sql(`SELECT t, t.xmin::text, t.xmax::text FROM ${table} t WHERE ${column} = $1 ORDER BY 1`, [id]);
    const found = [await versions('accounts', 'id'), await sql('SELECT count(*) FROM message_checks')];
    for (const table of [...tables, 'idempotency_keys', 'conversation_owners']) found.push(await versions(table));
    return found;
  }

  const refusals: readonly [string, Partial<State>, Partial<Ask>][] = [
    ['address_blocked', {}, { addressBlocked: true }],
    ['account_blocked', { blocked: true }, {}],
    ['delivery_suspended', { suspended: true }, {}],
    ['no_credits', { credits: 0 }, {}],
    ['key_country', { key: { perDay: null, perMonth: null, abroad: true } }, {}],
    ['country_disabled', { countryOff: true }, {}],
    ['number_not_verified', { ownNumbersOnly: true }, {}],
    ['url_not_activated', {}, { hasUrl: true }],
    ['recipient_opted_out', {}, { optedOut: true }],
    ['daily_limit', { dayLeft: 0 }, {}],
    ['daily_limit', { dayLeft: 0 }, { tomorrow: true }],
    ['key_day_budget', { key: { perDay: 2, perMonth: 100, abroad: false } }, {}],
    ['key_month_budget', { key: { perDay: null, perMonth: 2, abroad: false } }, {}],
    ['insufficient_credits', { credits: 2 }, {}],
    ['credits_frozen', { frozen: 98 }, {}],
  ];

  it.each(refusals)('answers %s as sending does: %j, %j', async (code, state, ask) => {
    const account = await open(state);
    const before = await rowsOf(account);
    expect(await previewed(rowOf(account, ask))).toBe(code);
    expect(await rowsOf(account)).toEqual(before);
    expect(await sent(rowOf(account, ask))).toBe(code);
  });

  it('answers the refusal that sending the same message gets, or none, in any state, and changes nothing', async () => {
    const seen = new Set<string | null>();
    await fc.assert(
      fc.asyncProperty(states, asks, async (state, ask) => {
        const account = await open(state);
        // The first request that needs the credits record creates it.
        if (!state.hasRecord) await previewed(rowOf(account, ask));
        const before = await rowsOf(account);
        const told = await previewed(rowOf(account, ask));
        expect(await rowsOf(account)).toEqual(before);
        expect(await sent(rowOf(account, ask))).toBe(told);
        seen.add(told);
      }),
      { numRuns: 150, endOnFailure: true },
    );
    expect(seen.size).toBeGreaterThan(8);
  }, 120_000);

  it('counts what the key has spent', async () => {
    const account = await open({ key: { perDay: 5, perMonth: 7, abroad: false } });
    expect([await previewed(rowOf(account)), await sent(rowOf(account))]).toEqual([null, null]);
    expect([await previewed(rowOf(account)), await sent(rowOf(account))]).toEqual(['key_day_budget', 'key_day_budget']);
    await sql(`UPDATE api_keys SET credits_per_day = NULL, spent_that_month = 5 WHERE account_id = $1`, [account.id]);
    expect(await previewed(rowOf(account))).toBe('key_month_budget');
    await sql(`UPDATE api_keys SET spent_on = spent_on - 40 WHERE account_id = $1`, [account.id]);
    expect([await previewed(rowOf(account)), await sent(rowOf(account))]).toEqual([null, null]);
  });

  it('chooses the sender again when the operator has given the account one of its own', async () => {
    const account = await open();
    const row = { ...rowOf(account), sender: null };
    expect(await previewed({ ...row })).toBeNull();
    await sql('INSERT INTO account_senders (account_id, sender) VALUES ($1, $2)', [account.id, OWN_SENDER]);
    await sql('INSERT INTO opt_outs (recipient, sender) VALUES ($1, $2)', [TO, OWN_SENDER]);
    await sql('UPDATE accounts SET delivery_suspended_at = now() WHERE id = $1', [account.id]);
    expect(await core.get(Acceptance).decide({ ...row, dryRun: true })).toMatchObject({
      refusal: 'delivery_suspended',
      messageRefusal: 'recipient_opted_out',
    });
    await sql('UPDATE accounts SET delivery_suspended_at = NULL WHERE id = $1', [account.id]);
    expect([await previewed({ ...row }), await sent({ ...row })]).toEqual([
      'recipient_opted_out',
      'recipient_opted_out',
    ]);
  });

  it('waits for no charge and no bulk of the account', async () => {
    const account = await open();
    await core.get(BatchesRepository).begin({ id: newMessageId(), accountId: account.id });
    const rival = await bed.database.connect();
    try {
      await rival.query('BEGIN');
      await rival.query('SELECT 1 FROM credit_accounts WHERE account_id = $1 FOR UPDATE', [account.id]);
      await rival.query('UPDATE credit_accounts SET updated_at = now() WHERE account_id = $1', [account.id]);
      expect(await previewed(rowOf(account))).toBeNull();
      await rival.query('ROLLBACK');
    } finally {
      await rival.end();
    }
  });

  it('keeps no sender of several for the account', async () => {
    const several = await createTestCore(bed.config({ TWILIO_SENDERS: `${SENDER},+15005550007` }));
    try {
      const account = await createTestAccount(several, { credits: 10 });
      const conversations = () => sql('SELECT * FROM conversation_owners WHERE account_id = $1', [account.id]);
      const { key } = acceptanceRow(several, account.apiKey);
      await several.get(QuoteMessage).quote({ to: TO, text: 'Hello', key, address: '127.0.0.1' });
      await several.get(PreviewDraft).of({ accountId: account.id, to: TO, text: 'Hello', address: '127.0.0.1' });
      expect(await conversations()).toEqual([]);
      await several
        .get(SendMessage)
        .send({ to: TO, text: 'Hello', key, address: '127.0.0.1', reference: undefined, idempotencyKey: undefined });
      expect(await conversations()).toHaveLength(1);
    } finally {
      await several.close();
    }
  });

  it('is decided by itself, however many share its round trip', async () => {
    const accounts = await Promise.all([open({ credits: 4 }), open({ credits: 2 }), open({ suspended: true })]);
    const rows = Array.from({ length: 60 }, (_one, n) => rowOf(accounts[n % 3] ?? accounts[0]));
    const told = await Promise.all(rows.map(previewed));
    expect(told).toEqual(rows.map((_row, n) => [null, 'insufficient_credits', 'delivery_suspended'][n % 3]));
  });

  it.each([
    ['nothing', {}, TO, 'Hello'],
    ['suspended sending', { suspended: true }, TO, 'Hello'],
    ['no credits and a country that is off', { credits: 0, countryOff: true }, TO, 'Hello'],
    ['no credits and no number', { credits: 0 }, '+1 555', 'Hello'],
    ['a full day and no number', { dayLeft: 0 }, '+1 555', 'Hello'],
    ['a full day and an opt-out', { dayLeft: 0 }, OPTED_OUT, 'Hello'],
    ['a full day of scheduled messages', { dayLeft: 0 }, TO, 'Hello'],
    ['a number that is not verified and a URL', { ownNumbersOnly: true }, TO, 'https://example.com'],
    ['a balance that is too small', { credits: 2 }, '+4915123456789', 'Hello'],
    ['frozen credits', { frozen: 98 }, '+4915123456789', 'Hello'],
  ])('of a draft begins with the error that sending throws: %s', async (_title, state, to, text) => {
    const account = await open(state);
    const before = await rowsOf(account);
    const { faults } = await core.get(PreviewDraft).of({ accountId: account.id, to, text, address: '127.0.0.1' });
    expect(await rowsOf(account)).toEqual(before);
    const { key } = rowOf(account);
    const error = await core
      .get(SendMessage)
      .send({ to, text, key, address: '127.0.0.1', reference: undefined, idempotencyKey: undefined })
      .then(() => null)
      .catch((thrown: unknown) => thrown);
    const told = faults[0] && { code: faults[0].code, detail: faults[0].detail };
    expect(told).toEqual(error instanceof DomainError ? { code: error.code, detail: error.detail } : undefined);
    expect(error === null || error instanceof DomainError).toBe(true);
  });

  it('of a draft names one fault for each field', async () => {
    const account = await open({ suspended: true, countryOff: true });
    const draft = { accountId: account.id, to: '+1 555', text: 'See https://bit.ly/x', address: '127.0.0.1' };
    const faults = async (changes: object) =>
      (await core.get(PreviewDraft).of({ ...draft, ...changes })).faults.map(({ field, code }) => `${field}: ${code}`);
    expect(await faults({})).toEqual(['credits: delivery_suspended', 'to: invalid_number', 'message: url_shortener']);
    expect(await faults({ to: TO, text: 'Hello' })).toEqual(['credits: delivery_suspended', 'to: country_disabled']);
    expect(await faults({ to: '', text: '' })).toEqual(['credits: delivery_suspended']);
  });

  describe('of a draft with files', () => {
    const ofDraft = (account: TestAccount, draft: object) =>
      core
        .get(PreviewDraft)
        .of({ accountId: account.id, to: TO, text: 'Look', files: 2, address: '127.0.0.1', ...draft });

    it('has the price of an MMS, with or without a text', async () => {
      const account = await open({});
      const mms = { kind: 'mms', segments: 1, credits: 3, balance: 100, balanceAfter: 97, faults: [] };
      expect(await ofDraft(account, {})).toMatchObject({ ...mms, encoding: 'GSM-7', charactersLeft: 1_596 });
      expect(await ofDraft(account, { text: '' })).toMatchObject({ ...mms, charactersLeft: 1_600 });
      expect(await ofDraft(account, { text: 'ж'.repeat(1_600) })).toMatchObject({ ...mms, charactersLeft: 0 });
      const { faults } = await ofDraft(account, { text: 'a'.repeat(1_601) });
      expect(faults).toMatchObject([{ field: 'message', code: 'message_too_long' }]);
    });

    it('names the files as what a country does not take, or has the price of a text with links', async () => {
      const account = await open({ urlsActivated: true });
      const abroad = { to: '+447400123456' };
      expect(await ofDraft(account, abroad)).toMatchObject({
        credits: null,
        faults: [{ field: 'files', code: 'media_unsupported' }],
      });
      const linked = await ofDraft(account, { ...abroad, fallback: 'link' });
      expect(linked).toMatchObject({ kind: 'sms', faults: [] });
      expect(linked.segments).toBeGreaterThan(1);
      expect(linked.credits).toBe(3 * linked.segments);
      expect(await ofDraft(account, { fallback: 'link' })).toMatchObject({ kind: 'mms', credits: 3 });
    });

    it('tells that links in place of files are URLs', async () => {
      const { faults } = await ofDraft(await open({}), { to: '+447400123456', fallback: 'link' });
      expect(faults).toMatchObject([{ field: 'files', code: 'url_not_activated' }]);
    });
  });

  it('of a request throws what a test throws, whatever the balance', async () => {
    for (const state of [{ credits: 0 }, { suspended: true }, { dayLeft: 0 }, { frozen: 100 }]) {
      const account = await open(state);
      const { key } = rowOf(account);
      const quote = (to: string) => core.get(QuoteMessage).quote({ to, text: 'Hello', key, address: '127.0.0.1' });
      const credits = state.credits ?? 100;
      expect(await quote(TO)).toMatchObject({ credits: 1, balance: credits, available: credits - (state.frozen ?? 0) });
      await expect(quote(OPTED_OUT)).rejects.toMatchObject({ code: 'recipient_opted_out' });
      await expect(quote('+1 555')).rejects.toMatchObject({ code: 'invalid_number' });
    }
  });
});
