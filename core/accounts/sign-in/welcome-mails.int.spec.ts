import { z } from 'zod';
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
  const makeDue = () =>
    bed.database.sql('UPDATE accounts SET welcome_mail_due_at = now() WHERE welcome_mail_due_at IS NOT NULL');

  it('is queued once at the first sign-in, and is not due afterwards', async () => {
    const { accountId, notice } = await signIn();
    expect(notice).toBeUndefined();
    await makeDue();
    await core.get(WelcomeMails).sendDue();
    expect(await mailsOf(accountId)).toHaveLength(1);
  });

  it('is queued later when queueing fails; the person sees the specified text and is signed in', async () => {
    const failing = jest.spyOn(core.get(Mails), 'queue').mockRejectedValue(new Error('no room'));
    const { accountId, notice } = await signIn();
    expect(notice).toMatchObject({ code: 'mail_failed' });
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
  });

  it('is due when the process dies between the sign-up and the email', async () => {
    jest.spyOn(core.get(WelcomeMails), 'send').mockReturnValueOnce(Promise.resolve(true));
    const { accountId } = await signIn();
    await makeDue();
    const person = z.strictObject({ id: z.uuid(), email: z.string(), displayName: z.string() });
    const rows = await core.get(Postgres).query(takeDueStatement, []);
    expect(z.array(person).parse(rows)).toMatchObject([{ id: accountId, displayName: 'Ada' }]);
    await makeDue();
    await core.get(WelcomeMails).sendDue();
    expect(await mailsOf(accountId)).toHaveLength(1);
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
