import { bindNumberOf } from '../../platform/config/smpp-binds.js';
import type { Config } from '../../platform/config/config.js';
import { Postgres } from '../../platform/database/postgres.js';
import { SubmitNotes, SubmittedSegments } from '../../providers/smpp/submitted-segments.js';
import { acceptanceRow } from '../../testing/acceptance-rows.js';
import { FakeCarrier } from '../../testing/fake-carrier.js';
import { moneyFaults } from '../../testing/money.js';
import { SECOND_CARRIER, SECOND_SENDER, secondCarrier, withSecondCarrier } from '../../testing/second-carrier.js';
import { createTestAccount, type TestAccount } from '../../testing/test-accounts.js';
import { createTestBed, type TestBed } from '../../testing/test-bed.js';
import { createTestCore, type TestCore } from '../../testing/test-core.js';
import type { CarrierMessage } from '../../carriers/carrier.js';
import { Reroute } from '../handover/reroute.js';
import { Acceptance } from '../send/acceptance.js';
import { RecoverMessages } from './recover-messages.js';
import { SettleRestored } from './settle-restored.js';

const FIRST_SENDER = '+15005550006';
const BIND_SENDER = '+15005550077';
const BIND = bindNumberOf('acme');
const LEASE_SECONDS = 60;

/** An SMPP peer, whose only records are our own notes. */
class FakeBind extends FakeCarrier {
  override readonly capabilities = {
    records: undefined,
    inbox: undefined,
    handOverNotes: { of: this.noted.bind(this) },
  };
  postgres: Postgres | undefined;

  constructor() {
    super('acme', BIND, false);
  }

  private async noted(messageId: string) {
    if (!this.postgres) throw new Error('The bind has no database');
    return new SubmittedSegments(this.postgres, BIND, 'auto', { record: async () => undefined }).of(messageId);
  }
}

