import { startLocalSmtp, type LocalSmtp } from '../../testing/local-smtp.js';
import { testConfig } from '../../testing/test-config.js';
import { SmtpMailer } from './smtp-mailer.js';

const mail = { id: 'b2c1', to: 'ada@example.com', subject: 'Grüße', text: 'Plain words', html: '<p>Fine words</p>' };

describe('SmtpMailer', () => {
  let smtp: LocalSmtp;
  let mailer: SmtpMailer;

  beforeEach(async () => {
    smtp = await startLocalSmtp();
    mailer = new SmtpMailer(testConfig({ SMTP_URL: smtp.url, MAIL_FROM: 'Pennytext <hello@pennytext.test>' }));
  });

  afterEach(async () => {
    mailer.onApplicationShutdown();
    await smtp.close();
  });

  it('brings both parts, under a Message-ID that stays the same', async () => {
    expect(await mailer.send(mail)).toEqual({ kind: 'sent' });
    expect(await mailer.send(mail)).toEqual({ kind: 'sent' });
    expect(smtp.mails).toHaveLength(2);
    for (const sent of smtp.mails) {
      expect(sent).toContain('Message-ID: <b2c1@pennytext.test>');
      expect(sent).toContain('From: Pennytext <hello@pennytext.test>');
      expect(sent).toContain('To: ada@example.com');
      expect(sent).toMatch(/^Subject: =\?UTF-8\?/m);
      expect(sent).toContain('Content-Type: text/plain');
      expect(sent).toContain('Plain words');
      expect(sent).toContain('<p>Fine words</p>');
    }
  });

  it.each([
    ['RCPT', '550 no such mailbox', 'refused'],
    ['.', '554 spam', 'refused'],
    ['RCPT', '450 try later', 'unavailable'],
    ['MAIL', '421 too busy', 'unavailable'],
    ['.', undefined, 'unavailable'],
    ['EHLO', undefined, 'unavailable'],
  ])('takes %s answered with "%s" for %s', async (command, answer, kind) => {
    smtp.answers.set(command, answer);
    expect(await mailer.send(mail)).toMatchObject({ kind, cause: expect.any(Error) });
  });

  it('is unavailable when nobody listens, and without SMTP_URL', async () => {
    await smtp.close();
    expect(await mailer.send(mail)).toMatchObject({ kind: 'unavailable' });
    expect(await new SmtpMailer(testConfig()).send(mail)).toMatchObject({ kind: 'unavailable' });
  });
});
