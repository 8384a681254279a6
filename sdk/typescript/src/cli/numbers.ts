import type { AvailableNumbers, OwnNumbers, PoolsAnswer } from '../api-types.js';
import { PennytextError } from '../errors.js';
import type { Pennytext } from '../client.js';
import { argument, type Command, type Context } from './command.js';
import { credits } from './messages.js';
import { UsageError } from './terminal.js';

type Values = Parameters<Command['run']>[2];

export const numbers: Command = {
  usage: 'numbers ACTION [VALUE]',
  about: 'Search, buy, list and release numbers of your own.',
  details: `  pennytext numbers search           numbers that you can buy, with their prices
  pennytext numbers buy NUMBER       shows the price, asks, and buys one; its first month is taken at once
  pennytext numbers list             your numbers
  pennytext numbers show NUMBER_ID   one of them, and what went through it
  pennytext numbers release NUMBER_ID  gives it up, a day from now; paid credits are not returned
  pennytext numbers keep NUMBER_ID   undoes a release

Needs a key with the scope "numbers". What you buy counts against the key's budget.`,
  options: {
    country: { type: 'string', value: 'CODE', about: 'search: US or CA.' },
    type: { type: 'string', value: 'TYPE', about: 'search: local or toll_free.' },
    'area-code': { type: 'string', value: 'DIGITS', about: 'search: three digits.' },
    contains: { type: 'string', value: 'DIGITS', about: 'search: digits or letters in a row; * is any digit.' },
    limit: { type: 'string', value: 'COUNT', about: 'search: how many, 20 unless you set it.' },
    label: { type: 'string', value: 'TEXT', about: 'buy: your own name for it.' },
    'no-renew': { type: 'boolean', about: 'buy: release it when the first month ends.' },
    released: { type: 'boolean', about: 'list: those that you had.' },
    'at-end': { type: 'boolean', about: 'release: when the paid month ends, not in a day.' },
    yes: { type: 'boolean', about: 'buy, release: do not ask.' },
    'idempotency-key': { type: 'string', value: 'KEY', about: 'buy: repeat safely: the same key buys once.' },
  },
  async run(context, args, values) {
    const action = actions[args[0] ?? ''];
    if (!action) throw new UsageError('The action is search, buy, list, show, release or keep.');
    await action(context, args, values);
  },
};

type Action = (context: Context, args: readonly string[], values: Values) => Promise<void>;

const types = ['local', 'toll_free'] as const;

const actions: Readonly<Record<string, Action>> = {
  async search({ client, terminal, signal }, _args, values) {
    const given = values.text('type');
    const type = types.find((one) => one === given);
    if (given !== undefined && !type) throw new UsageError('--type is local or toll_free.');
    const filter = {
      country: values.text('country'),
      type,
      area_code: values.text('area-code'),
      contains: values.text('contains'),
      limit: values.number('limit'),
    };
    const found = await client().numbers.available(filter, { signal });
    for (const number of found.numbers) terminal.print(number, saleLineOf(number));
    if (found.numbers.length === 0) terminal.note('No such number is for sale.');
  },

  async buy({ client, terminal, signal }, args, values) {
    const number = argument(args, 1);
    const renews = !values.flag('no-renew');
    if (!values.flag('yes')) {
      const offer = await offerOf(client(), number, signal);
      await confirm(terminal, values, `Buy ${number}? ${offer ? priceOf(offer, renews) : UNLISTED}`);
    }
    const label = values.text('label');
    const request = { number, auto_renew: renews, ...(label !== undefined && { label }) };
    const idempotencyKey = values.text('idempotency-key');
    const bought = await client().numbers.buy(request, { signal, idempotencyKey });
    const { number_id: id, status, renews_at: renewsAt } = bought;
    const end = renewsAt === null ? '' : `, ${renews ? 'renews' : 'ends'} ${renewsAt}`;
    terminal.print(
      bought,
      `${id}  ${bought.number}  ${status}${end}: ${credits(bought.credits)}, ${credits(bought.balance)} left.`,
    );
  },

  async list({ client, terminal, signal }, _args, values) {
    const { numbers: own } = await client().numbers.list(values.flag('released') ? 'released' : 'live', { signal });
    for (const number of own) terminal.print(number, lineOf(number));
    if (own.length === 0) terminal.note('There are none.');
  },

  async show({ client, terminal, signal }, args) {
    const number = await client().numbers.get(argument(args, 1), { signal });
    const { sent, delivered, failed, waiting, replies, reasons } = number.traffic;
    terminal.print(
      number,
      lineOf(number),
      `${sent} sent, ${delivered} delivered, ${failed} not delivered, ${waiting} waiting, ${replies} replies`,
      ...reasons.map(({ code, text, messages }) => `  ${messages}  ${code}  ${text}`),
    );
  },

  async release({ client, terminal, signal }, args, values) {
    const id = argument(args, 1);
    const { numbers: own } = client();
    const { number, traffic } = await own.get(id, { signal });
    const lost = `${traffic.people} people know it, and ${traffic.waiting} messages wait for it.`;
    await confirm(terminal, values, `Release ${number}? ${lost} Paid credits are not returned.`);
    const released = await own.release(id, values.flag('at-end') ? 'renews_at' : 'now', { signal });
    terminal.print(released, lineOf(released));
  },

  async keep({ client, terminal, signal }, args) {
    const kept = await client().numbers.keep(argument(args, 1), { signal });
    terminal.print(kept, lineOf(kept));
  },
};

