import { argument, type Command } from './command.js';
import { credits, plural } from './messages.js';
import { UsageError } from './terminal.js';

const EXIT_NOT_VERIFIED = 1;

export const otp: Command = {
  usage: 'otp ACTION VALUE',
  about: 'Send, resend and verify one-time passwords.',
  details: `ACTION is send, resend or verify:

  pennytext otp send TO         sends a code and prints its OTP_ID
  pennytext otp resend OTP_ID   sends the same code again
  pennytext otp verify CODE     with --to or --otp-id; exit code 0 only if it is verified

Needs a key with the scope "otp". A code costs 1 credit; verifying is free.`,
  options: {
    org: { type: 'string', value: 'NAME', about: 'send: name of your organization in the text.' },
    length: { type: 'string', value: 'DIGITS', about: 'send: number of digits, 4 to 8.' },
    limit: { type: 'string', value: 'MINUTES', about: 'send: lifetime, 2 to 10.' },
    domain: { type: 'string', value: 'HOST', about: 'send: your site, for autofill.' },
    reference: { type: 'string', value: 'TEXT', about: 'send: your own reference.' },
    to: { type: 'string', value: 'NUMBER', about: 'verify: the number that the code was sent to.' },
    'otp-id': { type: 'string', value: 'OTP_ID', about: 'verify: the code’s id, in place of --to.' },
  },
  async run({ client, terminal, signal }, args, values) {
    const value = argument(args, 1);
    switch (args[0] ?? '') {
      case 'send':
      case 'resend': {
        const request = {
          to: value,
          org: values.text('org'),
          length: values.number('length'),
          limit: values.number('limit'),
          domain: values.text('domain'),
          reference: values.text('reference'),
        };
        const { send, resend } = client().otp;
        const sent = await (args[0] === 'send' ? send(request, { signal }) : resend({ otp_id: value }, { signal }));
        terminal.print(
          sent,
          `${sent.otp_id} sent, valid until ${sent.expires_at}: ${credits(sent.credits)}, ` +
            `${credits(sent.balance)} left.`,
        );
        return;
      }
      case 'verify': {
        const request = { otp: value, to: values.text('to'), otp_id: values.text('otp-id') };
        const verdict = await client().otp.verify(request, { signal });
        const left = verdict.attempts_left === undefined ? '' : `, ${plural(verdict.attempts_left, 'attempt')} left`;
        terminal.print(verdict, `${verdict.status}${left}`);
        return verdict.status === 'verified' ? 0 : EXIT_NOT_VERIFIED;
      }
      default:
        throw new UsageError('The action is send, resend or verify.');
    }
  },
};
