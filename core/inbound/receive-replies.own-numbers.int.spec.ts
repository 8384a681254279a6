import { ApiKeys } from '../keys/api-keys.js';
import { ClaimMessages } from '../messages/dispatch/claim-messages.js';
import { insertOptOuts } from '../messages/store/opt-outs.sql.js';
import { SendMessage } from '../messages/send/send-message.js';
import { Numbers } from '../numbers/numbers.js';
import { Pools } from '../numbers/pools.js';
import { byKey, byOwner, numberScene } from '../numbers/testing/number-scene.js';
import { Postgres } from '../platform/database/postgres.js';
import { DomainError } from '../platform/errors/domain-error.js';
import { messageIdFromPublic, newMessageId, publicNumberId } from '../rules/ids.js';
import { adjustCredits } from '../testing/operator-credits.js';
import { createTestAccount, type TestAccount } from '../testing/test-accounts.js';
import { texted } from '../testing/texted.js';
import { WebhookEndpoints } from '../webhooks/endpoints/webhook-endpoints.js';
import { CatchUp } from './catch-up.js';
import { HeldReplies } from './held-replies.js';
import { OptOutList } from './opt-out-list.js';
import { OptOuts } from './opt-outs.js';
import { ReceivedHistory } from './received-history.js';
import { ReceiveReplies } from './receive-replies.js';

