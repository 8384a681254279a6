import { SignUp } from '../accounts/sign-in/sign-up.js';
import { eventually } from '../testing/eventually.js';
import { createTestAccount } from '../testing/test-accounts.js';
import { createTestBed, type TestBed } from '../testing/test-bed.js';
import { createTestCore, type TestCore } from '../testing/test-core.js';
import type { MailOutcome } from './mailer.js';
import { RecoverMails } from './recover-mails.js';
import { SendMail } from './send-mail.js';

const away: MailOutcome = { kind: 'unavailable', cause: new Error('away') };

describe('e-mails', () => {
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
    expect(await core.get(SignUp).sendWelcomeMail({ ...account, displayName: 'Ada' })).toBe(true);
    expect(await core.get(SignUp).sendWelcomeMail({ ...account, displayName: 'Ada' })).toBe(false);
    const [row] = await bed.database.sql<{ id: string }>('SELECT id FROM mails WHERE account_id = $1', [account.id]);
    mailId = row?.id ?? '';
  });

  afterAll(async () => {
    await core?.close();
    await bed?.remove();
  });

  const send = () => core.get(SendMail).run(mailId);
  const brought = () => core.mailer.brought.filter(({ id }) => id === mailId);
  const row = async () => (await bed.database.sql('SELECT * FROM mails WHERE id = $1', [mailId]))[0];
  const makeDue = () => bed.database.sql('UPDATE mails SET due_at = now() WHERE id = $1', [mailId]);

  it('go to the account’s address, with both parts, and end as sent', async () => {
    expect(await send()).toEqual({ kind: 'done' });
    expect(brought()).toMatchObject([
      { to: email, subject: 'Welcome to Pennytext', text: expect.stringContaining('Ada') },
    ]);
    expect(await row()).toMatchObject({ status: 'sent', attempts: 1, sent_at: expect.any(Date), due_at: null });
  });

  it('go out once, however many runners take them up', async () => {
    await Promise.all(Array.from({ length: 20 }, send));
    await send();
    expect(brought()).toHaveLength(1);
  });

  it('are tried again after growing waits while the server is away', async () => {
    core.mailer.next(away, away);
    expect(await send()).toEqual({ kind: 'retry', delayMs: 5_000 });
    expect(await row()).toMatchObject({ status: 'queued', attempts: 1 });
    expect(await send()).toEqual({ kind: 'retry', delayMs: 20_000 });
    expect(await send()).toEqual({ kind: 'done' });
    expect(await row()).toMatchObject({ status: 'sent', attempts: 3 });
  });

  it('are given up at the tenth failure, and at once when refused for good', async () => {
    await bed.database.sql('UPDATE mails SET attempts = 9 WHERE id = $1', [mailId]);
    core.mailer.next(away);
    expect(await send()).toEqual({ kind: 'done' });
    expect(await row()).toMatchObject({ status: 'failed', attempts: 10, sent_at: null, due_at: null });
    await bed.database.sql(`UPDATE mails SET attempts = 0, status = 'queued' WHERE id = $1`, [mailId]);
    core.mailer.next({ kind: 'refused', cause: new Error('no such mailbox') });
    expect(await send()).toEqual({ kind: 'done' });
    expect(await row()).toMatchObject({ status: 'failed', attempts: 1 });
  });

  it('that the queue lost are found, once their time has come', async () => {
    const recover = core.get(RecoverMails);
    await recover.run();
    expect(await recover.run()).toBe(0);
    await makeDue();
    expect(await recover.run()).toBe(1);
    expect(await recover.run()).toBe(0);
    expect(await row()).toMatchObject({ status: 'queued' });
  });

  it('that a dead worker left behind go out again, and its late word changes nothing', async () => {
    let release: (outcome: MailOutcome) => void = () => undefined;
    const answer = new Promise<MailOutcome>((resolve) => {
      release = resolve;
    });
    const sending = jest.spyOn(core.mailer, 'send').mockReturnValueOnce(answer);
    const dead = send();
    await eventually('it is claimed', async () => (await row())?.status === 'sending');
    await makeDue();
    await core.get(RecoverMails).run();
    expect(await send()).toEqual({ kind: 'done' });
    release(away);
    await dead;
    expect(await row()).toMatchObject({ status: 'sent', attempts: 2 });
    sending.mockRestore();
  });
});
