import { SmtpClient } from '../testing/smtp-client.js';
import { TestSandbox, until } from '../testing/test-sandbox.js';
import type { MailLine } from './mail.routes.js';
import type { Mail } from './mailbox.js';

const sandbox = new TestSandbox();
const clients: SmtpClient[] = [];
const source = 'Subject: Grüße\n\nHello';

beforeAll(() => sandbox.start());
beforeEach(() => sandbox.post('/_control/reset', {}));
afterEach(() => {
  for (const client of clients.splice(0)) client.close();
});
afterAll(() => sandbox.stop());

const client = async () => {
  const made = new SmtpClient(sandbox.smtpPort);
  clients.push(made);
  await until('the greeting has arrived', () => made.heard.startsWith('220 '));
  return made;
};
const arrived = (query = '') => sandbox.get<Mail[]>(`/_control/mail${query}`);
const fault = (settings: object) => sandbox.post('/_control/faults', { service: 'mail', count: 1, ...settings });

describe('SMTP', () => {
  it('accepts a mail and unescapes leading dots', async () => {
    const smtp = await client();
    expect(await smtp.send('ada@example.com', 'Subject: Grüße\n\nHello\n..a dot\nBye')).toMatch(/^250 /);
    expect(await arrived()).toMatchObject([
      {
        id: expect.any(String),
        to: 'ada@example.com',
        from: 'product@pennytext.example',
        subject: 'Grüße',
        text: 'Hello\n.a dot\nBye',
        html: null,
        at: expect.stringMatching(/^\d{4}-.*Z$/),
        headers: { subject: 'Grüße' },
      },
    ]);
  });

  it('accepts several mails over one connection and finds them by recipient', async () => {
    const smtp = await client();
    for (const name of ['ada', 'bob', 'ada']) await smtp.send(`${name}@example.com`, `Subject: to ${name}\n\nx`);
    expect((await arrived()).map(({ to }) => to)).toEqual(['ada', 'bob', 'ada'].map((name) => `${name}@example.com`));
    expect(await arrived('?to=ADA@example.com')).toHaveLength(2);
    expect(await arrived('?to=eve@example.com')).toEqual([]);
  });

  it.each([
    ['AUTH PLAIN AGFkYQBzZWNyZXQ=', /^503 /],
    ['HELO test', /^250 /],
    ['NOOP', /^250 /],
    ['RSET', /^250 /],
    ['RCPT TO:<ada@example.com>', /^503 /],
    ['DATA', /^503 /],
    ['MAIL FROM:ada', /^503 /],
    ['MAKE COFFEE', /^500 /],
  ])('answers %s', async (line, answer) => {
    expect(await (await client()).say(line)).toMatch(answer);
  });

  it.each([
    ['AUTH PLAIN AGFkYQBzZWNyZXQ=', /^235 /],
    ['AUTH CRAM-MD5', /^504 /],
    ['RCPT TO:<ada@example.com>', /^503 /],
    ['MAIL FROM:ada', /^501 /],
  ])('answers %s after EHLO', async (line, answer) => {
    const smtp = await client();
    await smtp.say('EHLO test');
    expect(await smtp.say(line)).toMatch(answer);
  });

  it('accepts AUTH LOGIN step by step', async () => {
    const smtp = await client();
    const features = await smtp.say('EHLO test');
    for (const feature of ['SIZE 10485760', '8BITMIME', 'SMTPUTF8', 'AUTH PLAIN LOGIN']) {
      expect(features).toMatch(new RegExp(`^250[ -]${feature}\r?$`, 'm'));
    }
    expect(features).not.toContain('STARTTLS');
    expect(await smtp.say('AUTH LOGIN')).toBe('334 VXNlcm5hbWU6');
    expect(await smtp.say('YWRh')).toBe('334 UGFzc3dvcmQ6');
    expect(await smtp.say('c2VjcmV0')).toMatch(/^235 /);
  });

  it('rejects mails that are too large, announced or not', async () => {
    const smtp = await client();
    await smtp.say('EHLO test');
    expect(await smtp.say('MAIL FROM:<a@b.example> SIZE=99999999')).toMatch(/^552 /);
    const line = `${'x'.repeat(998)}\r\n`;
    expect(await smtp.send('ada@example.com', line.repeat(10_600))).toMatch(/^552 /);
    expect(await arrived()).toEqual([]);
  });

  it('closes the connection on an endless line and after QUIT', async () => {
    const endless = await client();
    endless.write('x'.repeat(70_000));
    await until('the connection is closed', () => endless.isClosed);
    const polite = await client();
    expect(await polite.say('QUIT')).toMatch(/^221 /);
    await until('the connection is closed', () => polite.isClosed);
  });
});

