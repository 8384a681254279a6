import { z } from 'zod';
import { Credits } from '../credits/credits.js';
import { Acceptance } from '../messages/send/acceptance.js';
import { PreviewDraft } from '../messages/send/preview-draft.js';
import { Postgres } from '../platform/database/postgres.js';
import { acceptanceRow } from '../testing/acceptance-rows.js';
import { createTestCore } from '../testing/test-core.js';
import { Payments } from './payments.js';
import { frozenMismatches } from './purchases.repository.js';
import { purchaseScene } from './testing/purchase-scene.js';
import { adjustCredits } from '../testing/operator-credits.js';

// The account has 3 free credits and buys 250 for 1,000 cents.
describe('A disputed payment', () => {
  const scene = purchaseScene();
  const { open, tell, tellPaid, refund, money, payments } = scene;

  afterEach(async () => {
    expect(await scene.core.get(Payments).countMismatches()).toBe(0);
  });

  const buy = async (): Promise<string> => {
    const sessionId = await open();
    await tellPaid(scene.core.cardPayments.pay(sessionId));
    return sessionId;
  };
  const dispute = (sessionId: string, status: 'open' | 'won' | 'lost', changes: object = {}) =>
    tell({
      kind: 'disputed',
      dispute: {
        disputeId: `du_${sessionId}`,
        cardPaymentId: `pi_${sessionId}`,
        amountCents: 1_000,
        reason: 'fraudulent',
        status,
        ...changes,
      },
    });
  const frozen = async () => (await scene.core.get(Credits).balanceOf(scene.account.id)).frozen;
  const send = async (price = 1, process = scene.core) => {
    const decision = await process.get(Acceptance).decide(acceptanceRow(process, scene.account.apiKey, { price }));
    return decision.kind === 'refused' ? decision.code : decision.kind;
  };
  const countOf = (outcomes: readonly string[], outcome: string) => outcomes.filter((one) => one === outcome).length;

  it('freezes its credits: they stay in the balance, and only the others can be spent', async () => {
    await dispute(await buy(), 'open');
    expect([await frozen(), await money()]).toMatchObject([250, { balance: 253 }]);
    expect([await send(4), await send(3), await send()]).toEqual(['credits_frozen', 'accepted', 'credits_frozen']);
    expect(await send(251)).toBe('insufficient_credits');
  });

  it('leaves exactly the other credits to 60 messages that two processes accept at once', async () => {
    const other = await createTestCore(scene.bed.config());
    try {
      await dispute(await buy(), 'open');
      await adjustCredits(scene.core, scene.account.email, 17, 'test');
      const outcomes = await Promise.all(Array.from({ length: 60 }, (_, n) => send(1, n % 2 ? other : scene.core)));
      expect([countOf(outcomes, 'accepted'), countOf(outcomes, 'credits_frozen')]).toEqual([20, 40]);
      expect([await frozen(), await money()]).toMatchObject([250, { balance: 250 }]);
    } finally {
      await other.close();
    }
  });

  it('freezes what is not spent when messages are accepted at the same moment', async () => {
    const sessionId = await buy();
    const [outcomes] = await Promise.all([
      Promise.all(Array.from({ length: 40 }, () => send(10))),
      dispute(sessionId, 'open'),
      dispute(sessionId, 'open'),
    ]);
    const { balance } = await money();
    expect(balance).toBe(253 - 10 * countOf(outcomes, 'accepted'));
    expect(balance - (await frozen())).toBeLessThan(10);
  });

  it('that is won lets them be spent again', async () => {
    const sessionId = await buy();
    await dispute(sessionId, 'open');
    await dispute(sessionId, 'won');
    await dispute(sessionId, 'open');
    expect([await frozen(), await send(253)]).toEqual([0, 'accepted']);
  });

  it('that is lost takes them, and no credits that arrived later', async () => {
    const sessionId = await buy();
    expect(await send(200)).toBe('accepted');
    await dispute(sessionId, 'open');
    expect(await frozen()).toBe(53);
    await adjustCredits(scene.core, scene.account.email, 10, 'test');
    await dispute(sessionId, 'open');
    expect([await frozen(), await send(10)]).toEqual([53, 'accepted']);
    await dispute(sessionId, 'lost');
    expect([await frozen(), await money()]).toMatchObject([0, { balance: 0 }]);
  });

  it('in part freezes that part, and two disputes freeze both parts', async () => {
    const sessionId = await buy();
    await dispute(sessionId, 'open', { amountCents: 400 });
    expect(await frozen()).toBe(100);
    await dispute(sessionId, 'open', { disputeId: 'du_more', amountCents: 200 });
    expect(await frozen()).toBe(150);
    await dispute(sessionId, 'lost', { amountCents: 400 });
    expect([await frozen(), await money()]).toMatchObject([50, { balance: 153 }]);
    await dispute(sessionId, 'won', { disputeId: 'du_more', amountCents: 200 });
    expect(await frozen()).toBe(0);
  });

  it('that is refunded releases and takes what was frozen', async () => {
    const sessionId = await buy();
    await dispute(sessionId, 'open');
    await refund(sessionId, 1_000);
    expect([await frozen(), await money()]).toMatchObject([0, { balance: 3 }]);
  });

  it('freezes nothing of another payment', async () => {
    const [first] = [await buy(), await buy()];
    await dispute(first, 'open');
    expect([await frozen(), await send(253), await send()]).toEqual([250, 'accepted', 'credits_frozen']);
    expect(await payments()).toMatchObject([{ credits_frozen: 250 }, { credits_frozen: 0 }]);
  });

  it('keeps the operator and a quote from spending its credits', async () => {
    await dispute(await buy(), 'open');
    const { email, id } = scene.account;
    await expect(adjustCredits(scene.core, email, -4, 'test')).rejects.toMatchObject({
      code: 'insufficient_credits',
    });
    expect(await send(3)).toBe('accepted');
    const quote = await scene.core
      .get(PreviewDraft)
      .of({ accountId: id, to: '+14155552671', text: 'Hello', address: '127.0.0.1' });
    expect(quote.faults).toMatchObject([{ field: 'credits', code: 'insufficient_credits' }]);
  });

  it('is compared with the account by a statement that returns rows of its type', async () => {
    await dispute(await buy(), 'open');
    await scene.bed.database.sql('UPDATE payments SET credits_frozen = 249 WHERE account_id = $1', [scene.account.id]);
    const [row] = await scene.core.get(Postgres).query(frozenMismatches, []);
    expect(z.strictObject({ mismatches: z.int() }).parse(row)).toEqual({ mismatches: 1 });
    await scene.bed.database.sql('UPDATE payments SET credits_frozen = 250 WHERE account_id = $1', [scene.account.id]);
  });
});
