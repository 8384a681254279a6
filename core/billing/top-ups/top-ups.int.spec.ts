import type { TopUpBody } from '#contract/billing.js';
import { startSandbox, type RunningSandbox } from '../../../sandbox/sandbox.js';
import { AccountErasure } from '../../accounts/account-erasure.js';
import { Credits } from '../../credits/credits.js';
import { moneyFaults } from '../../testing/money.js';
import { createTestAccount, type TestAccount } from '../../testing/test-accounts.js';
import { createTestBed, type TestBed } from '../../testing/test-bed.js';
import { createTestCore, type TestCore } from '../../testing/test-core.js';
import { PaymentEvents } from '../payment-events.js';
import { AutoTopUps } from './auto-top-ups.js';
import { SavedCardPayments } from '../card-payments.js';
import { SavedCard } from './saved-card.js';
import { ConfirmTopUp } from './confirm-top-up.js';
import { SettleTopUp } from './settle-top-up.js';
import { TopUps } from './top-ups.js';
import { adjustCredits } from '../../testing/operator-credits.js';

const KEY = 'sk_test_of_the_tests';
const GOOD = '4242424242424242';
const DECLINES = '4000000000000341';
const AUTHENTICATES = '4000002760003184';

interface Intent {
  readonly id: string;
  readonly status: string;
  readonly metadata: { readonly top_up?: string };
}

