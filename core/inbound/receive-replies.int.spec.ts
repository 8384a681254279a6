import fc from 'fast-check';
import { limits } from '#contract/limits.js';
import { DispatchMessage } from '../messages/dispatch/dispatch-message.js';
import { OperatorNumbers } from '../numbers/operator-numbers.js';
import { Acceptance } from '../messages/send/acceptance.js';
import { RecordReceipt } from '../messages/status/record-receipt.js';
import { newMessageId, publicMessageId } from '../rules/ids.js';
import { acceptanceRow } from '../testing/acceptance-rows.js';
import { moneyFaults, moneyOf } from '../testing/money.js';
import { createTestAccount, type TestAccount } from '../testing/test-accounts.js';
import { createTestBed, type TestBed } from '../testing/test-bed.js';
import { createTestCore, type TestCore } from '../testing/test-core.js';
import { texted, type Texted } from '../testing/texted.js';
import { WebhookEndpoints } from '../webhooks/endpoints/webhook-endpoints.js';
import { ReceivedHistory } from './received-history.js';
import { OptOuts, type IncomingReply } from './opt-outs.js';
import { ReceiveReplies } from './receive-replies.js';
import { HeldReplies } from './held-replies.js';
import { adjustCredits } from '../testing/operator-credits.js';

const OURS = '+15005550006';
const OTHER = '+15005550007';
const THIRD = '+15005550008';
const SERVICE = `MG${'5'.repeat(32)}`;
const URL = 'https://example.com/sms';

type Step =
  | { readonly kind: 'reply'; readonly who: number; readonly times: number }
  | { readonly kind: 'credits'; readonly who: number; readonly credits: number }
  | { readonly kind: 'send'; readonly who: number }
  | { readonly kind: 'recover' };