describe('faults of mail', () => {
  it.each([
    ['refuse', /^550 /],
    ['reject', /^554 /],
    ['temporary', /^450 /],
  ])('%s rejects one mail', async (mode, answer) => {
    await fault({ mode });
    const smtp = await client();
    expect(await smtp.send('ada@example.com', source)).toMatch(answer);
    await smtp.say('RSET');
    expect(await smtp.send('ada@example.com', 'Subject: x\n\nx')).toMatch(/^250 /);
    expect(await arrived()).toHaveLength(1);
  });

  it.each([
    ['refuse', /^550 /],
    ['temporary', /^450 /],
  ])('%s bounces some recipients alone, each time', async (mode, answer) => {
    await fault({ mode, count: undefined, to: ['Bob@example.com', 'eve@example.com'] });
    const smtp = await client();
    expect(await smtp.send('ada@example.com', source)).toMatch(/^250 /);
    for (const name of ['bob', 'EVE', 'bob']) {
      expect(await smtp.send(`${name}@example.com`, source)).toMatch(answer);
      await smtp.say('RSET');
    }
    await smtp.say('MAIL FROM:<product@pennytext.example>');
    expect(await smtp.say('RCPT TO:<bob@example.com>')).toMatch(answer);
    expect(await smtp.say('RCPT TO:<ada@example.com>')).toMatch(/^250 /);
    expect(await arrived()).toHaveLength(1);
  });

  it('reject meets the mail to one recipient at its end', async () => {
    await fault({ mode: 'reject', to: 'bob@example.com' });
    const smtp = await client();
    expect(await smtp.send('ada@example.com', source)).toMatch(/^250 /);
    expect(await smtp.send('bob@example.com', source)).toMatch(/^554 /);
    expect(await smtp.send('bob@example.com', source)).toMatch(/^250 /);
  });

  it('delay accepts the mail and answers late', async () => {
    await fault({ mode: 'delay', delayMs: 100 });
    const startedAt = performance.now();
    expect(await (await client()).send('ada@example.com', 'Subject: x\n\nx')).toMatch(/^250 /);
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(95);
  });

  it('timeout accepts nothing and never answers', async () => {
    await fault({ mode: 'timeout' });
    const smtp = await client();
    for (const line of ['EHLO test', 'MAIL FROM:<a@b.example>', 'RCPT TO:<ada@example.com>', 'DATA'])
      await smtp.say(line);
    smtp.heard = '';
    smtp.write('Subject: lost\r\n\r\nx\r\n.\r\n');
    // A later mail has arrived, so the earlier mail was read.
    await (await client()).send('ada@example.com', 'Subject: later\n\nx');
    expect((await arrived()).map(({ subject }) => subject)).toEqual(['later']);
    expect([smtp.heard, smtp.isClosed]).toEqual(['', false]);
  });

  it('busy answers 421 and closes the connection', async () => {
    await fault({ mode: 'busy' });
    const smtp = await client();
    await smtp.say('EHLO test');
    expect(await smtp.say('MAIL FROM:<a@b.example>')).toMatch(/^421 /);
    await until('the connection is closed', () => smtp.isClosed);
  });

  it('lost-answer accepts the mail and drops the connection', async () => {
    await fault({ mode: 'lost-answer' });
    const smtp = await client();
    for (const line of ['EHLO test', 'MAIL FROM:<a@b.example>', 'RCPT TO:<ada@example.com>', 'DATA'])
      await smtp.say(line);
    smtp.heard = '';
    smtp.write('Subject: x\r\n\r\nx\r\n.\r\n');
    await until('the connection is closed', () => smtp.isClosed);
    expect(smtp.heard).toBe('');
    expect(await arrived()).toHaveLength(1);
  });
});

describe('the mailbox', () => {
  it('lists mails newest first, shows one, and notifies an open page of a new one', async () => {
    const events = await fetch(`${sandbox.url}/_mail/events`);
    await (
      await client()
    ).send('ada@example.com', 'From: "Pennytext" <hello@x.example>\nSubject: One\n\nFirst   words');
    const [line] = await sandbox.get<MailLine[]>('/_mail/messages');
    expect(line).toMatchObject({ sender: 'Pennytext', subject: 'One', preview: 'First words', to: 'ada@example.com' });
    expect(await sandbox.get(`/_mail/messages/${line?.id}`)).toMatchObject({ text: 'First   words' });
    expect((await fetch(`${sandbox.url}/_mail/messages/none`)).status).toBe(404);
    let text = '';
    for await (const chunk of events.body ?? []) {
      text += Buffer.from(chunk).toString('utf8');
      if (text.includes('event: mail')) break;
    }
    expect(text).toContain(`event: mail\ndata: {"id":"${line?.id}"}`);
  });
});