/** Against the sandbox's Stripe and the real SDK. */
describe('automatic top-up', () => {
  let bed: TestBed;
  let sandbox: RunningSandbox;
  let core: TestCore;
  let other: TestCore;
  let account: TestAccount;

  beforeAll(async () => {
    sandbox = await startSandbox({
      stripeSecretKey: KEY,
      stripePrices: [{ id: 'price_basic', cents: 1_000 }],
      onError: () => undefined,
    });
    bed = await createTestBed();
    const config = bed.config({ STRIPE_API_URL: sandbox.url });
    [core, other] = await Promise.all([createTestCore(config), createTestCore(config)]);
  });

  beforeEach(async () => {
    account = await createTestAccount(core, { credits: 100 });
  });

  afterEach(async () => {
    jest.restoreAllMocks();
    await control('faults', { service: 'stripe', mode: 'none' });
    expect(await moneyFaults(bed.database)).toEqual([]);
    await bed.database.sql(`UPDATE auto_top_ups SET enabled = false`);
    await bed.database.sql(`UPDATE top_ups SET due_at = NULL`);
  });

  afterAll(async () => {
    await core?.close();
    await other?.close();
    await sandbox?.close();
    await bed?.remove();
  });

  const control = async (path: string, given: object) => {
    const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(given) };
    expect((await fetch(`${sandbox.url}/_control/${path}`, init)).ok).toBe(true);
  };
  const stripe = async <T>(path: string): Promise<T> => {
    const answer = await fetch(`${sandbox.url}/v1/${path}`, { headers: { authorization: `Bearer ${KEY}` } });
    return (await answer.json()) as T;
  };
  const settings = () => core.get(AutoTopUps).show(account.id);
  const saveCard = async (card = GOOD) => {
    const { url } = await core.get(SavedCard).openPage(account.id);
    const session = new URL(url).pathname.split('/').at(-1) ?? '';
    await control('stripe/pay', { session, card });
    await core.get(SavedCard).save(session, account.id);
    return session;
  };
  const turnOn = (changes: Partial<TopUpBody> = {}) =>
    core
      .get(AutoTopUps)
      .change(account.id, { enabled: true, threshold: 50, pack: 'basic', perMonthMax: 3, ...changes }, '203.0.113.7');
  const adjust = (credits: number) => adjustCredits(core, account.email, credits, 'test');
  const seen = () => bed.database.sql(`UPDATE auto_top_ups SET seen_at = now() - interval '1 minute'`);
  const check = async (times = 1) => {
    await seen();
    await Promise.all(Array.from({ length: times }, (_, n) => (n % 2 ? other : core).get(TopUps).check()));
  };
  /** Lets recovery look at all open attempts, `hours` after they began. */
  const recover = async (hours = 0) => {
    await bed.database.sql(
      `UPDATE top_ups SET due_at = now() - interval '1 second', created_at = created_at - make_interval(hours => $1)
       WHERE finished_at IS NULL`,
      [hours],
    );
    await Promise.all([core, other].map((one) => one.get(TopUps).recover()));
  };
  const customerId = async () => {
    const text = 'SELECT customer_id AS id FROM auto_top_ups WHERE account_id = $1';
    return (await bed.database.sql<{ id: string }>(text, [account.id]))[0]?.id;
  };
  const intents = async () =>
    (await stripe<{ data: Intent[] }>(`payment_intents?customer=${await customerId()}&limit=100`)).data;
  const attempts = async () => (await core.get(AutoTopUps).page(account.id, 1)).topUps;
  const statuses = async () => (await attempts()).map(({ status }) => status);
  const balance = async () => (await core.get(Credits).balanceOf(account.id)).balance;
  const mails = async () => {
    const rows = await bed.database.sql<{ content: { kind: string } }>(
      'SELECT content FROM mails WHERE account_id = $1 ORDER BY created_at, id',
      [account.id],
    );
    return rows.map(({ content }) => content);
  };
  const kinds = async () => (await mails()).map(({ kind }) => kind);
  /** A low balance, a card and settings. */
  const low = async (card = GOOD, changes: Partial<TopUpBody> = {}) => {
    await saveCard(card);
    await turnOn(changes);
    await adjust(-60);
  };

  it('is off until there is a card and the customer turns it on', async () => {
    expect(await settings()).toMatchObject({ available: true, enabled: false, card: null, open: null });
    await expect(turnOn()).rejects.toMatchObject({ code: 'card_missing' });
    await saveCard();
    await adjust(-60);
    await check();
    expect(await settings()).toMatchObject({
      enabled: false,
      card: { brand: 'visa', last4: '4242', expires: '12/2034' },
    });
    expect(await intents()).toEqual([]);
  });

  it('charges the card once for a fall below the threshold, whichever and however many workers see it', async () => {
    await low();
    await check(10);
    await Promise.all([check(5), check(5)]);
    expect(await intents()).toHaveLength(1);
    expect(await balance()).toBe(290);
    expect(await statuses()).toEqual(['paid']);
    const [payment] = await bed.database.sql('SELECT * FROM payments WHERE account_id = $1', [account.id]);
    expect(payment).toMatchObject({ amount_cents: 1_000, credits: 250, method: 'Stripe Payment (automatic top-up)' });
    expect(await mails()).toMatchObject([{ kind: 'receipt', isAutomatic: true, receiptUrl: expect.any(String) }]);
    await adjust(-250);
    await check(5);
    expect(await intents()).toHaveLength(2);
    expect(await balance()).toBe(290);
  });

  it.each(['blocked', 'flagged', 'delete'] as const)('charges no account that is %s', async (state) => {
    await low();
    await bed.database.sql(`UPDATE accounts SET ${state}_at = now() WHERE id = $1`, [account.id]);
    await check();
    expect(await intents()).toEqual([]);
    expect(await settings()).toMatchObject({ enabled: true, paused: state === 'flagged' });
  });

  it('shows no pause to an account that has turned it off, or whose dispute was won', async () => {
    await low();
    await bed.database.sql('UPDATE accounts SET flagged_at = now() WHERE id = $1', [account.id]);
    await turnOn({ enabled: false });
    expect(await settings()).toMatchObject({ enabled: false, paused: false });
    await turnOn();
    expect(await settings()).toMatchObject({ enabled: true, paused: true });
    await bed.database.sql('UPDATE accounts SET flagged_at = NULL WHERE id = $1', [account.id]);
    expect(await settings()).toMatchObject({ enabled: true, paused: false });
  });

  it('counts credits that a dispute froze as spent', async () => {
    await saveCard();
    await turnOn();
    await bed.database.sql('UPDATE credit_accounts SET frozen = 60 WHERE account_id = $1', [account.id]);
    await check();
    await bed.database.sql('UPDATE credit_accounts SET frozen = 0 WHERE account_id = $1', [account.id]);
    expect(await statuses()).toEqual(['paid']);
  });

  it('finds a charge whose worker was killed before it was recorded, and credits it once', async () => {
    await low();
    const settle = jest.spyOn(core.get(SettleTopUp), 'settle').mockRejectedValue(new Error('killed'));
    await seen();
    await core.get(TopUps).check();
    settle.mockRestore();
    expect(await statuses()).toEqual(['pending']);
    expect(await balance()).toBe(40);
    await check(4);
    expect(await intents()).toHaveLength(1);
    await recover(30);
    await recover(30);
    expect(await statuses()).toEqual(['paid']);
    expect(await intents()).toHaveLength(1);
    expect(await balance()).toBe(290);
  });

  it('finds a charge of the provider whose clock is some minutes behind', async () => {
    await low();
    await check();
    const [attempt] = await attempts();
    const topUp = { topUpId: attempt?.id ?? '', customerId: (await customerId()) ?? '' };
    const begunIn = (minutes: number) => new Date(Date.now() + minutes * 60_000);
    const cards = core.get(SavedCardPayments);
    expect(await cards.findOf({ ...topUp, since: begunIn(4) })).toMatchObject({ kind: 'paid' });
    expect(await cards.findOf({ ...topUp, topUpId: account.id, since: begunIn(4) })).toBeUndefined();
  });

  it('charges after all when the worker was killed before its call', async () => {
    await low();
    jest.spyOn(core.get(SavedCardPayments), 'charge').mockRejectedValueOnce(new Error('killed'));
    await seen();
    await core.get(TopUps).check();
    expect(await intents()).toEqual([]);
    await recover();
    expect([await statuses(), await balance(), (await intents()).length]).toEqual([['paid'], 290, 1]);
  });

  it('charges once when answers are lost', async () => {
    await low();
    await control('faults', { service: 'stripe', mode: 'lost-answer', count: 4 });
    await check();
    await control('faults', { service: 'stripe', mode: 'none' });
    await recover();
    expect([await statuses(), await balance(), (await intents()).length]).toEqual([['paid'], 290, 1]);
  });

  it('gives up after an hour when the provider has not begun the charge, and waits an hour more', async () => {
    await low();
    await control('faults', { service: 'stripe', mode: '500', count: 3 });
    await check();
    expect(await statuses()).toEqual(['pending']);
    await recover(2);
    expect(await statuses()).toEqual(['failed']);
    expect((await settings()).retryAt).not.toBeNull();
    await check();
    expect(await intents()).toEqual([]);
    expect(await kinds()).toEqual([]);
  });

  it('credits a charge once that events report twice, late, and out of order', async () => {
    await low();
    jest.spyOn(core.get(SettleTopUp), 'settle').mockRejectedValueOnce(new Error('killed'));
    await seen();
    await core.get(TopUps).check();
    const [intent] = await intents();
    const event = { kind: 'top_up', topUpId: intent?.metadata.top_up ?? '', cardPaymentId: intent?.id ?? '' } as const;
    await Promise.all(Array.from({ length: 20 }, (_, n) => (n % 2 ? other : core).get(PaymentEvents).handle(event)));
    await recover();
    await core.get(PaymentEvents).handle(event);
    expect([await statuses(), await balance()]).toEqual([['paid'], 290]);
    const foreign = '0199d0d0-7c5a-7b1f-8e0a-4f6f2f9c1b3d';
    await core.get(PaymentEvents).handle({ ...event, topUpId: foreign });
    expect(await balance()).toBe(290);
  });

  it('takes credits back for a refund, and flags a dispute, which ends further top-ups', async () => {
    await low();
    await check();
    const [intent] = await intents();
    const cardPaymentId = intent?.id ?? '';
    await core.get(PaymentEvents).handle({ kind: 'refunded', cardPaymentId, refundedCents: 500 });
    expect(await balance()).toBe(165);
    const dispute = { disputeId: `dp_${account.id}`, cardPaymentId, amountCents: 500, reason: 'fraudulent' } as const;
    await core.get(PaymentEvents).handle({ kind: 'disputed', dispute: { ...dispute, status: 'lost' } });
    expect(await balance()).toBe(40);
    await check();
    expect(await intents()).toHaveLength(1);
  });

  it('waits 1, 6 and 24 hours after declines, tells the customer of the first, and turns off after the fourth', async () => {
    await low(DECLINES);
    for (const hours of [1, 6, 24]) {
      await check(4);
      const { retryAt, enabled } = await settings();
      expect(enabled).toBe(true);
      const waitHours = (Date.parse(retryAt ?? '') - Date.now()) / 3_600_000;
      expect(Math.abs(waitHours - hours)).toBeLessThan(0.1);
      await check(4);
      await bed.database.sql('UPDATE auto_top_ups SET retry_at = now() WHERE account_id = $1', [account.id]);
    }
    await check(4);
    expect(await settings()).toMatchObject({ enabled: false, offReason: 'declined', retryAt: null });
    expect(await statuses()).toEqual(['declined', 'declined', 'declined', 'declined']);
    expect((await attempts())[0]).toMatchObject({ reason: 'The bank declined the payment.', cardLast4: '0341' });
    expect(await intents()).toHaveLength(4);
    expect(await kinds()).toEqual(['top_up_declined', 'top_up_off']);
    expect(await balance()).toBe(40);
  });

  describe('with a card whose bank wants a confirmation', () => {
    const begin = async () => {
      await low(AUTHENTICATES);
      await check(4);
      const { open } = await settings();
      expect(open).toMatchObject({ status: 'action_required', amount: '$10', credits: 250 });
      return open?.id ?? '';
    };
    const answer = async (url: string | null, act: 'confirm' | 'deny') => {
      const body = new URLSearchParams({ act });
      const response = await fetch(url ?? '', { method: 'POST', body, redirect: 'manual' });
      return response.headers.get('location') ?? '';
    };

    it('sends a link, charges once when it is confirmed, also after a failed try, and no more in between', async () => {
      const id = await begin();
      expect(await mails()).toMatchObject([{ kind: 'top_up_confirm', topUpId: id, credits: 250 }]);
      await check(4);
      const denied = await core.get(ConfirmTopUp).confirm(account.id, id);
      expect((await core.get(ConfirmTopUp).confirm(account.id, id)).url).toBe(denied.url);
      const back = await answer(denied.url, 'deny');
      expect(back).toMatch(new RegExp(`^https://pennytext.test/dashboard/purchase\\?confirmed=${id}&`));
      expect(await core.get(ConfirmTopUp).refresh(account.id, id)).toEqual({ status: 'action_required', url: null });
      const { url } = await core.get(ConfirmTopUp).confirm(account.id, id);
      await answer(url, 'confirm');
      await Promise.all([core, other].map((one) => one.get(ConfirmTopUp).refresh(account.id, id)));
      expect(await core.get(ConfirmTopUp).confirm(account.id, id)).toEqual({ status: 'paid', url: null });
      expect([await balance(), (await intents()).length]).toEqual([290, 1]);
      expect(await kinds()).toEqual(['top_up_confirm', 'receipt']);
    });

    it('belongs to its account alone', async () => {
      const id = await begin();
      const stranger = await createTestAccount(core);
      for (const call of ['confirm', 'refresh'] as const)
        await expect(core.get(ConfirmTopUp)[call](stranger.id, id)).rejects.toMatchObject({ code: 'top_up_not_found' });
    });

    it('cancels the charge and turns off when it is not confirmed in time', async () => {
      await begin();
      await recover();
      expect(await statuses()).toEqual(['expired']);
      expect(await settings()).toMatchObject({ enabled: false, offReason: 'not_confirmed' });
      expect((await intents()).map(({ status }) => status)).toEqual(['canceled']);
      expect(await kinds()).toEqual(['top_up_confirm', 'top_up_off']);
    });

    it('credits a charge that was confirmed while recovery cancels it', async () => {
      const id = await begin();
      const { url } = await core.get(ConfirmTopUp).confirm(account.id, id);
      await answer(url, 'confirm');
      await recover();
      expect([await statuses(), await balance()]).toEqual([['paid'], 290]);
    });

    it('cancels it without an email when the customer turns top-up off', async () => {
      await begin();
      await turnOn({ enabled: false });
      await Promise.all([core, other].map((one) => one.get(TopUps).recover()));
      expect(await statuses()).toEqual(['expired']);
      expect(await kinds()).toEqual(['top_up_confirm']);
    });
  });

  it('stops at the limit of the month and tells the customer once', async () => {
    await low(GOOD, { perMonthMax: 1 });
    await check();
    await adjust(-280);
    await check(3);
    await check();
    expect(await intents()).toHaveLength(1);
    expect(await kinds()).toEqual(['receipt', 'top_up_limit']);
    expect((await settings()).usedThisMonth).toBe(1);
    await bed.database.sql(`UPDATE top_ups SET created_at = created_at - interval '32 days' WHERE account_id = $1`, [
      account.id,
    ]);
    await check();
    expect(await intents()).toHaveLength(2);
  });

  it('is not held up by any number of accounts that wait after a decline', async () => {
    await low();
    await seen();
    await bed.database.sql(
      `WITH waiting AS (
         INSERT INTO accounts (id, email, sign_in_type)
         SELECT gen_random_uuid(), 'waiting-' || n || '@example.com', 'google' FROM generate_series(1, 250) AS n
         RETURNING id
       )
       INSERT INTO auto_top_ups (account_id, enabled, threshold, pack, per_month_max, customer_id, payment_method_id,
         card_last4, seen_at, retry_at)
       SELECT id, true, 50, 'basic', 3, 'cus_' || id, 'pm_1', '4242', now() - interval '1 day', now() + interval '1 day'
       FROM waiting`,
      [],
    );
    await core.get(TopUps).check();
    expect(await intents()).toHaveLength(1);
  });

  it('replaces a card, and neither an older session nor its event brings it back after its removal', async () => {
    const first = await saveCard(DECLINES);
    await bed.database.sql(`UPDATE auto_top_ups SET card_at = card_at - interval '1 hour'`);
    const second = await saveCard(GOOD);
    await bed.database.sql(`UPDATE auto_top_ups SET card_at = now() WHERE account_id = $1`, [account.id]);
    await core.get(PaymentEvents).handle({ kind: 'card_saved', sessionId: first });
    expect((await settings()).card?.last4).toBe('4242');
    await turnOn();
    await core.get(SavedCard).remove(account.id, '203.0.113.7');
    expect(await settings()).toMatchObject({ card: null, enabled: false });
    await core.get(PaymentEvents).handle({ kind: 'card_saved', sessionId: second });
    expect((await settings()).card).toBeNull();
    const session = await stripe<{ setup_intent: { payment_method: string } }>(
      `checkout/sessions/${second}?expand[]=setup_intent`,
    );
    const method = await stripe<{ customer: string | null }>(`payment_methods/${session.setup_intent.payment_method}`);
    expect(method.customer).toBeNull();
  });

  it('stores no card of another account’s session', async () => {
    const session = await saveCard();
    const stranger = await createTestAccount(core);
    await core.get(SavedCard).save(session, stranger.id);
    expect((await core.get(AutoTopUps).show(stranger.id)).card).toBeNull();
  });

  it('erases card, settings and the provider’s customer with the account', async () => {
    await low();
    await check();
    const customer = await customerId();
    await core.get(AccountErasure).erase(account.email, 'test');
    expect(await stripe(`customers/${customer}`)).toMatchObject({ error: { code: 'resource_missing' } });
    const left = await bed.database.sql(
      `SELECT 1 FROM top_ups WHERE account_id = $1 AND (customer_id <> '' OR card_last4 <> '')
       UNION ALL SELECT 1 FROM auto_top_ups WHERE account_id = $1`,
      [account.id],
    );
    expect(left).toEqual([]);
  });
});