/** The database was restored: its carriers got their messages after the dump. */
describe('Settling a restored dump', () => {
  let bed: TestBed;
  let core: TestCore;
  let second: FakeCarrier;
  let bind: FakeBind;
  let account: TestAccount;

  beforeAll(async () => {
    bed = await createTestBed();
  });

  beforeEach(async () => {
    for (const table of ['message_checks', 'smpp_submits', 'restores', 'carrier_matches'])
      await bed.database.sql(`DELETE FROM ${table}`);
    await bed.database.sql(
      `UPDATE messages SET status = 'sent', created_at = now() - interval '1 day' WHERE carrier_id IS NULL`,
    );
    [second, bind] = [secondCarrier(), new FakeBind()];
    core = await createTestCore(configOf(), [second, bind]);
    bind.postgres = core.get(Postgres);
    account = await createTestAccount(core, { credits: 100 });
  });

  afterEach(async () => {
    await core.close();
    expect(await moneyFaults(bed.database)).toEqual([]);
  });

  afterAll(() => bed?.remove());

  function configOf(): Config {
    const bound = {
      SMPP_BINDS: JSON.stringify([
        { name: 'acme', url: 'smpp://127.0.0.1:1', system_id: 'me', password: 'secret', senders: [BIND_SENDER] },
      ]),
      DISPATCH_LEASE_SECONDS: String(LEASE_SECONDS),
    };
    return withSecondCarrier(bed.config(bound));
  }

  let count = 0;
  /** Stores a waiting message to a new person. */
  async function waiting(sender: string): Promise<CarrierMessage> {
    count += 1;
    const recipient = `+1415555${String(count).padStart(4, '0')}`;
    const row = acceptanceRow(core, account.apiKey, { sender, recipient });
    expect((await core.get(Acceptance).decide(row)).kind).toBe('accepted');
    return { id: row.id, accountId: account.id, recipient, sender, body: 'Hello' };
  }
  const rowOf = async ({ id }: CarrierMessage) =>
    (await bed.database.sql('SELECT * FROM messages WHERE id = $1', [id]))[0];
  const notes = async () =>
    (await bed.database.sql('SELECT message_id FROM smpp_submits ORDER BY 1')).map((row) => row['message_id']);
  const settle = (resend: string[] = [], dumpedAt = new Date()) =>
    core.get(SettleRestored).settle({ dumpedAt, resend }, new SubmitNotes(core.get(Postgres)));
  /** Runs recovery after this time. */
  const recoverAfter = async (seconds: number) => {
    await bed.database.sql(
      `UPDATE messages SET claimed_at = claimed_at - make_interval(secs => $1) WHERE status = 'sending'`,
      [seconds],
    );
    await bed.database.sql('UPDATE message_checks SET due_at = now()');
    while ((await core.get(RecoverMessages).run()) > 0);
  };

  it('asks each carrier that can be asked, and has no message of an SMPP peer sent again', async () => {
    const taken = [await waiting(FIRST_SENDER), await waiting(SECOND_SENDER)] as const;
    core.carrier.take(taken[0]);
    // Each carrier counts its ids from one.
    second.take({ ...taken[1], recipient: '+14155559999' });
    second.take(taken[1]);
    const absent = [await waiting(FIRST_SENDER), await waiting(SECOND_SENDER)] as const;
    const bound = await waiting(BIND_SENDER);
    // A message that was claimed before the dump and handed over after it.
    const claimed = await waiting(BIND_SENDER);
    await bed.database.sql(
      `UPDATE messages SET status = 'sending', carrier = $2, attempts = 1, claimed_at = now() WHERE id = $1`,
      [claimed.id, BIND],
    );
    const scheduled = await waiting(BIND_SENDER);
    await bed.database.sql(
      `UPDATE messages SET status = 'scheduled', send_at = now() - interval '1 minute' WHERE id = $1`,
      [scheduled.id],
    );
    const later = await waiting(BIND_SENDER);
    await bed.database.sql(
      `UPDATE messages SET status = 'scheduled', send_at = now() + interval '1 hour' WHERE id = $1`,
      [later.id],
    );

    const settled = {
      twilio: { askCarrier: 2, awaitReceipt: 0, sendAgain: 0 },
      second: { askCarrier: 2, awaitReceipt: 0, sendAgain: 0 },
      acme: { askCarrier: 0, awaitReceipt: 3, sendAgain: 0 },
    };
    expect(await settle()).toEqual(settled);
    const first = await bed.database.sql('SELECT * FROM messages ORDER BY id');
    expect(await settle()).toEqual(settled);
    expect(await bed.database.sql('SELECT * FROM messages ORDER BY id')).toEqual(first);
    expect(await notes()).toEqual([bound.id, claimed.id, scheduled.id].toSorted());
    expect(await rowOf(bound)).toMatchObject({ status: 'sending', carrier: BIND });
    expect(await rowOf(later)).toMatchObject({ status: 'scheduled' });

    await recoverAfter(2 * LEASE_SECONDS);
    expect(await rowOf(taken[0])).toMatchObject({ status: 'sent', carrier: null });
    expect(await rowOf(taken[1])).toMatchObject({ status: 'sent', carrier: SECOND_CARRIER });
    for (const message of absent) expect(await rowOf(message)).toMatchObject({ status: 'queued' });
    for (const message of [bound, claimed, scheduled])
      expect(await rowOf(message)).toMatchObject({ status: 'sending', carrier: BIND });

    await recoverAfter(25 * 3_600);
    for (const message of [bound, claimed, scheduled])
      expect(await rowOf(message)).toMatchObject({ status: 'failed', refunded: 1, error_code: 'carrier_unavailable' });
  });

  it('sends the messages of a carrier again when the operator chooses so, also after another choice', async () => {
    const [bound, other] = [await waiting(BIND_SENDER), await waiting(FIRST_SENDER)];
    core.carrier.take(other);
    expect(await settle(['smpp'])).toMatchObject({ acme: { sendAgain: 1 }, twilio: { askCarrier: 1 } });
    expect(await rowOf(bound)).toMatchObject({ status: 'queued', attempts: 0 });
    expect(await settle()).toMatchObject({ acme: { awaitReceipt: 1 } });
    expect(await settle(['acme'])).toMatchObject({ acme: { awaitReceipt: 0, sendAgain: 1 } });
    expect(await notes()).toEqual([]);
    await recoverAfter(2 * LEASE_SECONDS);
    expect(await rowOf(bound)).toMatchObject({ status: 'queued' });
    await expect(settle(['acne'])).rejects.toMatchObject({ code: 'invalid_request' });
  });

  it('keeps messages of the dump on their route, because a change of route may be missing from it', async () => {
    const message = await waiting(FIRST_SENDER);
    const leave = () =>
      core.get(Reroute).leave(message.id, { reason: 'route_failed', outcome: 'not_taken', from: ['queued'] });
    await settle(['twilio']);
    expect(await leave()).toBe(false);
    await bed.database.sql('DELETE FROM restores');
    expect(await leave()).toBe(true);
  });

  it('refuses a database that has messages from after the dump, and changes nothing', async () => {
    const message = await waiting(BIND_SENDER);
    await expect(settle([], new Date(Date.now() - 3_600_000))).rejects.toMatchObject({ code: 'invalid_request' });
    expect(await rowOf(message)).toMatchObject({ status: 'queued' });
    expect(await notes()).toEqual([]);
  });
});
