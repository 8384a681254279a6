import type { ListedOtp, OtpConversion } from '../api-types.js';
import { argument, type Command } from './command.js';
import { credits, plural } from './messages.js';
import { UsageError } from './terminal.js';

const EXIT_NOT_VERIFIED = 1;
const LISTED = 20;

export const otp: Command = {
  usage: 'otp ACTION [VALUE]',
  about: 'Send, resend, verify and list one-time passwords.',
  details: `  pennytext otp send TO         sends a code and prints its OTP_ID
  pennytext otp resend OTP_ID   sends the same code again
  pennytext otp verify CODE     with --to or --otp-id; exit code 0 only if it is verified
  pennytext otp list            the latest codes and whether they arrived, never the codes themselves
  pennytext otp conversion      how many codes were verified, by country and day

Needs a key with the scope "otp". A code costs 1 credit; verifying is free.`,
  options: {
    org: { type: 'string', value: 'NAME', about: 'send: name of your organization in the text.' },
    code: { type: 'string', value: 'CODE', about: 'send: a code of your own, which you verify yourself.' },
    length: { type: 'string', value: 'DIGITS', about: 'send: number of digits, 4 to 8.' },
    limit: { type: 'string', value: 'MINUTES', about: 'send: lifetime, 2 to 10.' },
    domain: { type: 'string', value: 'HOST', about: 'send: your site, for autofill.' },
    sender: { type: 'string', value: 'NUMBER', about: 'send: a number of yours, or the id of one or of a pool.' },
    reference: { type: 'string', value: 'TEXT', about: 'send: your own reference; list: only codes with it.' },
    to: { type: 'string', value: 'NUMBER', about: 'verify, list: the number that the code was sent to.' },
    'otp-id': { type: 'string', value: 'OTP_ID', about: 'verify, list: the code’s id.' },
    status: { type: 'string', value: 'STATE', about: 'list: only codes in this state.' },
    country: { type: 'string', value: 'CODE', about: 'list: only codes to this country, such as US.' },
    key: { type: 'string', value: 'KEY_ID', about: 'list: only codes of this key; account is your own key.' },
    count: { type: 'string', value: 'COUNT', about: 'list: codes to list, 20 unless you set it.' },
    from: { type: 'string', value: 'DAY', about: 'conversion: the first day, YYYY-MM-DD in New York.' },
    until: { type: 'string', value: 'DAY', about: 'conversion: the last day.' },
  },
  async run({ client, terminal, signal }, args, values) {
    switch (args[0] ?? '') {
      case 'send':
      case 'resend': {
        const value = argument(args, 1);
        const request = {
          to: value,
          org: values.text('org'),
          code: values.text('code'),
          length: values.number('length'),
          limit: values.number('limit'),
          domain: values.text('domain'),
          from: values.text('sender'),
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
        const request = { otp: argument(args, 1), to: values.text('to'), otp_id: values.text('otp-id') };
        const verdict = await client().otp.verify(request, { signal });
        const left = verdict.attempts_left === undefined ? '' : `, ${plural(verdict.attempts_left, 'attempt')} left`;
        terminal.print(verdict, `${verdict.status}${left}`);
        return verdict.status === 'verified' ? 0 : EXIT_NOT_VERIFIED;
      }
      case 'list': {
        const filter = {
          to: values.text('to'),
          otp_id: values.text('otp-id'),
          reference: values.text('reference'),
          status: values.text('status') as ListedOtp['status'] | undefined,
          country: values.text('country'),
          key_id: values.text('key'),
        };
        const codes = await client()
          .otp.list(filter, { signal })
          .take(values.number('count') ?? LISTED);
        for (const code of codes) terminal.print(code, lineOf(code));
        return;
      }
      case 'conversion': {
        const days = { from: values.text('from'), to: values.text('until') };
        const figures = await client().otp.conversion(days, { signal });
        terminal.print(
          figures,
          `${figures.from} to ${figures.to}: ${shareOf(figures)}`,
          ...figures.countries.map((one) => `  ${one.country}  ${shareOf(one)}`),
          ...figures.days.map((one) => `  ${one.day}  ${shareOf(one)}`),
        );
        return;
      }
      default:
        throw new UsageError('The action is send, resend, verify, list or conversion.');
    }
  },
};

function lineOf({ created_at: at, otp_id: id, to, status, messages, delivered_at: deliveredAt }: ListedOtp): string {
  const message = deliveredAt === null ? (messages.at(-1)?.status ?? 'not sent') : 'delivered';
  return `${at}  ${id}  ${to}  ${status.padEnd(9)}  ${message}`;
}

function shareOf({ sent, verified, verified_percent: percent }: Omit<OtpConversion['countries'][number], 'country'>) {
  return `${sent} sent, ${verified} verified${percent === null ? '' : ` (${percent}%)`}`;
}
