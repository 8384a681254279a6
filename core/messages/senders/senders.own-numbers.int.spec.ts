import { ApiKeys } from '../../keys/api-keys.js';
import { MediaStore } from '../../media/media-store.js';
import { inPieces, photoWithPlace } from '../../media/testing/pictures.js';
import { NumberDirectory } from '../../numbers/number-directory.js';
import { Numbers } from '../../numbers/numbers.js';
import { OperatorNumbers } from '../../numbers/operator-numbers.js';
import { Pools } from '../../numbers/pools.js';
import { byOwner, numberScene } from '../../numbers/testing/number-scene.js';
import { SendOtp } from '../../otp/send-otp.js';
import { Postgres } from '../../platform/database/postgres.js';
import { messageIdFromPublic, publicMediaId, publicNumberId } from '../../rules/ids.js';
import { secondCarrier, withSecondCarrier } from '../../testing/second-carrier.js';
import { createTestAccount, type TestAccount } from '../../testing/test-accounts.js';
import { createTestCore, type TestCore } from '../../testing/test-core.js';
import { QuoteBulk } from '../bulk/quote-bulk.js';
import { SendBulk } from '../bulk/send-bulk.js';
import { DispatchMessage } from '../dispatch/dispatch-message.js';
import { PreviewDraft } from '../send/preview-draft.js';
import { SendMessage } from '../send/send-message.js';
import { QuoteMessage } from '../send/quote-message.js';
import { Senders } from './senders.js';

const SHARED = ['+15005550006', '+15005550007'] as const;
const ADDRESS = '127.0.0.1';

let people = 0;
const newPerson = () => {
  people += 1;
  return `+1415557${1_000 + people}`;
};