describe('ReceiveReplies', () => {
  let bed: TestBed;
  let core: TestCore;
  let ada: TestAccount;
  let bob: TestAccount;
  let person: string;
  let persons = 0;

  beforeAll(async () => {
    bed = await createTestBed();
    core = await createTestCore(bed.config());
  });

  beforeEach(async () => {
    [ada, bob] = [await receiver(10), await receiver(10)];
    persons += 1;
    person = `+1415556${String(1_000 + persons)}`;
  });

  afterEach(async () => {
    expect(await moneyFaults(bed.database)).toEqual([]);
    expect(await core.get(ReceivedHistory).countMismatches()).toBe(0);
  });

  afterAll(async () => {
    await core?.close();
    await bed?.remove();
  });

  async function receiver(credits: number): Promise<TestAccount> {
    const account = await createTestAccount(core, { credits });
    await core.get(WebhookEndpoints).setUrl(account.id, URL);
    return account;
  }
  const text = (account: TestAccount, changes: Partial<Texted> = {}) =>
    texted(core, bed.database, account, { recipient: person, ...changes });
  const incoming = (changes: Partial<IncomingReply> = {}): IncomingReply => ({
    carrier: 1,
    carrierId: `SM${newMessageId().replaceAll('-', '')}`,
    sender: person,
    recipient: OURS,
    service: undefined,
    text: 'Hello',
    segments: 1,
    wish: undefined,
    ...changes,
  });
  const receive = (changes: Partial<IncomingReply> = {}) => core.get(ReceiveReplies).receive(incoming(changes));
  const storedOf = ({ id }: TestAccount) =>
    bed.database.sql<{ number: string; status: string; body: string; id: string }>(
      'SELECT * FROM inbound_messages WHERE account_id = $1 ORDER BY number',
      [id],
    );
  const forwardedOf = async ({ id }: TestAccount) =>
    (
      await bed.database.sql<{ body: string }>(
        'SELECT body FROM webhook_deliveries WHERE account_id = $1 ORDER BY id',
        [id],
      )
    ).map(({ body }) => (JSON.parse(body) as { Message: string }).Message);
  const balanceOf = async ({ id }: TestAccount) => (await moneyOf(bed.database, id)).balance;
  const give = (account: TestAccount, credits: number) => adjustCredits(core, account.email, credits, 'test');
  const endOwnership = () => bed.database.sql('DELETE FROM conversation_owners WHERE recipient = $1', [person]);
  const ownerOf = async (changes: Partial<IncomingReply> = {}) => {
    const outcome = await receive(changes);
    if (outcome !== 'received') return outcome;
    const counts = await Promise.all([storedOf(ada), storedOf(bob)]);
    return counts.map((rows) => rows.length).join();
  };

  describe('routes a reply to', () => {
    it('the owner of the conversation, also when another account messaged its sender last', async () => {
      await text(ada);
      await text(bob);
      expect(await ownerOf()).toBe('1,0');
    });

    it('the account that messaged its sender last, when no account owns the conversation any more', async () => {
      await text(ada);
      await endOwnership();
      await text(bob);
      await endOwnership();
      expect(await ownerOf()).toBe('0,1');
    });

    it('the account whose message left last, not the one accepted last', async () => {
      const early = await text(ada);
      await endOwnership();
      await text(bob);
      await endOwnership();
      await bed.database.sql(`UPDATE messages SET claimed_at = now() + interval '1 second' WHERE id = $1`, [early]);
      expect(await ownerOf()).toBe('1,0');
    });

    it('the account that messaged from the number it was sent to', async () => {
      await text(ada, { sender: OURS });
      await text(bob, { sender: OTHER });
      expect(await ownerOf({ recipient: OURS })).toBe('1,0');
      expect(await ownerOf({ recipient: OTHER })).toBe('1,1');
    });

    it.each<[NonNullable<Texted['status']>, string]>([
      ['queued', '1,0'],
      ['failed', '1,0'],
      ['sending', '0,1'],
      ['sent', '0,1'],
      ['delivered', '0,1'],
      ['undelivered', '0,1'],
    ])('the account of the last message, when that of another account is %s', async (status, expected) => {
      await text(ada);
      await endOwnership();
      await text(bob, { status });
      expect(await ownerOf()).toBe(expected);
    });

    it('no account, when none messaged its sender', async () => {
      await text(ada, { recipient: '+14155550000' });
      expect(await ownerOf()).toBe('unrouted');
    });

    it('no account, when none messaged from that number', async () => {
      await text(ada, { sender: OTHER });
      expect(await ownerOf()).toBe('unrouted');
    });

    it('the account that messaged from the number’s messaging service, before the service’s number is known', async () => {
      await text(ada, { sender: SERVICE });
      expect(await ownerOf({ recipient: OTHER, service: SERVICE })).toBe('1,0');
    });

    it('the account that messaged from the number a messaging service chose, once a delivery receipt names it', async () => {
      const [adas, bobs] = [await text(ada, { sender: SERVICE }), await text(bob, { sender: SERVICE })];
      const receipt = (id: string, sender: string) =>
        core.get(RecordReceipt).record({
          carrier: 1,
          messageId: publicMessageId(id),
          carrierId: `SM${'1'.repeat(32)}`,
          status: 'delivered',
          carrierError: null,
          sender,
        });
      await Promise.all([receipt(adas, OURS), receipt(bobs, OTHER), receipt(adas, OURS)]);
      expect(await ownerOf({ recipient: OURS, service: SERVICE })).toBe('1,0');
      expect(await ownerOf({ recipient: OTHER })).toBe('1,1');
    });
  });

  it('numbers replies without gaps within an account, in order of arrival', async () => {
    await text(ada);
    await text(bob, { recipient: '+14155550000' });
    const bodies = Array.from({ length: 8 }, (_, n) => `${n}`);
    await Promise.all(bodies.map((body) => receive({ text: body })));
    const rows = await storedOf(ada);
    expect(rows.map(({ number }) => Number(number))).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    expect(rows.map(({ body }) => body)).toEqual(bodies);
  });

  it('stores a reply once when a batch repeats it', async () => {
    await text(ada);
    const message = incoming();
    const outcomes = await Promise.all([1, 2, 3].map(() => core.get(ReceiveReplies).receive(message)));
    expect(outcomes.toSorted()).toEqual(['received', 'repeated', 'repeated']);
    expect(await storedOf(ada)).toHaveLength(1);
  });

  it('stores the other replies of a batch when Postgres rejects one', async () => {
    await text(ada);
    const results = await Promise.allSettled([receive(), receive({ text: 'a\0b' }), receive()]);
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(await storedOf(ada)).toHaveLength(2);
  });

  describe('records an opt-out', () => {
    const send = async (sender: string, account = ada) => {
      const row = acceptanceRow(core, account.apiKey, { recipient: person, sender });
      const decision = await core.get(Acceptance).decide(row);
      return decision.kind === 'refused' ? decision.code : decision.kind;
    };
    const sendOurs = async () => [await send(OURS), await send(OTHER)];
    const [refused, accepted] = ['recipient_opted_out', 'accepted'];
    const optOuts = async () => (await core.get(OptOuts).list(person)).optOuts.map(({ sender }) => sender).sort();

    afterEach(() => core.get(OperatorNumbers).set(bob.email, []));

    it('for every shared sender, whichever the reply was sent to', async () => {
      await receive({ recipient: OURS, text: 'STOP' });
      expect(await optOuts()).toEqual([OURS]);
      expect(await sendOurs()).toEqual([refused, refused]);
    });

    it('that a message met which was accepted before', async () => {
      const row = acceptanceRow(core, ada.apiKey, { recipient: person, sender: OTHER });
      await core.get(Acceptance).decide(row);
      await receive({ recipient: OURS, text: 'STOP' });
      await core.get(DispatchMessage).dispatch(row.id);
      const found = await bed.database.sql('SELECT error_code FROM messages WHERE id = $1', [row.id]);
      expect(found).toEqual([{ error_code: refused }]);
    });

    it('and lifts it by START to any of them', async () => {
      await receive({ recipient: OURS, text: 'STOP' });
      await receive({ recipient: OTHER, text: 'STOP' });
      await receive({ recipient: OTHER, text: 'START' });
      expect([await optOuts(), await sendOurs()]).toEqual([[], [accepted, accepted]]);
    });

    it('of a release that did not know of other senders as well', async () => {
      await bed.database.sql('INSERT INTO opt_outs (recipient, sender) VALUES ($1, $2)', [person, OURS]);
      expect(await sendOurs()).toEqual([refused, refused]);
      await receive({ recipient: OTHER, text: 'START' });
      expect(await sendOurs()).toEqual([accepted, accepted]);
    });

    it('that every account sees which has texted the person from a shared sender', async () => {
      await text(ada, { sender: OURS });
      await text(bob, { sender: OTHER });
      const listed = () =>
        bed.database.sql<{ account_id: string; open: boolean }>(
          'SELECT account_id, opted_in_at IS NULL AS open FROM account_opt_outs WHERE recipient = $1',
          [person],
        );
      await receive({ recipient: OURS, text: 'STOP' });
      const ofBoth = (open: boolean) =>
        expect.arrayContaining([
          { account_id: ada.id, open },
          { account_id: bob.id, open },
        ]);
      expect(await listed()).toEqual(ofBoth(true));
      await receive({ recipient: OTHER, text: 'START' });
      expect(await listed()).toEqual(ofBoth(false));
    });

    it('of the sender of one account apart from the shared ones', async () => {
      await core.get(OperatorNumbers).set(bob.email, [OTHER]);
      const all = async () => [await send(OURS), await send(OTHER, bob)];
      await receive({ recipient: OURS, text: 'STOP' });
      expect(await all()).toEqual([refused, accepted]);
      await receive({ recipient: OTHER, text: 'STOP' });
      expect(await all()).toEqual([refused, refused]);
      await receive({ recipient: OURS, text: 'START' });
      expect(await all()).toEqual([accepted, refused]);
      await receive({ recipient: OURS, text: 'STOP' });
      await receive({ recipient: OTHER, text: 'START' });
      expect(await all()).toEqual([refused, accepted]);
    });

    it('of a number whose messaging service belongs to one account apart, too', async () => {
      await core.get(OperatorNumbers).set(bob.email, [SERVICE]);
      await receive({ recipient: OTHER, service: SERVICE, text: 'STOP' });
      expect([await send(OURS), await send(SERVICE, bob)]).toEqual([accepted, refused]);
      await receive({ recipient: OURS, text: 'STOP' });
      await receive({ recipient: OURS, text: 'START' });
      expect([await send(OURS), await send(SERVICE, bob)]).toEqual([accepted, refused]);
      await receive({ recipient: OTHER, service: SERVICE, text: 'START' });
      expect(await send(SERVICE, bob)).toBe(accepted);
    });

    it('for the messaging service of the number, too', async () => {
      await receive({ recipient: OURS, service: SERVICE, text: 'STOP' });
      expect(await optOuts()).toEqual([OURS, SERVICE].sort());
    });

    it('of one recipient only', async () => {
      await receive({ recipient: OURS, text: 'STOP' });
      const other = acceptanceRow(core, ada.apiKey, { recipient: '+14155550000', sender: OURS });
      expect((await core.get(Acceptance).decide(other)).kind).toBe('accepted');
    });

    it('by the last word of a batch, whichever the senders', async () => {
      await Promise.all([receive({ text: 'START' }), receive({ recipient: OTHER, text: 'STOP' })]);
      expect(await sendOurs()).toEqual([refused, refused]);
      await Promise.all([receive({ text: 'STOP' }), receive({ recipient: OTHER, text: 'START' })]);
      expect(await sendOurs()).toEqual([accepted, accepted]);
    });

    it('which the operator can lift for one sender, and for all shared ones with it', async () => {
      await core.get(OperatorNumbers).set(bob.email, [OTHER]);
      for (const recipient of [OURS, OTHER, THIRD]) await receive({ recipient, text: 'STOP' });
      const { lifted } = await core.get(OptOuts).lift(person, OURS);
      expect(lifted.map(({ sender }) => sender).sort()).toEqual([OURS, THIRD]);
      expect(await optOuts()).toEqual([OTHER]);
    });
  });

  describe('without credits', () => {
    beforeEach(async () => {
      await text(ada);
      await give(ada, -(await balanceOf(ada)));
    });

    it('holds a reply: stored, not charged, not forwarded', async () => {
      expect(await receive({ text: 'held' })).toBe('held');
      expect(await storedOf(ada)).toMatchObject([{ status: 'held', body: 'held', credits: 0, received_at: null }]);
      expect(await forwardedOf(ada)).toEqual([]);
      expect(await balanceOf(ada)).toBe(0);
    });

    it('holds replies from the first that the balance does not cover', async () => {
      await give(ada, 2);
      const outcomes = await Promise.all(['a', 'b', 'c', 'd'].map((body) => receive({ text: body })));
      expect(outcomes).toEqual(['received', 'received', 'held', 'held']);
      expect(await forwardedOf(ada)).toEqual(['a', 'b']);
    });

    it('releases held replies oldest first while the balance lasts, and charges each once', async () => {
      for (const body of ['1', '2', '3', '4', '5']) await receive({ text: body });
      await give(ada, 3);
      const released = await Promise.all(Array.from({ length: 6 }, () => core.get(HeldReplies).release(ada.id)));
      expect(released.reduce((a, b) => a + b)).toBe(3);
      expect(await forwardedOf(ada)).toEqual(['1', '2', '3']);
      expect((await storedOf(ada)).map(({ status }) => status)).toEqual([
        'received',
        'received',
        'received',
        'held',
        'held',
      ]);
      expect(await balanceOf(ada)).toBe(0);
    });

    it('forwards a released reply with the time of its arrival', async () => {
      await receive();
      await bed.database.sql(`UPDATE inbound_messages SET created_at = '2026-01-15T17:03:04Z' WHERE account_id = $1`, [
        ada.id,
      ]);
      await give(ada, 1);
      await core.get(HeldReplies).release(ada.id);
      const [row] = await bed.database.sql<{ body: string }>(
        'SELECT body FROM webhook_deliveries WHERE account_id = $1',
        [ada.id],
      );
      expect(JSON.parse(row?.body ?? '')).toMatchObject({ DateTime: '1/15/2026, 12:03:04 PM', Status: 'Received' });
    });

    it('releases held replies by recovery when credits arrived without a job', async () => {
      await receive();
      await core.get(HeldReplies).recover();
      expect(await storedOf(ada)).toMatchObject([{ status: 'held' }]);
      await give(ada, 1);
      await Promise.all([core.get(HeldReplies).recover(), core.get(HeldReplies).recover()]);
      expect(await storedOf(ada)).toMatchObject([{ status: 'received', credits: 1 }]);
    });

    it('keeps replies held while the account does not receive, and releases them when it does', async () => {
      await receive();
      await give(ada, 1);
      await core.get(WebhookEndpoints).setUrl(ada.id, '');
      await core.get(HeldReplies).recover();
      expect(await core.get(HeldReplies).release(ada.id)).toBe(0);
      expect(await balanceOf(ada)).toBe(1);
      await core.get(WebhookEndpoints).setUrl(ada.id, URL);
      await core.get(HeldReplies).recover();
      expect(await forwardedOf(ada)).toEqual(['Hello']);
    });

    it('holds no more than the bound; further replies are dropped and counted', async () => {
      await bed.database.sql(
        `WITH more AS (UPDATE credit_accounts SET received_count = $2 WHERE account_id = $1)
         INSERT INTO inbound_messages (id, account_id, number, carrier_id, sender, recipient, body,
           segments, credits, status)
         SELECT gen_random_uuid(), $1, n, n::text, '+1', '+2', '', 1, 0, 'held' FROM generate_series(1, $2::int) n`,
        [ada.id, limits.heldMessagesMax - 1],
      );
      expect(await Promise.all([receive(), receive(), receive()])).toEqual(['held', 'full', 'full']);
      await give(ada, limits.heldMessagesMax);
      expect(await core.get(HeldReplies).release(ada.id)).toBe(limits.heldMessagesMax);
      expect(await balanceOf(ada)).toBe(0);
    });
  });

  it('keeps ledger and charges consistent under concurrent replies, repetitions, credits and sent messages', async () => {
    const step = fc.oneof(
      {
        weight: 5,
        arbitrary: fc.record({
          kind: fc.constant('reply' as const),
          who: fc.nat(1),
          times: fc.integer({ min: 1, max: 3 }),
        }),
      },
      {
        weight: 2,
        arbitrary: fc.record({
          kind: fc.constant('credits' as const),
          who: fc.nat(1),
          credits: fc.integer({ min: 1, max: 4 }),
        }),
      },
      { weight: 2, arbitrary: fc.record({ kind: fc.constant('send' as const), who: fc.nat(1) }) },
      { weight: 1, arbitrary: fc.record({ kind: fc.constant('recover' as const) }) },
    );
    await fc.assert(
      fc.asyncProperty(fc.array(fc.array(step, { minLength: 1, maxLength: 8 }), { maxLength: 5 }), async (rounds) => {
        const accounts = [await receiver(2), await receiver(2)];
        const people = accounts.map((_account, n) => `+1628555${1_000 + persons * 2 + n}`);
        persons += 1;
        for (const [n, account] of accounts.entries()) await text(account, { recipient: people[n] ?? '' });
        let replies = 0;
        const act = async (action: Step) => {
          if (action.kind === 'recover') return void (await core.get(HeldReplies).recover());
          const account = accounts[action.who];
          const recipient = people[action.who];
          if (!account || recipient === undefined) throw new Error('No such account');
          if (action.kind === 'credits') return give(account, action.credits);
          if (action.kind === 'send') {
            await core.get(Acceptance).decide(acceptanceRow(core, account.apiKey, { recipient }));
            return;
          }
          replies += 1;
          const message = incoming({ sender: recipient });
          await Promise.all(Array.from({ length: action.times }, () => core.get(ReceiveReplies).receive(message)));
        };
        for (const round of rounds) await Promise.all(round.map(act));
        await core.get(HeldReplies).recover();
        const rows = (await Promise.all(accounts.map(storedOf))).flat();
        expect(rows).toHaveLength(replies);
        for (const account of accounts) {
          const own = await storedOf(account);
          const forwarded = await forwardedOf(account);
          expect(forwarded).toHaveLength(own.filter(({ status }) => status === 'received').length);
          if (own.some(({ status }) => status === 'held')) expect(await balanceOf(account)).toBe(0);
        }
        expect(await moneyFaults(bed.database)).toEqual([]);
        expect(await core.get(ReceivedHistory).countMismatches()).toBe(0);
      }),
      { numRuns: 20 },
    );
  });
});
