import type { ListedOtp, OtpConversion, OtpQuote, SendOtpRequest, SentOtp } from '../api-types.js';
import { argument, type Command, type Values } from './command.js';
import { credits, plural } from './messages.js';
import { UsageError } from './terminal.js';

type Step = NonNullable<SendOtpRequest['channels']>[number];

const EXIT_NOT_VERIFIED = 1;
const LISTED = 20;

export const otp: Command = {
  usage: 'otp ACTION [VALUE]',
  about: 'Send, price, resend, verify and list one-time passwords.',
  details: `  pennytext otp send TO         sends a code and prints its OTP_ID
  pennytext otp quote TO        shows the price of a code with channels; takes the options of send
  pennytext otp resend OTP_ID   sends the same code again, or by its next channel
  pennytext otp verify CODE     with --to or --otp-id; exit code 0 only if it is verified
  pennytext otp list            the latest codes and whether they arrived, never the codes themselves
  pennytext otp conversion      how many codes were verified, by country and day

--channel may be repeated, in the order in which the channels are tried:

  pennytext otp send +12025550142 --channel sms:45 --channel voice --channel email=ann@example.com

Needs a key with the scope "otp". A code by SMS costs 1 credit; verifying is free.`,
  options: {
    org: { type: 'string', value: 'NAME', about: 'send: name of your organization in the text.' },
    code: { type: 'string', value: 'CODE', about: 'send: a code of your own, which you verify yourself.' },
    channel: {
      type: 'string',
      value: 'CHANNEL[:SECONDS][=TO]',
      about: 'send: sms, whatsapp, voice or email, for so long; resend, list: one of them.',
      isList: true,
    },
    'max-credits': { type: 'string', value: 'CREDITS', about: 'send: refuse if all channels together cost more.' },
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
      case 'quote': {
        const { channels, ...request } = requestOf(argument(args, 1), values);
        if (channels === undefined) throw new UsageError('Name the channels of the code, such as --channel voice.');
        const quoted = await client().quote({ ...request, channels }, { signal });
        terminal.print(quoted, ...pricesOf(quoted));
        return;
      }
      case 'send':
      case 'resend': {
        const value = argument(args, 1);
        const request = requestOf(value, values);
        const { send, resend } = client().otp;
        const again = () => resend({ otp_id: value, channel: onlyChannel(values.list('channel')) }, { signal });
        const sent = await (args[0] === 'send' ? send(request, { signal }) : again());
        terminal.print(
          sent,
          `${sent.otp_id} sent${wayOf(sent)}, valid until ${sent.expires_at}: ${credits(sent.credits)}, ` +
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
          channel: onlyChannel(values.list('channel')),
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
          ...figures.channels.map((one) => `  ${one.country} by ${one.channel}  ${shareOf(one)}`),
        );
        return;
      }
      default:
        throw new UsageError('The action is send, resend, verify, list or conversion.');
    }
  },
};

const STEP = /^(?<channel>[^:=]+)(?::(?<seconds>\d+))?(?:=(?<to>.+))?$/;

/** Parses `sms:45` or `email=ann@example.com`. The service knows which channels there are. */
function stepOf(given: string): Step {
  const { channel, seconds, to } = STEP.exec(given)?.groups ?? {};
  if (channel === undefined) throw new UsageError('--channel is such as voice, sms:45 or email=ann@example.com.');
  return {
    channel: channel as Step['channel'],
    ...(to !== undefined && { to }),
    ...(seconds !== undefined && { wait_seconds: Number(seconds) }),
  };
}

/** The request of a code, from the options. Throws {@link UsageError}. */
function requestOf(to: string, values: Values): SendOtpRequest {
  const channels = values.list('channel').map(stepOf);
  return {
    to,
    channels: channels.length > 0 ? channels : undefined,
    max_credits: values.number('max-credits'),
    org: values.text('org'),
    code: values.text('code'),
    length: values.number('length'),
    limit: values.number('limit'),
    domain: values.text('domain'),
    from: values.text('sender'),
    reference: values.text('reference'),
  };
}

/** The price of each channel, of all, and the credits that all of them leave. */
function pricesOf({ channels, credits_max: all, country, balance, balance_after: after }: OtpQuote): string[] {
  return [
    `${credits(all)} at most, to ${country}:`,
    ...channels.map(({ channel, credits: price }) => `  ${channel}  ${credits(price)}`),
    after === null ? `Your balance of ${credits(balance)} does not cover all.` : `${credits(after)} would be left.`,
    `Send it with --max-credits ${all}.`,
  ];
}

function onlyChannel(given: readonly string[]): Step['channel'] | undefined {
  if (given.length > 1) throw new UsageError('Give one --channel.');
  return given[0] as Step['channel'] | undefined;
}

/** The channel of a code with several, and the one that is tried next. */
function wayOf({ channel, next_channel: next, next_channel_at: at }: SentOtp): string {
  if (channel === undefined) return '';
  return next && at ? ` by ${channel}, by ${next} at ${at}` : ` by ${channel}`;
}

function lineOf({ created_at: at, otp_id: id, to, status, messages, delivered_at: deliveredAt }: ListedOtp): string {
  const message = deliveredAt === null ? (messages.at(-1)?.status ?? 'not sent') : 'delivered';
  return `${at}  ${id}  ${to}  ${status.padEnd(9)}  ${message}`;
}

function shareOf({ sent, verified, verified_percent: percent }: Omit<OtpConversion['countries'][number], 'country'>) {
  return `${sent} sent, ${verified} verified${percent === null ? '' : ` (${percent}%)`}`;
}
