import { ApiKeys } from '../keys/api-keys.js';
import { SendMessage } from '../messages/send/send-message.js';
import { Numbers } from '../numbers/numbers.js';
import { Pools } from '../numbers/pools.js';
import { numberScene } from '../numbers/testing/number-scene.js';
import { messageIdFromPublic, newMessageId, publicNumberId } from '../rules/ids.js';
import { adjustCredits } from '../testing/operator-credits.js';
import { createTestAccount, type TestAccount } from '../testing/test-accounts.js';
import { texted } from '../testing/texted.js';
import { WebhookEndpoints } from '../webhooks/endpoints/webhook-endpoints.js';
import { HeldReplies } from './held-replies.js';
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
  const release = () => scene.core.get(Numbers).release(scene.account.id, publicId);

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

  it('with STOP holds for this number alone', async () => {
    expect(await receive(number, 'STOP')).toBe('received');
    const optOuts = await scene.bed.database.sql('SELECT sender, shared FROM opt_outs WHERE recipient = $1', [person]);
    expect(optOuts).toEqual([{ sender: number, shared: false }]);
    await expect(
      texted(scene.core, scene.bed.database, scene.account, { recipient: person, sender: number }),
    ).rejects.toThrow('refused');
    await texted(scene.core, scene.bed.database, scene.account, { recipient: person });
  });
});
