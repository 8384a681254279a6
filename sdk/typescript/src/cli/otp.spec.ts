import { PassThrough } from 'node:stream';
import { otpConversion, pendingOtp, quotedOtp, sentByChannels, sentOtp } from '../../../../contract/examples.js';
import { Pennytext } from '../client.js';
import { parse } from './command.js';
import { messageCommands } from './messages.js';
import { otp } from './otp.js';
import { Terminal } from './terminal.js';

const TO = '+12025550142';

/** Runs a command against a service with one answer. */
async function run(answer: object, command = otp, ...argv: string[]) {
  const ran = { printed: '', requests: [] as unknown[] };
  const stdout = new PassThrough().on('data', (chunk) => (ran.printed += String(chunk)));
  const terminal = new Terminal({ stdin: new PassThrough(), stdout, stderr: new PassThrough() }, false);
  const fetch = (address: URL | RequestInfo, { body }: RequestInit = {}) => {
    const url = new URL(address instanceof Request ? address.url : address);
    ran.requests.push(typeof body === 'string' ? JSON.parse(body) : url.search);
    return Promise.resolve(Response.json(answer));
  };
  const client = () => new Pennytext({ apiKey: 'key', baseUrl: 'https://api.example', fetch });
  const { args, values } = parse(command, argv);
  await command.run({ terminal, env: {}, client, signal: new AbortController().signal }, args, values);
  return ran;
}

describe('pennytext otp', () => {
  it('sends a code by the channels in the order in which they are given', async () => {
    const channels = ['--channel', 'sms:45', '--channel', 'voice', '--channel', 'email:20=ann+a:b@example.com'];
    const { requests, printed } = await run(sentByChannels, otp, 'send', TO, ...channels, '--max-credits', '5');
    expect(requests).toEqual([
      {
        to: TO,
        channels: [
          { channel: 'sms', wait_seconds: 45 },
          { channel: 'voice' },
          { channel: 'email', to: 'ann+a:b@example.com', wait_seconds: 20 },
        ],
        max_credits: 5,
      },
    ]);
    expect(printed).toContain(`sent by sms, by voice at ${sentByChannels.next_channel_at}, valid until`);
  });

  it('prices a code by its channels, and sends nothing', async () => {
    const channels = ['--channel', 'sms:45', '--channel', 'voice'];
    const { requests, printed } = await run(quotedOtp, otp, 'quote', TO, ...channels, '--org', 'Acme');
    expect(requests).toEqual([
      { to: TO, org: 'Acme', channels: [{ channel: 'sms', wait_seconds: 45 }, { channel: 'voice' }] },
    ]);
    expect(printed).toBe(
      '4 credits at most, to US:\n  sms  1 credit\n  voice  3 credits\n208 credits would be left.\n' +
        'Send it with --max-credits 4.\n',
    );
    const poor = await run({ ...quotedOtp, balance: 3, balance_after: null }, otp, 'quote', TO, ...channels);
    expect(poor.printed).toContain('Your balance of 3 credits does not cover all.');
  });

  it('sends by SMS alone without a channel', async () => {
    const { requests, printed } = await run(sentOtp, otp, 'send', TO);
    expect(requests).toEqual([{ to: TO }]);
    expect(printed).toContain(`${sentOtp.otp_id} sent, valid until`);
  });

  it('sends a code again by the channel that is named', async () => {
    const { requests } = await run(sentByChannels, otp, 'resend', sentOtp.otp_id, '--channel', 'voice');
    expect(requests).toEqual([{ otp_id: sentOtp.otp_id, channel: 'voice' }]);
  });

  it('lists the codes of a channel', async () => {
    const { requests } = await run({ otps: [], next_cursor: null }, otp, 'list', '--channel', 'voice');
    expect(requests).toEqual(['?channel=voice']);
  });

  it('shows how many codes were entered after each channel', async () => {
    const { printed } = await run(otpConversion, otp, 'conversion');
    expect(printed).toContain('  US by voice  12 sent, 9 verified (75%)\n');
  });

  it.each([
    [['send', TO, '--channel', '=ann@example.com'], '--channel is such as'],
    [['send', TO, '--channel', 'sms:soon'], '--channel is such as'],
    [['quote', TO], 'Name the channels of the code'],
    [['resend', sentOtp.otp_id, '--channel', 'sms', '--channel', 'voice'], 'Give one --channel.'],
  ])('refuses %j', (argv, reason) => expect(run(sentOtp, otp, ...argv)).rejects.toThrow(reason));
});

it('pennytext status shows the steps of a code, and the one after which it was entered', async () => {
  const [sms] = pendingOtp.steps;
  const voice = { ...sms, n: 2, channel: 'voice', outcome: 'undelivered', reason: 'call_busy', credits: 0 };
  const code = { ...pendingOtp, steps: [sms, voice], entered_step: 1 };
  const { status } = messageCommands;
  if (!status) throw new Error('There is no command status.');
  const { printed } = await run(code, status, code.otp_id);
  expect(printed).toContain(`  1. sms to ${TO}: delivered, 1 credit, entered\n`);
  expect(printed).toContain(`  2. voice to ${TO}: undelivered (call_busy), 0 credits\n`);
});
