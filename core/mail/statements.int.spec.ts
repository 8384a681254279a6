import { z } from 'zod';
import { statementScene } from '../testing/core-scene.js';
import { claimMails, takeDueMails, type ClaimedMail } from './mail-sender.js';
import type { MailContent } from './mail-template.js';
import { Mails } from './mails.js';

const content: z.ZodType<MailContent> = z.strictObject({
  kind: z.literal('welcome'),
  displayName: z.string(),
  credits: z.int(),
});
const claimedMail: z.ZodType<ClaimedMail> = z.strictObject({
  id: z.uuid(),
  accountId: z.uuid(),
  recipient: z.string(),
  isConfirmed: z.boolean(),
  content,
  attempts: z.int(),
  secret: z.instanceof(Buffer).nullable(),
  secretKeyId: z.string().nullable(),
});

describe('mail statements return the rows that their types declare', () => {
  const { createAccount, expectRows, get, sql, transaction } = statementScene();

  it('of claims and recovery', async () => {
    const { id: accountId, email: recipient } = await createAccount();
    const mail = { accountId, recipient, sourceId: accountId };
    await transaction((tx) =>
      get(Mails).queue(tx, { ...mail, content: { kind: 'welcome', displayName: 'Ada', credits: 3 }, token: 'secret' }),
    );
    const ids = (await sql<{ id: string }>('SELECT id FROM mails WHERE account_id = $1', [accountId])).map(
      ({ id }) => id,
    );
    await expectRows(claimedMail, claimMails.text, [ids]);
    await sql('UPDATE mails SET due_at = now() WHERE account_id = $1', [accountId]);
    await expectRows(z.strictObject({ id: z.uuid() }), takeDueMails.text);
  });
});
