import { createServer, type AddressInfo } from 'node:net';
import { startSandbox, type RunningSandbox } from '../../../sandbox/sandbox.js';
import { testConfig } from '../../testing/test-config.js';
import { SmtpMailer } from './smtp-mailer.js';

const mail = { id: 'b2c1', to: 'ada@example.com', subject: 'Grüße', text: 'Plain words', html: '<p>Fine words</p>' };

describe('SmtpMailer', () => {
  let sandbox: RunningSandbox;
  let mailer: SmtpMailer;

  const arrived = async () => (await fetch(`${sandbox.url}/_control/mail`)).json();
  const fault = (mode: string) =>
    fetch(`${sandbox.url}/_control/faults`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ service: 'mail', mode }),
    });

  beforeEach(async () => {
    sandbox = await startSandbox();
    mailer = new SmtpMailer(testConfig({ SMTP_URL: sandbox.smtpUrl, MAIL_FROM: 'Pennytext <hello@pennytext.test>' }));
  });

  afterEach(async () => {
    mailer.onApplicationShutdown();
    await sandbox.close();
  });

  it('sends both parts under the same Message-ID at every attempt', async () => {
    expect(await mailer.send(mail)).toEqual({ kind: 'sent' });
    expect(await mailer.send(mail)).toEqual({ kind: 'sent' });
    const sent = {
      to: 'ada@example.com',
      from: 'hello@pennytext.test',
      subject: 'Grüße',
      text: expect.stringContaining('Plain words'),
      html: '<p>Fine words</p>',
      headers: expect.objectContaining({
        'message-id': '<b2c1@pennytext.test>',
        from: 'Pennytext <hello@pennytext.test>',
        to: 'ada@example.com',
      }),
    };
    expect(await arrived()).toMatchObject([sent, sent]);
  });

  it.each([
    ['refuse', 'refused'],
    ['reject', 'refused'],
    ['temporary', 'unavailable'],
    ['busy', 'unavailable'],
    ['lost-answer', 'unavailable'],
  ])('reports the fault %s as %s', async (mode, kind) => {
    expect((await fault(mode)).status).toBe(200);
    expect(await mailer.send(mail)).toMatchObject({ kind, cause: expect.any(Error) });
  });

  it('is unavailable when the connection breaks after the greeting', async () => {
    const server = createServer((socket) => {
      socket.write('220 mail.test\r\n');
      socket.on('data', () => socket.destroy());
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const broken = new SmtpMailer(
      testConfig({ SMTP_URL: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}` }),
    );
    expect(await broken.send(mail)).toMatchObject({ kind: 'unavailable', cause: expect.any(Error) });
    broken.onApplicationShutdown();
    await new Promise((resolve) => server.close(resolve));
  });

  it('is unavailable without a server, and without SMTP_URL', async () => {
    await sandbox.close();
    expect(await mailer.send(mail)).toMatchObject({ kind: 'unavailable' });
    expect(await new SmtpMailer(testConfig()).send(mail)).toMatchObject({ kind: 'unavailable' });
  });
});