export const pools: Command = {
  usage: 'pools ACTION [VALUE]',
  about: 'Put your numbers into pools, and list and delete these.',
  details: `  pennytext pools list               your pools and their numbers
  pennytext pools put NAME           creates a pool, or gives it other numbers: --numbers
  pennytext pools delete POOL_ID     its numbers stay yours

Needs a key with the scope "numbers".`,
  options: {
    numbers: { type: 'string', value: 'LIST', about: 'put: numbers or their ids, with commas between them.' },
    default: { type: 'boolean', about: 'put: messages without a sender come from it.' },
    'no-default': { type: 'boolean', about: 'put: they do not.' },
  },
  async run({ client, terminal, signal }, args, values) {
    switch (args[0] ?? '') {
      case 'list': {
        const { pools: own } = await client().pools.list({ signal });
        for (const pool of own) terminal.print(pool, poolLineOf(pool));
        if (own.length === 0) terminal.note('There are none.');
        return;
      }
      case 'put': {
        const isDefault = values.flag('default') || (values.flag('no-default') ? false : undefined);
        const listed = (values.text('numbers') ?? '').split(',').map((one) => one.trim());
        const request = {
          name: argument(args, 1),
          numbers: listed.filter((one) => one !== ''),
          ...(isDefault !== undefined && { default: isDefault }),
        };
        const pool = await client().pools.put(request, { signal });
        terminal.print(pool, poolLineOf(pool));
        return;
      }
      case 'delete': {
        const deleted = await client().pools.delete(argument(args, 1), { signal });
        terminal.print(deleted, `${deleted.pool_id} deleted.`);
        return;
      }
      default:
        throw new UsageError('The action is list, put or delete.');
    }
  },
};

/** Asks in a terminal. A program answers with --yes. Throws {@link UsageError} for anything but yes. */
async function confirm(terminal: Context['terminal'], values: Values, question: string): Promise<void> {
  if (values.flag('yes')) return;
  if (!terminal.isInteractive) throw new UsageError(`${question} Add --yes.`);
  if (!(await terminal.confirm(question))) throw new UsageError('Nothing was done.');
}

const UNLISTED = 'No search lists it now, so its price is not known. It costs credits every month.';

/** Toll-free area codes: https://www.fcc.gov/consumers/guides/what-toll-free-number-and-how-does-it-work */
const TOLL_FREE = /^8(00|33|44|55|66|77|88)/;

/** The current offer of a number; undefined if it is not for sale or cannot be searched for. */
async function offerOf({ numbers: sold }: Pennytext, number: string, signal: AbortSignal) {
  const digits = number.replace(/\D/g, '').replace(/^1(?=\d{10}$)/, '');
  if (digits.length !== 10) return undefined;
  const type = TOLL_FREE.test(digits) ? 'toll_free' : 'local';
  // An area code of +1 does not show its country.
  for (const country of ['US', 'CA']) {
    const found = await sold.available({ country, type, contains: digits }, { signal }).catch(unlessNotSold);
    const offer = found?.numbers.find((one) => one.number === `+1${digits}`);
    if (offer) return offer;
  }
  return undefined;
}

/** A country without numbers for sale has no offer. Throws other errors. */
function unlessNotSold(error: unknown): undefined {
  if (error instanceof PennytextError && error.code === 'number_unsupported') return undefined;
  throw error;
}

type Offer = AvailableNumbers['numbers'][number];

function priceOf({ credits_per_month: rent, setup_credits: setup }: Offer, renews: boolean): string {
  const now = credits(rent + setup);
  if (!renews) return `It costs ${now} now, and is released after a month.`;
  return setup > 0 ? `It costs ${now} now and ${credits(rent)} every month.` : `It costs ${now} now and every month.`;
}

function saleLineOf(number: Offer): string {
  const { locality, capabilities, credits_per_month: rent, setup_credits: setup } = number;
  const price = `${credits(rent)} a month${setup > 0 ? `, ${credits(setup)} once` : ''}`;
  return `${number.number}  ${(locality ?? 'toll-free').padEnd(24)}  ${capabilities.join(' ').padEnd(14)}  ${price}`;
}

function lineOf(number: OwnNumbers['numbers'][number]): string {
  const { number_id: id, status, label } = number;
  const parts = [id, number.number, status.padEnd(9), endOf(number), label ?? ''];
  return parts
    .filter((part) => part !== '')
    .join('  ')
    .trimEnd();
}

/** Next event of a number, or its release, with the time; empty for a number of the operator. */
function endOf({
  status,
  auto_renew: renews,
  renews_at: renewsAt,
  releases_at: releasesAt,
  released_at: releasedAt,
}: OwnNumbers['numbers'][number]): string {
  if (releasedAt !== null) return releasedAt;
  if (status === 'past_due' && releasesAt !== null) return `rent due, released ${releasesAt} unless it is paid`;
  if (status === 'releasing' && releasesAt !== null) return `released ${releasesAt} unless you keep it`;
  if (renewsAt === null) return '';
  return `${renews ? 'renews' : 'ends'} ${renewsAt}`;
}

function poolLineOf({ pool_id: id, name, default: isDefault, numbers: own }: PoolsAnswer['pools'][number]): string {
  const members = own.map(({ number, active }) => `${number}${active ? '' : ' (not used)'}`).join(', ');
  return `${id}  ${name}${isDefault ? ' (default)' : ''}: ${members || 'no numbers'}`;
}
