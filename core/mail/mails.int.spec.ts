import { randomUUID } from 'node:crypto';
import { WelcomeMails } from '../accounts/sign-in/welcome-mails.js';
import { Postgres } from '../platform/database/postgres.js';
import { eventually } from '../testing/eventually.js';
import { answersAfter } from '../testing/slow-claims.js';
import { createTestAccount } from '../testing/test-accounts.js';
import { createTestBed, type TestBed } from '../testing/test-bed.js';
import { createTestCore, type TestCore } from '../testing/test-core.js';
import { claimMails, MailSender } from './mail-sender.js';
import type { MailContent } from './mail-template.js';
import type { MailOutcome } from './mailer.js';
import { Mails } from './mails.js';

const unavailable: MailOutcome = { kind: 'unavailable', cause: new Error('The mail server does not answer') };

describe('MailSender', () => {
  let bed: TestBed;
  let core: TestCore;
  let mailId: string;
  let email: string;

  beforeAll(async () => {
    bed = await createTestBed();
    core = await createTestCore(bed.config());
  });

  beforeEach(async () => {
    const account = await createTestAccount(core);
    ({ email } = account);
    expect(await core.get(WelcomeMails).send({ ...account, displayName: 'Ada' })).toBe('first');
    expect(await core.get(WelcomeMails).send({ ...account, displayName: 'Ada' })).toBe('waiting');
    const [row] = await bed.database.sql<{ id: string }>('SELECT id FROM mails WHERE account_id = $1', [account.id]);
    mailId = row?.id ?? '';
  });

  afterEach(() => jest.restoreAllMocks());

  afterAll(async () => {
    await core?.close();
    await bed?.remove();
  });

  const send = () => core.get(MailSender).send(mailId);
  const sent = () => core.mailer.brought.filter(({ id }) => id === mailId);
  const row = async () => (await bed.database.sql('SELECT * FROM mails WHERE id = $1', [mailId]))[0];
  const makeDue = () => bed.database.sql('UPDATE mails SET due_at = now() WHERE id = $1', [mailId]);

  it('sends an email to the account’s address and records it as sent', async () => {
    expect(await send()).toEqual({ kind: 'done' });
    expect(sent()).toMatchObject([
      { to: email, subject: 'Welcome to Pennytext', text: expect.stringContaining('Ada') },
    ]);
    expect(await row()).toMatchObject({ status: 'sent', attempts: 1, sent_at: expect.any(Date), due_at: null });
  });

  it('sends an email once when many workers take its job', async () => {
    await Promise.all(Array.from({ length: 20 }, send));
    await send();
    expect(sent()).toHaveLength(1);
  });

  it('sends only while the lease of 120 s outlasts it; recovery takes the email later', async () => {
    answersAfter(core, claimMails.name, 60_500);
    expect(await send()).toEqual({ kind: 'done' });
    expect(sent()).toEqual([]);
    expect(await row()).toMatchObject({ status: 'sending', attempts: 1 });
    jest.restoreAllMocks();
    await makeDue();
    await core.get(MailSender).recover();
    answersAfter(core, claimMails.name, 55_000);
    await send();
    expect(sent()).toHaveLength(1);
  });

  it.each(['welcome', 'key_changed'] as const)(
    'leaves a name out (%s) until the address of an account with a password is confirmed',
    async (kind) => {
      const { id: accountId } = await createTestAccount(core);
      const name = 'your parcel waits:\nhttps://evil.example/pay';
      const content =
        kind === 'welcome'
          ? { kind, displayName: name, credits: 3 }
          : ({ kind, change: 'created', name, at: '2026-11-21T03:04:05Z' } as const);
      await bed.database.sql(`UPDATE accounts SET sign_in_type = 'custom', google_subject = NULL WHERE id = $1`, [
        accountId,
      ]);
      const sendOne = async (given: MailContent) => {
        const sourceId = randomUUID();
        await core
          .get(Postgres)
          .transaction((tx) => core.get(Mails).queue(tx, { accountId, recipient: email, sourceId, content: given }));
        const [mail] = await bed.database.sql<{ id: string }>('SELECT id FROM mails WHERE source_id = $1', [sourceId]);
        await core.get(MailSender).send(mail?.id ?? '');
        return core.mailer.brought.find(({ id }) => id === mail?.id)?.text ?? '';
      };
      const plain = { ...content, ...(content.kind === 'welcome' ? { displayName: 'Ada' } : { name: 'Ada' }) };
      expect(await sendOne(plain)).not.toContain('Ada');
      expect(await sendOne(content)).not.toMatch(/evil|parcel/);
      await bed.database.sql('UPDATE accounts SET email_verified_at = now() WHERE id = $1', [accountId]);
      expect(await sendOne(plain)).toContain('Ada');
      expect(await sendOne(content)).not.toMatch(/evil|parcel/);
    },
  );

  it('retries after growing waits while the mail server is unavailable', async () => {
    core.mailer.next(unavailable, unavailable);
    expect(await send()).toEqual({ kind: 'retry', delayMs: 5_000 });
    expect(await row()).toMatchObject({ status: 'queued', attempts: 1 });
    expect(await send()).toEqual({ kind: 'retry', delayMs: 20_000 });
    expect(await send()).toEqual({ kind: 'done' });
    expect(await row()).toMatchObject({ status: 'sent', attempts: 3 });
  });

  it('fails an email at the tenth failed attempt, and at once when the server refuses it', async () => {
    await bed.database.sql('UPDATE mails SET attempts = 9 WHERE id = $1', [mailId]);
    core.mailer.next(unavailable);
    expect(await send()).toEqual({ kind: 'done' });
    expect(await row()).toMatchObject({ status: 'failed', attempts: 10, sent_at: null, due_at: null });
    await bed.database.sql(`UPDATE mails SET attempts = 0, status = 'queued' WHERE id = $1`, [mailId]);
    core.mailer.next({ kind: 'refused', cause: new Error('no such mailbox') });
    expect(await send()).toEqual({ kind: 'done' });
    expect(await row()).toMatchObject({ status: 'failed', attempts: 1 });
  });

  it('fails an email whose link cannot be decrypted', async () => {
    await bed.database.sql(`UPDATE mails SET secret = $2, secret_key_id = 'removed' WHERE id = $1`, [
      mailId,
      Buffer.alloc(64),
    ]);
    expect(await send()).toEqual({ kind: 'done' });
    expect(await row()).toMatchObject({ status: 'failed', secret: null });
    expect(sent()).toEqual([]);
  });

  it('recovers an email whose job was lost, once it is due', async () => {
    const sender = core.get(MailSender);
    await sender.recover();
    expect(await sender.recover()).toBe(0);
    await makeDue();
    expect(await sender.recover()).toBe(1);
    expect(await sender.recover()).toBe(0);
    expect(await row()).toMatchObject({ status: 'queued' });
  });

  it('sends an email again after its worker died, and ignores that worker’s late result', async () => {
    let release: (outcome: MailOutcome) => void = () => undefined;
    const answer = new Promise<MailOutcome>((resolve) => {
      release = resolve;
    });
    const sending = jest.spyOn(core.mailer, 'send').mockReturnValueOnce(answer);
    const outdated = send();
    await eventually('it is claimed', async () => (await row())?.status === 'sending');
    await makeDue();
    await core.get(MailSender).recover();
    expect(await send()).toEqual({ kind: 'done' });
    release(unavailable);
    await outdated;
    expect(await row()).toMatchObject({ status: 'sent', attempts: 2 });
    sending.mockRestore();
  });
});