describe('The numbers of an account as senders', () => {
  const scene = numberScene({ TWILIO_SENDERS: SHARED.join() });

  interface Sending {
    readonly from?: string | undefined;
    readonly to?: string;
    readonly account?: TestAccount;
    readonly process?: TestCore;
    readonly isTest?: boolean;
    readonly sendAt?: Date;
  }
  const keyOf = (account: TestAccount, isTest = false) =>
    scene.core.get(ApiKeys).parse(`${account.apiKey}${isTest ? '_test' : ''}`);
  const accept = ({ from, to = newPerson(), account = scene.account, process = scene.core, ...more }: Sending) =>
    process.get(SendMessage).send({
      key: keyOf(account, more.isTest),
      to,
      text: 'Hello',
      options: { ...(from !== undefined && { from }), ...(more.sendAt && { sendAt: more.sendAt }) },
      reference: undefined,
      idempotencyKey: undefined,
      address: ADDRESS,
    });
  const senderOf = async (messageId: string) => {
    const [row] = await scene.bed.database.sql<{ sender: string }>('SELECT sender FROM messages WHERE id = $1', [
      messageIdFromPublic(messageId) ?? '',
    ]);
    return row?.sender;
  };
  const send = async (sending: Sending = {}) => senderOf((await accept(sending)).messageId);
  const buy = async () => {
    const { id, number } = await scene.buy();
    return { id, number, publicId: publicNumberId(id) };
  };
  const pool = (numbers: readonly string[], isDefault?: boolean, name = 'Shop') =>
    scene.core.get(Pools).put(scene.account.id, { name, numbers, isDefault, address: ADDRESS });
  const release = (id: string) => scene.core.get(Numbers).release(scene.account.id, id, byOwner);
  /** Nothing was charged or stored. */
  const expectRefusal = async (work: () => Promise<unknown>, code: string, account = scene.account) => {
    const before = await scene.balance(account.id);
    await expect(work()).rejects.toMatchObject({ code });
    expect(await scene.balance(account.id)).toEqual(before);
    expect(await scene.bed.database.sql('SELECT id FROM messages WHERE account_id = $1', [account.id])).toEqual([]);
  };

  it('are named as a number, as its id, and as the id of a pool', async () => {
    const [one, two] = [await buy(), await buy()];
    const { pool_id } = await pool([two.number]);
    const sent = [one.number, one.publicId, pool_id].map((from) => send({ from }));
    expect(await Promise.all(sent)).toEqual([one.number, one.number, two.number]);
  });

  it('are not used without from, unless they are in the default pool', async () => {
    const one = await buy();
    expect(SHARED).toContain(await send());
    const { pool_id } = await pool([one.number], false);
    expect(SHARED).toContain(await send());
    await scene.core.get(Pools).delete(scene.account.id, pool_id, ADDRESS);
    await pool([one.number]);
    expect(await send()).toBe(one.number);
  });

  it('stay for the recipient who knows one, whether it is in the pool or not', async () => {
    const [one, two] = [await buy(), await buy()];
    const [ofShared, ofOne] = [newPerson(), newPerson()];
    const shared = await send({ to: ofShared });
    await send({ to: ofOne, from: one.number });
    await pool([two.number]);
    const fresh = await createTestCore(scene.bed.config({ TWILIO_SENDERS: SHARED.join() }));
    try {
      for (const process of [scene.core, fresh])
        expect([
          await send({ process, to: ofShared }),
          await send({ process, to: ofOne }),
          await send({ process }),
        ]).toEqual([shared, one.number, two.number]);
    } finally {
      await fresh.close();
    }
  });

  it('of a pool share its recipients, each of whom keeps one', async () => {
    const numbers = [(await buy()).number, (await buy()).number, (await buy()).number];
    const { pool_id } = await pool(numbers);
    const persons = Array.from({ length: 24 }, newPerson);
    const first = await Promise.all(persons.map((to) => send({ to, from: pool_id })));
    expect(new Set(first)).toEqual(new Set(numbers));
    expect(await Promise.all(persons.map((to) => send({ to })))).toEqual(first);
  });

  it('are those of the operator too, which the account has in place of shared ones', async () => {
    const operatorNumbers = scene.core.get(OperatorNumbers);
    await operatorNumbers.set(scene.account.email, [SHARED[0]]);
    try {
      const one = await buy();
      expect([await send({ from: SHARED[0] }), await send(), await send({ from: one.number })]).toEqual([
        SHARED[0],
        SHARED[0],
        one.number,
      ]);
      await pool([one.number]);
      expect(await send()).toBe(one.number);
    } finally {
      await operatorNumbers.set(scene.account.email, []);
    }
  });

  describe('are refused, and nothing is charged,', () => {
    it('when another account has the number, its id or the pool', async () => {
      const one = await buy();
      const { pool_id } = await pool([one.number]);
      const other = await createTestAccount(scene.core, { credits: 10 });
      for (const from of [one.number, one.publicId, pool_id, SHARED[0], '+12125550199', 'Shop'])
        await expectRefusal(() => accept({ from, account: other }), 'from_unknown', other);
    });

    it('while the purchase is not decided', async () => {
      scene.core.numberCarrier.faults = ['lost'];
      scene.core.numberCarrier.isDown = true;
      const reserving = await buy();
      await expectRefusal(() => accept({ from: reserving.number }), 'from_inactive');
      const { pool_id } = await pool([]);
      await expectRefusal(() => accept({ from: pool_id }), 'from_inactive');
    });

    it('after the account itself', async () => {
      const poor = await createTestAccount(scene.core, { credits: 0 });
      await expectRefusal(() => accept({ from: '+12125550199', account: poor }), 'no_credits', poor);
      await scene.bed.database.sql('UPDATE accounts SET blocked_at = now() WHERE id = $1', [scene.account.id]);
      await expectRefusal(() => accept({ from: '+12125550199' }), 'account_blocked');
    });

    it('also for codes, bulks, quotes, drafts and test keys', async () => {
      const [from, to, core] = ['+12125550199', newPerson(), scene.core];
      const key = keyOf(scene.account);
      const caller = { key, address: ADDRESS };
      const options = { from };
      const bulk = { ...caller, body: { messages: [{ to, message: 'Hello' }] }, options };
      const code = { org: undefined, domain: undefined, digits: 6, minutes: 5, ip: undefined, device: undefined };
      const once = { reference: undefined, idempotencyKey: undefined };
      await expectRefusal(() => accept({ from, isTest: true }), 'from_unknown');
      await expectRefusal(() => core.get(SendOtp).send({ ...caller, ...code, ...once, to, from }), 'from_unknown');
      await expectRefusal(() => core.get(SendBulk).send({ ...bulk, idempotencyKey: undefined }), 'from_unknown');
      await expectRefusal(() => core.get(QuoteBulk).quote(bulk), 'from_unknown');
      await expectRefusal(
        () => core.get(QuoteMessage).quote({ ...caller, to, text: 'Hello', options }),
        'from_unknown',
      );
      expect(
        await scene.bed.database.sql('SELECT id FROM otp_codes WHERE account_id = $1', [scene.account.id]),
      ).toEqual([]);
      const draft = { accountId: scene.account.id, to, text: 'Hello', from, address: ADDRESS };
      expect((await core.get(PreviewDraft).of(draft)).faults).toMatchObject([{ field: 'from', code: 'from_unknown' }]);
      const good = await core.get(PreviewDraft).of({ ...draft, from: (await buy()).number });
      expect(good).toMatchObject({ credits: 1, faults: [] });
    });

    it('when a process knows the number still', async () => {
      const one = await buy();
      const { pool_id } = await pool([one.number]);
      const other = await createTestCore(scene.bed.config({ TWILIO_SENDERS: SHARED.join() }));
      try {
        // The process has read the numbers, and reads them again in ten seconds.
        expect(await other.get(NumberDirectory).ofAccount(scene.account.id)).toMatchObject({
          numbers: [{ number: one.number }],
        });
        jest.spyOn(other.get(NumberDirectory), 'lookUp').mockReturnValue(false);
        await release(one.publicId);
        await expectRefusal(() => accept({ from: one.number, process: other }), 'from_inactive');
        await expectRefusal(() => accept({ from: pool_id, process: other }), 'from_inactive');
        expect(SHARED).toContain(await send({ process: other }));
      } finally {
        await other.close();
      }
    });
  });

  it('send codes and bulks', async () => {
    const one = await buy();
    const caller = { key: keyOf(scene.account), address: ADDRESS, idempotencyKey: undefined };
    const code = { org: undefined, domain: undefined, digits: 6, minutes: 5, ip: undefined, device: undefined };
    const to = newPerson();
    const { messageId } = await scene.core
      .get(SendOtp)
      .send({ ...caller, ...code, to, from: one.publicId, reference: undefined });
    expect(await senderOf(messageId)).toBe(one.number);
    const messages = Array.from({ length: 5 }, () => ({ to: newPerson(), message: 'Hello' }));
    await scene.core.get(SendBulk).send({ ...caller, body: { messages }, options: { from: one.number } });
    const senders = await scene.bed.database.sql(
      'SELECT sender, count(*)::int FROM messages WHERE account_id = $1 GROUP BY sender',
      [scene.account.id],
    );
    expect(senders).toEqual([{ sender: one.number, count: 6 }]);
  });

  describe('of messages with files', () => {
    const carriesNone = async (number: string) => {
      await scene.bed.database.sql('UPDATE numbers SET can_mms = false WHERE number = $1', [number]);
      await scene.core.get(NumberDirectory).renewed();
    };
    const file = async () => {
      const photo = await photoWithPlace();
      const target = { direction: 'outbound', accountId: scene.account.id } as const;
      const outcome = await scene.core.get(MediaStore).store(target, inPieces(photo), photo.length);
      if (outcome.kind !== 'stored') throw new Error(outcome.kind);
      const references = [{ media_id: publicMediaId(outcome.media.id) }];
      return { references, fallback: 'refuse', transcode: true } as const;
    };
    const messageWithFile = async (from?: string) => ({
      key: keyOf(scene.account),
      to: newPerson(),
      text: 'Look',
      options: from === undefined ? {} : { from },
      media: await file(),
      reference: undefined,
      idempotencyKey: undefined,
      address: ADDRESS,
    });
    const sendFile = async (from?: string) =>
      senderOf((await scene.core.get(SendMessage).send(await messageWithFile(from))).messageId);

    it('are those that the caller names, or those of the pool', async () => {
      const [one, two] = [await buy(), await buy()];
      await pool([two.number]);
      expect([await sendFile(one.number), await sendFile(one.publicId), await sendFile()]).toEqual([
        one.number,
        one.number,
        two.number,
      ]);
      const caller = { key: keyOf(scene.account), address: ADDRESS, idempotencyKey: undefined };
      const messages = Array.from({ length: 3 }, () => ({ to: newPerson(), message: 'Look' }));
      await scene.core
        .get(SendBulk)
        .send({ ...caller, body: { messages }, options: { from: one.number }, media: await file() });
      const senders = await scene.bed.database.sql(
        'SELECT kind, sender, count(*)::int FROM messages WHERE account_id = $1 GROUP BY kind, sender ORDER BY count',
        [scene.account.id],
      );
      expect(senders).toEqual([
        { kind: 'mms', sender: two.number, count: 1 },
        { kind: 'mms', sender: one.number, count: 5 },
      ]);
    });

    it('are none that carry no files', async () => {
      const [one, two] = [await buy(), await buy()];
      const { pool_id } = await pool([one.number, two.number]);
      await carriesNone(one.number);
      expect(new Set([await sendFile(), await sendFile(), await sendFile(), await sendFile(pool_id)])).toEqual(
        new Set([two.number]),
      );
      await carriesNone(two.number);
      expect(SHARED).toContain(await sendFile());
    });

    it('are refused, and nothing is charged, when what the caller names carries none or is none', async () => {
      const one = await buy();
      const { pool_id } = await pool([one.number]);
      await carriesNone(one.number);
      await expectRefusal(() => sendFile(one.number), 'media_unsupported');
      await expectRefusal(() => sendFile(pool_id), 'media_unsupported');
      await expectRefusal(() => sendFile('+12125550199'), 'from_unknown');
      const { idempotencyKey: _key, reference: _reference, ...quoted } = await messageWithFile('+12125550199');
      await expect(scene.core.get(QuoteMessage).quote(quoted)).rejects.toMatchObject({ code: 'from_unknown' });
    });
  });

  it('that carriers filter are used when they are named, and no more by themselves', async () => {
    const [one, two] = [await buy(), await buy()];
    const to = newPerson();
    await pool([one.number, two.number]);
    await send({ to, from: one.number });
    await scene.bed.database.sql('UPDATE numbers SET filtered_at = now() WHERE number = $1', [one.number]);
    await scene.bed.database.sql(
      'UPDATE pool_numbers SET left_at = now() WHERE number_id IN (SELECT id FROM numbers WHERE number = $1)',
      [one.number],
    );
    await scene.core.get(NumberDirectory).renewed();
    expect([await send({ to }), await send({ to, from: one.number })]).toEqual([two.number, one.number]);
  });

  it('end the messages that wait when they are released, which are refunded', async () => {
    const one = await buy();
    const before = await scene.balance();
    const waiting = [await accept({ from: one.number }), await accept({ from: one.number })];
    const shared = await accept({});
    const sent = scene.core.carrier.calls.length;
    await release(one.publicId);
    for (const { messageId } of [...waiting, shared])
      await scene.core.get(DispatchMessage).dispatch(messageIdFromPublic(messageId) ?? '');
    const rows = await scene.bed.database.sql(
      'SELECT status, error_code, refunded FROM messages WHERE account_id = $1 ORDER BY id',
      [scene.account.id],
    );
    const ended = { status: 'failed', error_code: 'sender_released', refunded: 1 };
    expect(rows).toMatchObject([ended, ended, { status: 'sent', error_code: null }]);
    expect(scene.core.carrier.calls).toHaveLength(sent + 1);
    expect((await scene.balance())?.balance).toBe((before?.balance ?? 0) - 1);
  });

  it('end the messages that are scheduled when they are released, at once, and refund them', async () => {
    const one = await buy();
    const before = await scene.balance();
    const sendAt = new Date(Date.now() + 3_600_000);
    await accept({ from: one.number, sendAt });
    await accept({ sendAt });
    await release(one.publicId);
    const rows = await scene.bed.database.sql(
      'SELECT status, error_code, refunded FROM messages WHERE account_id = $1 ORDER BY id',
      [scene.account.id],
    );
    expect(rows).toMatchObject([
      { status: 'failed', error_code: 'sender_released', refunded: 1 },
      { status: 'scheduled', refunded: 0 },
    ]);
    expect((await scene.balance())?.balance).toBe((before?.balance ?? 0) - 1);
  });

  it('have no other route, as shared ones have', async () => {
    const one = await buy();
    const config = withSecondCarrier(scene.bed.config({ TWILIO_SENDERS: SHARED.join() }));
    const process = await createTestCore(config, [secondCarrier()]);
    try {
      const another = (sender: string) =>
        process
          .get(Senders)
          .another({ accountId: scene.account.id, recipient: newPerson(), country: 'US', sender }, () => true);
      expect(await another(SHARED[0])).toBeDefined();
      expect(await another(one.number)).toBeUndefined();
    } finally {
      await process.close();
    }
  });

  describe('cost', () => {
    /** Returns the names of the statements for a message. */
    const statementsOf = async (sending: Sending, process: TestCore) => {
      const postgres = process.get(Postgres);
      const [query, transaction] = [jest.spyOn(postgres, 'query'), jest.spyOn(postgres, 'transaction')];
      try {
        await accept({ ...sending, process });
        return [
          ...query.mock.calls.map(([statement]) => (statement as { name?: string }).name),
          ...transaction.mock.calls.map(() => 'tx'),
        ];
      } finally {
        query.mockRestore();
        transaction.mockRestore();
      }
    };

    it('no statement for other accounts, and for a message without from of an account without a pool', async () => {
      const process = await createTestCore(scene.bed.config({ TWILIO_SENDERS: SHARED[0] }));
      const other = await createTestAccount(scene.core, { credits: 10 });
      try {
        await accept({ account: other, process });
        const alone = await statementsOf({ account: other }, process);
        expect(alone).toHaveLength(1);
        await buy();
        await process.get(NumberDirectory).renewed();
        await process.get(NumberDirectory).all();
        expect(await statementsOf({ account: other }, process)).toEqual(alone);
      } finally {
        await process.close();
      }
    });
  });

  it('are inactive for their account once they are released, and unknown to others', async () => {
    const one = await buy();
    const to = newPerson();
    await pool([one.number]);
    expect(await send({ to })).toBe(one.number);
    await release(one.publicId);
    expect(SHARED).toContain(await send({ to }));
    for (const from of [one.number, one.publicId])
      await expect(accept({ from })).rejects.toMatchObject({
        code: 'from_inactive',
        detail: expect.stringContaining('was released'),
      });
    const other = await createTestAccount(scene.core, { credits: 10 });
    await expectRefusal(() => accept({ from: one.number, account: other }), 'from_unknown', other);
  });
});
