import { randomUUID } from 'node:crypto';
import { Postgres } from '#core/platform/database/postgres.js';
import { Acceptance } from '#core/messages/send/acceptance.js';
import { publicMessageId, publicWebhookId } from '#core/rules/ids.js';
import { acceptanceRow } from '#core/testing/acceptance-rows.js';
import { plantMessages } from '#core/testing/planted-messages.js';
import { createTestAccount, type TestAccount } from '#core/testing/test-accounts.js';
import { createTestBed, type TestBed } from '#core/testing/test-bed.js';
import { createTestCore, type TestCore } from '#core/testing/test-core.js';
import { WebhookEndpoints } from '#core/webhooks/endpoints/webhook-endpoints.js';
import { WebhookEvents } from '#core/webhooks/webhook-events.js';
import { refusalOf, runAdmin } from './testing/run-admin.js';

describe('admin commands for webhooks and people', () => {
  let bed: TestBed;
  let core: TestCore;
  let account: TestAccount;

  beforeAll(async () => {
    bed = await createTestBed();
    core = await createTestCore(bed.config());
  });

  beforeEach(async () => {
    account = await createTestAccount(core);
    await core.get(WebhookEndpoints).setUrl(account.id, 'https://example.com/sms');
  });

  afterAll(async () => {
    process.exitCode = 0;
    await core?.close();
    await bed?.remove();
  });

  const admin = async (words: string[], overrides: Record<string, string> = {}) =>
    (await runAdmin(bed.config(overrides), words)) as Record<string, unknown>;
  const webhook = (...words: string[]) => admin(['webhook', ...words]);
  const refusal = (...words: string[]) => refusalOf(webhook(...words));

  it('webhook set changes the URL, refuses an unsafe one, and is recorded without its path', async () => {
    const url = 'https://hooks.example.com/secret-path';
    expect(await webhook('set', account.email, url)).toMatchObject({ email: account.email, url, receiving: true });
    expect(await core.get(WebhookEndpoints).showUrl(account.id)).toMatchObject({ webhookUrl: url });
    expect(await refusal('set', account.email, 'http://127.0.0.1/hook')).toBe('webhook_url_invalid');
    expect(await refusal('set', 'nobody@example.com', url)).toBe('account_not_found');
    const [entry] = await bed.database.sql<{ actor: string; details: object }>(
      `SELECT actor, details FROM audit_entries WHERE account_id = $1 AND action = 'webhook.changed'
        ORDER BY id DESC LIMIT 1`,
      [account.id],
    );
    expect(entry).toEqual({ actor: 'operator:ada', details: { host: 'hooks.example.com' } });
    expect(await webhook('set', account.email, bed.config().http.publicUrl)).toMatchObject({ receiving: false });
  });

  it('inbound status counts what is held now, however long ago it arrived', async () => {
    await bed.database.sql(
      `INSERT INTO inbound_messages (id, account_id, number, carrier_id, sender, recipient, body, segments,
        credits, status, created_at)
       SELECT gen_random_uuid(), $1, n, 'held-' || n, '+14155552671', '+15005550006', 'x', 1, 0, 'held',
         now() - interval '3 days'
       FROM generate_series(1, 2) n`,
      [account.id],
    );
    // The reply was held on arrival and released since.
    await bed.database.sql(`INSERT INTO inbound_receipts (carrier_id, outcome) VALUES ('released', 'held')`);
    expect(await admin(['inbound', 'status'])).toMatchObject({ hours: 24, held: 2, heldOnArrival: 1, received: 0 });
    await bed.database.sql('DELETE FROM inbound_messages');
    expect(await admin(['inbound', 'status'])).toMatchObject({ held: 0, heldOnArrival: 1 });
  });

  async function failed(): Promise<string> {
    const event = { accountId: account.id, type: 'message.received' as const, sourceId: randomUUID(), payload: {} };
    const id = await core.get(Postgres).transaction((tx) => core.get(WebhookEvents).record(tx, event));
    await bed.database.sql(
      `UPDATE webhook_deliveries SET status = 'failed', due_at = NULL, finished_at = now() WHERE id = $1`,
      [id],
    );
    return id ?? '';
  }
  const statusOf = async (id: string) =>
    (await bed.database.sql('SELECT status FROM webhook_deliveries WHERE id = $1', [id]))[0]?.status as string;

  it('webhook show prints settings and deliveries, without the secret', async () => {
    const id = await failed();
    const shown = await webhook('show', account.email);
    expect(shown).toMatchObject({
      url: 'https://example.com/sms',
      disabled: null,
      deliveries: [{ id: publicWebhookId(id), status: 'failed' }],
    });
    expect(JSON.stringify(shown)).not.toContain((await core.get(WebhookEndpoints).show(account.id)).secret);
  });

  it('webhook disable and enable turn the webhook off and on', async () => {
    expect(await webhook('disable', account.email)).toEqual({ email: account.email, disabled: true });
    expect(await webhook('show', account.email)).toMatchObject({ disabled: { reason: 'operator' } });
    expect(await refusal('disable', account.email)).toBe('webhook_off');
    expect(await webhook('enable', account.email)).toEqual({ email: account.email, disabled: false });
    expect(await webhook('show', account.email)).toMatchObject({ disabled: null });
  });

  it('webhook redeliver sends one event again', async () => {
    const id = await failed();
    expect(await webhook('redeliver', publicWebhookId(id))).toMatchObject({ status: 'pending' });
    expect(await statusOf(id)).toBe('pending');
  });

  it('webhook redeliver sends the events of a time range again', async () => {
    const id = await failed();
    const answer = await webhook('redeliver', '--account', account.email, '--from', '2026-01-01', '--all');
    expect(answer).toEqual({ replayed: 1, more: false });
    expect(await statusOf(id)).toBe('waiting');
  });

  it.each([
    [['show', 'unknown@example.com'], 'account_not_found'],
    [['disable', 'unknown@example.com'], 'account_not_found'],
    [['enable', 'unknown@example.com'], 'account_not_found'],
    [['redeliver', 'nonsense'], 'delivery_not_found'],
    [['redeliver'], 'invalid_request'],
    [['redeliver', 'msg_x', '--all'], 'invalid_request'],
    [['redeliver', 'msg_x', '--from', '2026-01-01'], 'invalid_request'],
    [['redeliver', '--account', 'unknown@example.com'], 'invalid_request'],
    [['redeliver', '--account', 'unknown@example.com', '--from', '2026-01-01'], 'account_not_found'],
    [['redeliver', '--account', 'a@b.c', '--from', 'yesterday'], 'commander.invalidArgument'],
  ])('%j is rejected with %s', async (words, code) => {
    expect(await refusal(...words)).toBe(code);
  });

  it('keys re-encrypt encrypts both valid secrets with the current key', async () => {
    await core.get(WebhookEndpoints).show(account.id);
    await core.get(WebhookEndpoints).rotateSecret(account.id);
    const { secret } = await core.get(WebhookEndpoints).show(account.id);
    const oldKey = bed.config().keys.encryptionKey.toString('base64');
    const changed = {
      API_KEY_ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64'),
      API_KEY_ENCRYPTION_KEYS_OLD: oldKey,
    };
    const [counts] = await bed.database.sql<{ encrypted: number }>(
      `SELECT (SELECT count(encrypted) FROM key_secrets)::int + count(secret)::int + count(previous_secret)::int
         AS encrypted
       FROM webhook_endpoints`,
    );
    expect(await admin(['keys', 're-encrypt'], changed)).toEqual({ reencrypted: counts?.encrypted, unreadable: 0 });
    expect(await admin(['keys', 're-encrypt'], changed)).toEqual({ reencrypted: 0, unreadable: 0 });
    const later = await createTestCore(bed.config({ ...changed, API_KEY_ENCRYPTION_KEYS_OLD: '' }));
    try {
      expect((await later.get(WebhookEndpoints).show(account.id)).secret).toBe(secret);
    } finally {
      await later.close();
    }
    await bed.database.sql(`UPDATE webhook_endpoints SET secret_key_id = 'lost' WHERE account_id = $1`, [account.id]);
    expect(await admin(['keys', 're-encrypt'], changed)).toEqual({ reencrypted: 0, unreadable: 1 });
    expect(process.exitCode).toBe(1);
  });

  it('recipient erase erases a number once it is confirmed, and the audit log keeps it masked', async () => {
    const { email, id } = account;
    process.exitCode = 0;
    await plantMessages(bed.database, id, [{ recipient: '+14155552671', body: 'Private' }]);
    expect(await refusalOf(admin(['recipient', 'erase', email, '+14155552671']))).toBe('invalid_request');
    expect(await admin(['recipient', 'erase', email, '+14155552671', '--yes'])).toMatchObject({
      id,
      erased: { messages: 1 },
      inProgress: { messages: 0 },
    });
    expect(process.exitCode).toBe(0);
    const { entries } = await admin(['audit', 'list', '--entries', '2']);
    expect((entries as { details: object }[])[1]?.details).toMatchObject({
      command: 'recipient erase',
      arguments: [id, '+1415•••••••'],
    });
    await plantMessages(bed.database, id, [{ recipient: '+14155552671', body: 'Private', status: 'sent' }]);
    expect(await admin(['recipient', 'erase', email, '+14155552671', '--yes'])).toMatchObject({
      inProgress: { messages: 1 },
    });
    expect(process.exitCode).toBe(1);
  });

  it('message show prints a message of any account, with the operator’s fields', async () => {
    const row = acceptanceRow(core, account.apiKey);
    await core.get(Acceptance).decide(row);
    expect(await admin(['message', 'show', publicMessageId(row.id)])).toMatchObject({
      message_id: publicMessageId(row.id),
      account_id: account.id,
      carrier_id: null,
      attempts: 0,
      status: 'queued',
      message: 'Hello',
    });
    for (const unknown of [`SM${'0'.repeat(32)}`, row.id])
      expect(await refusalOf(admin(['message', 'show', unknown]))).toBe('message_not_found');
  });

  it('optout list shows opt-outs, and optout lift removes them and is recorded', async () => {
    await bed.database.sql(
      `INSERT INTO opt_outs (recipient, sender, created_at) VALUES
         ('+14155552671', '+15005550006', '2026-11-01'), ('+14155552671', '+15005550007', '2026-11-03'),
         ('+447400123456', '+15005550006', '2026-11-02')`,
    );
    // Opt-outs hold for all shared senders together, and for each other sender by itself.
    const { id } = await createTestAccount(core);
    await bed.database.sql(`INSERT INTO account_senders (account_id, sender) VALUES ($1, '+15005550007')`, [id]);
    const optOut = async (...words: string[]) =>
      (await admin(['optout', ...words])) as {
        optOuts: { recipient: string; sender: string }[];
        more: boolean;
        lifted: object[];
      };
    const all = await optOut('list');
    expect(all.optOuts.map(({ recipient, sender }) => `${recipient} ${sender}`)).toEqual([
      '+14155552671 +15005550007',
      '+447400123456 +15005550006',
      '+14155552671 +15005550006',
    ]);
    expect(all.more).toBe(false);
    expect((await optOut('list', '--recipient', '(415) 555-2671')).optOuts).toHaveLength(2);

    expect(await optOut('lift', '+447400123456', '--sender', '+15005550007')).toEqual({ lifted: [] });
    expect(await optOut('lift', '+14155552671', '--sender', '+15005550007')).toMatchObject({
      lifted: [{ recipient: '+14155552671', sender: '+15005550007' }],
    });
    expect(await optOut('lift', '415-555-2671')).toMatchObject({ lifted: [{ sender: '+15005550006' }] });
    expect((await optOut('list')).optOuts).toHaveLength(1);
    const { entries } = await admin(['audit', 'list', '--entries', '3']);
    expect((entries as { details: object }[])[2]?.details).toMatchObject({
      command: 'optout lift',
      arguments: ['415-5•••••••'],
    });
  });
});