describe('A reply to a number that an account bought', () => {
  const scene = numberScene();
  let people = 0;
  let person: string;
  let number: string;
  let publicId: string;

  beforeEach(async () => {
    people += 1;
    person = `+1415559${1_000 + people}`;
    const bought = await scene.buy();
    ({ number } = bought);
    publicId = publicNumberId(bought.id);
    await receiving(scene.account);
  });

  const receiving = (account: TestAccount) =>
    scene.core.get(WebhookEndpoints).setUrl(account.id, 'https://example.com/sms');
  const receive = (to = number, text = 'Hello') =>
    scene.core.get(ReceiveReplies).receive({
      carrier: 1,
      carrierId: `SM${newMessageId().replaceAll('-', '')}`,
      sender: person,
      recipient: to,
      service: undefined,
      text,
      segments: 1,
      wish: undefined,
    });
  const received = () =>
    scene.bed.database.sql(
      `SELECT account_id FROM inbound_messages WHERE recipient = $1 AND sender = $2 ORDER BY number`,
      [number, person],
    );
  const balance = async () => (await scene.balance())?.balance ?? 0;
  const release = () => scene.core.get(Numbers).release(scene.account.id, publicId, byOwner);

  it('goes to this account, also from a stranger', async () => {
    expect(await receive()).toBe('received');
    expect(await received()).toEqual([{ account_id: scene.account.id }]);
  });

  it('is forwarded with the number that it was written to', async () => {
    await receive();
    const [delivery] = await scene.bed.database.sql<{ body: string }>(
      `SELECT body FROM webhook_deliveries WHERE account_id = $1 AND type = 'message.received'`,
      [scene.account.id],
    );
    expect(JSON.parse(delivery?.body ?? '')).toMatchObject({ Sender: person, Recipient: number });
  });

  it('is answered from the number that it was written to last, although a pool is the default', async () => {
    const { number: other } = await scene.buy();
    await scene.core
      .get(Pools)
      .put(scene.account.id, { name: 'Shop', numbers: [other], isDefault: true, address: '127.0.0.1' });
    const answer = async () => {
      const { messageId } = await scene.core.get(SendMessage).send({
        key: scene.core.get(ApiKeys).parse(scene.account.apiKey),
        to: person,
        text: 'Thanks',
        options: {},
        reference: undefined,
        idempotencyKey: undefined,
        address: '127.0.0.1',
      });
      const [row] = await scene.bed.database.sql<{ sender: string }>('SELECT sender FROM messages WHERE id = $1', [
        messageIdFromPublic(messageId),
      ]);
      return row?.sender;
    };
    await receive(number);
    expect(await answer()).toBe(number);
    await receive(other);
    expect(await answer()).toBe(other);
    await receive(number);
    expect(await answer()).toBe(number);
    await release();
    expect(await answer()).toBe(other);
  });

  describe('of a stranger', () => {
    const stranger = () => {
      people += 1;
      person = `+1415559${1_000 + people}`;
    };
    const bounded = (strangersPerDay: number) =>
      scene.core.get(Numbers).change(scene.account.id, publicId, { strangersPerDay }, byOwner);

    it('is received up to the number of a day, exactly, also of many at once; further ones cost nothing', async () => {
      await bounded(3);
      const before = await balance();
      const outcomes = await Promise.all(
        Array.from({ length: 12 }, () => {
          stranger();
          return receive();
        }),
      );
      expect(outcomes.toSorted()).toEqual([...Array(9).fill('limited'), ...Array(3).fill('received')]);
      expect(await balance()).toBe(before - 3);
      const stored = await scene.bed.database.sql(
        `SELECT status, credits FROM inbound_messages WHERE recipient = $1 AND status = 'limited'`,
        [number],
      );
      expect(stored).toEqual(Array.from({ length: 9 }, () => ({ status: 'limited', credits: 0 })));
      const forwarded = `SELECT FROM webhook_deliveries WHERE account_id = $1 AND type = 'message.received'`;
      expect(await scene.bed.database.sql(forwarded, [scene.account.id])).toHaveLength(3);
      const yesterday = `UPDATE stranger_days SET day = day - 1 WHERE number = $1`;
      await scene.bed.database.sql(yesterday, [number]);
      stranger();
      expect(await receive()).toBe('received');
    });

    it('is stored only when the number takes none, while people whom the account has texted are received', async () => {
      await bounded(0);
      stranger();
      expect(await receive()).toBe('limited');
      stranger();
      await texted(scene.core, scene.bed.database, scene.account, { recipient: person });
      expect(await receive()).toBe('received');
    });

    it('costs nothing while the number is being released', async () => {
      await texted(scene.core, scene.bed.database, scene.account, { recipient: person });
      await scene.core.get(Numbers).release(scene.account.id, publicId, byKey);
      const before = await balance();
      expect(await receive()).toBe('limited');
      expect(await balance()).toBe(before);
    });
  });

  it('is kept and charged without a URL for replies, and sent to none', async () => {
    await scene.core.get(WebhookEndpoints).setUrl(scene.account.id, '');
    const before = await balance();
    expect(await receive()).toBe('received');
    expect(await received()).toEqual([{ account_id: scene.account.id }]);
    expect(await balance()).toBe(before - 1);
    const deliveries = `SELECT FROM webhook_deliveries WHERE account_id = $1 AND type = 'message.received'`;
    expect(await scene.bed.database.sql(deliveries, [scene.account.id])).toEqual([]);
  });

  it('is held without credits, and received when some come, without a URL for replies', async () => {
    await scene.core.get(WebhookEndpoints).setUrl(scene.account.id, '');
    await adjustCredits(scene.core, scene.account.email, -(await balance()));
    expect(await receive()).toBe('held');
    await scene.core.get(HeldReplies).recover();
    const statusOf = 'SELECT status FROM inbound_messages WHERE sender = $1';
    expect(await scene.bed.database.sql(statusOf, [person])).toEqual([{ status: 'held' }]);
    await adjustCredits(scene.core, scene.account.email, 5);
    await scene.core.get(HeldReplies).recover();
    expect(await scene.bed.database.sql(statusOf, [person])).toEqual([{ status: 'received' }]);
    expect(await balance()).toBe(4);
  });

  it('goes to this account when another one texted the person from the number, before it was sold', async () => {
    const before = await createTestAccount(scene.core, { credits: 10 });
    const id = await texted(scene.core, scene.bed.database, before, { recipient: person });
    await scene.bed.database.sql('UPDATE messages SET sender = $2 WHERE id = $1', [id, number]);
    await scene.bed.database.sql('UPDATE conversation_owners SET sender = $2 WHERE recipient = $1', [person, number]);
    expect(await receive()).toBe('received');
    expect(await received()).toEqual([{ account_id: scene.account.id }]);
  });

  it('that rests is dropped and counted, and what was written stays with its account', async () => {
    await texted(scene.core, scene.bed.database, scene.account, { recipient: person, sender: number });
    expect(await receive()).toBe('received');
    const before = await scene.balance();
    const counted = async () => (await scene.core.get(ReceivedHistory).countOutcomes(1)).resting;
    const restingBefore = await counted();
    await release();
    expect([await receive(), await receive()]).toEqual(['resting', 'resting']);
    expect(await counted()).toBe(restingBefore + 2);
    expect(await received()).toEqual([{ account_id: scene.account.id }]);
    expect(await scene.balance()).toEqual(before);
    const own = 'SELECT sender FROM messages WHERE account_id = $1';
    expect(await scene.bed.database.sql(own, [scene.account.id])).toEqual([{ sender: number }]);
  });

  it('goes to the account that buys the number next, once it has rested', async () => {
    await texted(scene.core, scene.bed.database, scene.account, { recipient: person, sender: number });
    await release();
    await scene.bed.database.sql(`UPDATE numbers SET rests_until = now() WHERE number = $1`, [number]);
    const next = await scene.newAccount();
    await scene.buy({ number, accountId: next.id });
    await receiving(next);
    expect(await receive()).toBe('received');
    expect(await received()).toEqual([{ account_id: next.id }]);
  });

  it('goes nowhere while the purchase is not decided', async () => {
    scene.core.numberCarrier.faults = ['lost'];
    scene.core.numberCarrier.isDown = true;
    const reserving = await scene.buy();
    expect(await receive(reserving.number)).toBe('unrouted');
  });

  describe('with STOP', () => {
    /** Sends a message with this sender, or without a sender, and returns its outcome. */
    const send = async (from?: string, account = scene.account) => {
      const message = {
        key: scene.core.get(ApiKeys).parse(account.apiKey),
        to: person,
        text: 'Hello',
        options: from === undefined ? {} : { from },
        reference: undefined,
        idempotencyKey: undefined,
        address: '127.0.0.1',
      };
      try {
        return await scene.core
          .get(SendMessage)
          .send(message)
          .then(() => 'accepted');
      } catch (error) {
        return error instanceof DomainError ? error.code : 'failed';
      }
    };
    const OUT = 'recipient_opted_out';
    const listed = async (account = scene.account) => {
      const { optouts } = await scene.core.get(OptOutList).page(account.id, { all: true }, undefined);
      return optouts.map(({ number: who, sender, status }) => [who, sender, status]);
    };
    const rest = () => scene.bed.database.sql(`UPDATE numbers SET rests_until = now() WHERE number = $1`, [number]);
    const poolOf = async (...numbers: string[]) => {
      const pool = { name: 'Shop', numbers, isDefault: true, address: '127.0.0.1' };
      return (await scene.core.get(Pools).put(scene.account.id, pool)).pool_id;
    };

    it('holds for all that the account sends, also from numbers that it buys later, until START to any', async () => {
      const { number: other } = await scene.buy();
      const pool = await poolOf(number, other);
      await receive(number, 'STOP');
      const { number: later } = await scene.buy();
      const all = [number, other, later, pool, undefined];
      expect(await Promise.all(all.map((from) => send(from)))).toEqual(all.map(() => OUT));
      expect(await listed()).toEqual([[person, number, 'opted_out']]);
      const neighbor = await scene.newAccount();
      expect(await send(undefined, neighbor)).toBe('accepted');
      expect(await listed(neighbor)).toEqual([]);
      await receive(later, 'START');
      expect(await Promise.all(all.map((from) => send(from)))).toEqual(all.map(() => 'accepted'));
      expect(await listed()).toEqual([[person, number, 'opted_in']]);
    });

    it('refuses what was accepted before it from another number when its time has come', async () => {
      const { number: other } = await scene.buy();
      const id = await texted(scene.core, scene.bed.database, scene.account, {
        recipient: person,
        sender: other,
        status: 'queued',
      });
      await receive(number, 'STOP');
      const claimed = await scene.core.get(ClaimMessages).claim(id);
      expect(claimed?.row.verdict).toBe(OUT);
    });

    it('stays with the account after the release, and while the number rests', async () => {
      await release();
      expect(await receive(number, 'STOP')).toBe('resting');
      expect(await send()).toBe(OUT);
      expect(await listed()).toEqual([[person, number, 'opted_out']]);
      expect(await receive(number, 'START')).toBe('resting');
      expect(await send()).toBe('accepted');
    });

    it('is not the next owner’s, whose own STOP and START leave it alone', async () => {
      await receive(number, 'STOP');
      await release();
      await rest();
      const next = await scene.newAccount();
      await scene.buy({ number, accountId: next.id });
      expect([await send(number, next), await send(undefined, next)]).toEqual(['accepted', 'accepted']);
      await receive(number, 'STOP');
      expect([await send(undefined, next), await send()]).toEqual([OUT, OUT]);
      expect([await listed(next), await listed()]).toEqual([
        [[person, number, 'opted_out']],
        [[person, number, 'opted_out']],
      ]);
      await receive(number, 'START');
      expect([await send(undefined, next), await send()]).toEqual(['accepted', OUT]);
      expect([await listed(next), await listed()]).toEqual([
        [[person, number, 'opted_in']],
        [[person, number, 'opted_out']],
      ]);
      await scene.core.get(OptOuts).lift(person, undefined);
      expect(await send()).toBe('accepted');
    });

    it('that a START to another number has lifted is not recorded again when the carrier still knows it', async () => {
      const { number: other } = await scene.buy();
      await receive(number, 'STOP');
      await receive(other, 'START');
      const postgres = scene.core.get(Postgres);
      const refuse = (sender: string) =>
        postgres.transaction((tx) =>
          insertOptOuts(postgres, tx, [{ recipient: person, sender, service: null, source: 'carrier' }]),
        );
      await refuse(number);
      expect(await send(other)).toBe('accepted');
      await refuse(other);
      expect(await send(number)).toBe(OUT);
    });

    it('to a shared sender is not gone round by a message that names none', async () => {
      const shared = '+15005550006';
      await texted(scene.core, scene.bed.database, scene.account, { recipient: person, sender: shared });
      await receive(shared, 'STOP');
      await poolOf(number);
      await scene.bed.database.sql('DELETE FROM conversations WHERE recipient = $1', [person]);
      expect([await send(), await send(number)]).toEqual([OUT, 'accepted']);
      await receive(shared, 'START');
      expect(await send()).toBe('accepted');
    });

    it('that a process of the release before has stored holds for its number, then for the account', async () => {
      const { number: other } = await scene.buy();
      const before = 'INSERT INTO opt_outs (recipient, sender, shared) VALUES ($1, $2, false)';
      await scene.bed.database.sql(before, [person, number]);
      expect([await send(number), await send(other)]).toEqual([OUT, 'accepted']);
      await scene.core.get(CatchUp).run();
      expect(await send(other)).toBe(OUT);
      expect(await listed()).toEqual([[person, number, 'opted_out']]);
    });
  });
});
