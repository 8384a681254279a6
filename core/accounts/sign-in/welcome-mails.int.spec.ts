import { z } from 'zod';
import { MailSender } from '../../mail/mail-sender.js';
import { Mails } from '../../mail/mails.js';
import { Postgres } from '../../platform/database/postgres.js';
import { createTestBed, type TestBed } from '../../testing/test-bed.js';
import { createTestCore, type TestCore } from '../../testing/test-core.js';
import { SignIn } from './sign-in.js';
import { takeDueStatement, WelcomeMails } from './welcome-mails.js';

describe('The welcome email', () => {
  let bed: TestBed;
  let core: TestCore;
  let people = 0;

  beforeAll(async () => {
    bed = await createTestBed();
    core = await createTestCore(bed.config());
  });

  afterEach(() => jest.restoreAllMocks());

  afterAll(async () => {
    await core?.close();
    await bed?.remove();
  });

  function signIn() {
    people += 1;
    const profile = { subject: `g-${people}`, email: `ada-${people}@example.com`, emailVerified: true };
    return core.get(SignIn).withGoogle({ ...profile, displayName: 'Ada' });
  }
  const mailsOf = (accountId: string) =>
    bed.database.sql(`SELECT recipient FROM mails WHERE account_id = $1 AND kind = 'welcome'`, [accountId]);
  const stateOf = (accountId: string) => core.get(WelcomeMails).stateOf(accountId, `ada-${people}@example.com`);
  const makeDue = () =>
    bed.database.sql('UPDATE accounts SET welcome_mail_due_at = now() WHERE welcome_mail_due_at IS NOT NULL');

  it('is queued once at the first sign-in, and is not due afterwards', async () => {
    const { accountId } = await signIn();
    expect(await stateOf(accountId)).toEqual({ emailFailed: false, hadFreeCredits: false });
    await makeDue();
    await core.get(WelcomeMails).sendDue();
    expect(await mailsOf(accountId)).toHaveLength(1);
  });

  it('is queued later when queueing fails; until then the dashboard shows that it failed', async () => {
    const failing = jest.spyOn(core.get(Mails), 'queue').mockRejectedValue(new Error('no room'));
    const { accountId } = await signIn();
    expect(await stateOf(accountId)).toMatchObject({ emailFailed: true });
    expect(await mailsOf(accountId)).toEqual([]);
    await makeDue();
    await core.get(WelcomeMails).sendDue();
    expect(await mailsOf(accountId)).toEqual([]);
    failing.mockRestore();
    await core.get(WelcomeMails).sendDue();
    expect(await mailsOf(accountId)).toEqual([]);
    await makeDue();
    await Promise.all([core.get(WelcomeMails).sendDue(), core.get(WelcomeMails).sendDue()]);
    expect(await mailsOf(accountId)).toEqual([{ recipient: `ada-${people}@example.com` }]);
    expect(await stateOf(accountId)).toMatchObject({ emailFailed: false });
  });

  it('is due when the process dies between the sign-up and the email', async () => {
    jest.spyOn(core.get(WelcomeMails), 'send').mockReturnValueOnce(Promise.resolve('first'));
    const { accountId } = await signIn();
    await makeDue();
    const person = z.strictObject({ id: z.uuid(), email: z.string(), displayName: z.string() });
    const rows = await core.get(Postgres).query(takeDueStatement, []);
    expect(z.array(person).parse(rows)).toMatchObject([{ id: accountId, displayName: 'Ada' }]);
    await makeDue();
    await core.get(WelcomeMails).sendDue();
    expect(await mailsOf(accountId)).toHaveLength(1);
  });

  it('is sent again when it could not be sent, as often as that fails, and once when it was sent', async () => {
    const { accountId } = await signIn();
    const person = { id: accountId, email: `ada-${people}@example.com`, displayName: 'Ada' };
    const welcomeMails = core.get(WelcomeMails);
    const [mail] = await bed.database.sql<{ id: string }>('SELECT id FROM mails WHERE source_id = $1', [accountId]);
    const refusal = { kind: 'refused', cause: new Error('no such mailbox') } as const;
    expect(await welcomeMails.send(person)).toBe('waiting');
    for (let time = 0; time < 2; time += 1) {
      core.mailer.next(refusal);
      await core.get(MailSender).send(mail?.id ?? '');
      expect(await stateOf(accountId)).toMatchObject({ emailFailed: true });
      const results = await Promise.all([welcomeMails.send(person), welcomeMails.send(person)]);
      expect(results.toSorted()).toEqual(['again', 'waiting']);
      expect(await stateOf(accountId)).toMatchObject({ emailFailed: false });
    }
    await core.get(MailSender).send(mail?.id ?? '');
    // Two requests were refused.
    expect(core.mailer.brought.filter(({ to }) => to === person.email)).toHaveLength(3);
    expect(await welcomeMails.send(person)).toBe('sent');
    expect(await mailsOf(accountId)).toHaveLength(1);
  });

  it('tells a person who has had the free credits that this account has none', async () => {
    const { accountId: first } = await signIn();
    const profile = { subject: 'g-alias', email: `ada-${people}+new@example.com`, emailVerified: true };
    const { accountId } = await core.get(SignIn).withGoogle({ ...profile, displayName: 'Ada' });
    const creditsIn = async (id: string) =>
      (await bed.database.sql<{ content: unknown }>('SELECT content FROM mails WHERE source_id = $1', [id]))[0]
        ?.content;
    expect(await creditsIn(first)).toMatchObject({ credits: 3 });
    expect(await creditsIn(accountId)).toMatchObject({ credits: 0 });
    expect(await core.get(WelcomeMails).stateOf(accountId, profile.email)).toMatchObject({ hadFreeCredits: true });
  });

  it('does not go to an account that was blocked meanwhile', async () => {
    jest.spyOn(core.get(WelcomeMails), 'send').mockRejectedValueOnce(new Error('no room'));
    const { accountId } = await signIn();
    await bed.database.sql('UPDATE accounts SET blocked_at = now() WHERE id = $1', [accountId]);
    await makeDue();
    await core.get(WelcomeMails).sendDue();
    expect(await mailsOf(accountId)).toEqual([]);
  });
});
