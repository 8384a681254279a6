import { PassThrough } from 'node:stream';
import { Pennytext } from '../client.js';
import { type Command, parse } from './command.js';
import { media } from './media.js';
import { numbers, pools } from './numbers.js';
import { otp } from './otp.js';
import { Terminal } from './terminal.js';

const NUMBER = '+12125550143';
const RENEWS_AT = '2026-01-05T16:20:30.000Z';
const offer = { number: NUMBER, locality: 'New York', capabilities: ['sms'], credits_per_month: 50, setup_credits: 0 };
const own = {
  number_id: 'num_1',
  number: NUMBER,
  label: 'Shop',
  status: 'active',
  auto_renew: true,
  renews_at: RENEWS_AT,
  releases_at: null,
  released_at: null,
};
const bought = { number_id: 'num_1', number: NUMBER, status: 'active', renews_at: RENEWS_AT, credits: 50, balance: 34 };

const refused = (code: string) => ({ success: 'false', error: 'It was refused.', detail: 'It was refused.', code });

interface Ran {
  readonly printed: string;
  readonly noted: string;
  /** Requests such as 'GET /api/numbers?status=live'. */
  readonly requests: readonly string[];
  readonly error: unknown;
}

/** Runs a command. `answers` are by method and path; `typed` is the answer of a person. */
async function run(answers: Readonly<Record<string, (url: URL) => object>>, argv: string[], typed?: string) {
  const ran = { printed: '', noted: '', requests: [] as string[], error: undefined as unknown };
  const stdin = Object.assign(new PassThrough(), { isTTY: typed !== undefined });
  const stderr = Object.assign(new PassThrough(), { isTTY: typed !== undefined });
  stderr.on('data', (chunk) => (ran.noted += String(chunk)));
  const stdout = new PassThrough().on('data', (chunk) => (ran.printed += String(chunk)));
  if (typed !== undefined) stdin.write(`${typed}\n`);
  const fetch = (address: URL | RequestInfo, { method = 'GET' }: RequestInit = {}) => {
    const url = new URL(address instanceof Request ? address.url : address);
    ran.requests.push(`${method} ${url.pathname}${url.search}`);
    const answer = answers[`${method} ${url.pathname}`]?.(url) ?? refused('not_found');
    return Promise.resolve(Response.json(answer, { status: 'code' in answer ? 400 : 200 }));
  };
  const client = () => new Pennytext({ apiKey: 'key', baseUrl: 'https://api.example', fetch });
  const context = { terminal: new Terminal({ stdin, stdout, stderr }, false), env: {}, client };
  const { args, values } = parse(numbers, argv);
  try {
    await numbers.run({ ...context, signal: new AbortController().signal }, args, values);
  } catch (error) {
    ran.error = error;
  }
  return ran satisfies Ran;
}

describe('numbers search', () => {
  it('asks for as many as --limit', async () => {
    const { requests } = await run({ 'GET /api/numbers/available': () => ({ numbers: [offer] }) }, [
      'search',
      '--area-code',
      '212',
      '--limit',
      '3',
    ]);
    expect(requests).toEqual(['GET /api/numbers/available?area_code=212&limit=3']);
  });

  it('refuses a --limit that is no number', async () => {
    expect((await run({}, ['search', '--limit', 'all'])).error).toMatchObject({
      message: '--limit is a whole number.',
    });
  });
});

describe('numbers buy', () => {
  const shop = (numbersOf: (country: string | null) => object[], extra: object = {}) => ({
    'GET /api/numbers/available': ({ searchParams }: URL) => ({ numbers: numbersOf(searchParams.get('country')) }),
    'POST /api/numbers': () => ({ ...bought, ...extra }),
  });

  it('shows what the number costs now and every month, and buys it after a yes', async () => {
    const { noted, printed, requests } = await run(
      shop(() => [offer]),
      ['buy', NUMBER],
      'y',
    );
    expect(requests).toEqual([
      'GET /api/numbers/available?country=US&type=local&contains=2125550143',
      'POST /api/numbers',
    ]);
    expect(noted).toContain(`Buy ${NUMBER}? It costs 50 credits now and every month. [y/N]`);
    expect(printed).toBe(`num_1  ${NUMBER}  active, renews ${RENEWS_AT}: 50 credits, 34 credits left.\n`);
  });

  it('shows what is taken once besides', async () => {
    const { noted } = await run(
      shop(() => [{ ...offer, setup_credits: 9 }]),
      ['buy', NUMBER],
      'n',
    );
    expect(noted).toContain('It costs 59 credits now and 50 credits every month.');
  });

  it('shows that a number without renewal ends', async () => {
    const { noted, printed } = await run(
      shop(() => [offer]),
      ['buy', NUMBER, '--no-renew'],
      'y',
    );
    expect(noted).toContain('It costs 50 credits now, and is released after a month.');
    expect(printed).toContain(`active, ends ${RENEWS_AT}`);
  });

  it('buys nothing after a no, and in a program nothing without --yes', async () => {
    const answered = await run(
      shop(() => [offer]),
      ['buy', NUMBER],
      'n',
    );
    expect(answered.error).toMatchObject({ message: 'Nothing was done.' });
    const program = await run(
      shop(() => [offer]),
      ['buy', NUMBER],
    );
    expect(program.error).toMatchObject({
      message: `Buy ${NUMBER}? It costs 50 credits now and every month. Add --yes.`,
    });
    expect([...answered.requests, ...program.requests].filter((request) => request.startsWith('POST'))).toEqual([]);
  });

  it('finds a toll-free number of Canada', async () => {
    const tollFree = { ...offer, number: '+18335550143', credits_per_month: 100 };
    const { noted, requests } = await run(
      shop((country) => (country === 'CA' ? [tollFree] : [])),
      ['buy', '1 (833) 555-0143'],
      'n',
    );
    expect(requests.at(-1)).toContain('country=CA&type=toll_free&contains=8335550143');
    expect(noted).toContain('It costs 100 credits now and every month.');
  });

  it('takes no price of another number, and none where numbers of a country are not sold', async () => {
    const answers = {
      'GET /api/numbers/available': ({ searchParams }: URL) =>
        searchParams.get('country') === 'CA'
          ? refused('number_unsupported')
          : { numbers: [{ ...offer, number: '+12125550144' }] },
    };
    const { noted } = await run(answers, ['buy', NUMBER], 'n');
    expect(noted).toContain('No search lists it now, so its price is not known.');
  });

  it('ends with the error of the search for the price', async () => {
    const answers = { 'GET /api/numbers/available': () => refused('key_scope') };
    const { error, requests } = await run(answers, ['buy', NUMBER], 'y');
    expect(error).toMatchObject({ code: 'key_scope' });
    expect(requests).toHaveLength(1);
  });

  it('searches for no price with --yes', async () => {
    const { requests } = await run(
      shop(() => [offer]),
      ['buy', NUMBER, '--yes'],
    );
    expect(requests).toEqual(['POST /api/numbers']);
  });
});

describe('numbers list', () => {
  it.each([
    ['renews', {}, `renews ${RENEWS_AT}  Shop`],
    ['ends', { auto_renew: false, releases_at: RENEWS_AT }, `ends ${RENEWS_AT}  Shop`],
    [
      'has rent due',
      { status: 'past_due', releases_at: '2026-01-12T16:20:30.000Z' },
      'rent due, released 2026-01-12T16:20:30.000Z unless it is paid  Shop',
    ],
    ['was released', { status: 'released', released_at: RENEWS_AT }, `${NUMBER}  released   ${RENEWS_AT}  Shop`],
    ['is the operator’s', { renews_at: null, label: null }, `${NUMBER}  active\n`],
  ])('shows a number that %s', async (_what, change, words) => {
    const { printed } = await run({ 'GET /api/numbers': () => ({ numbers: [{ ...own, ...change }] }) }, ['list']);
    expect(printed).toContain(words);
  });
});

describe('a command that needs an action', () => {
  it.each([
    ['numbers', numbers, 'pennytext numbers buy NUMBER'],
    ['pools', pools, 'pennytext pools put NAME'],
    ['otp', otp, 'pennytext otp verify CODE'],
    ['media', media, 'ACTION is download or upload.'],
  ] as const)('%s alone lists its actions', (name, command: Command, action) => {
    expect(() => parse(command, [])).toThrow(new RegExp(`^Usage: pennytext ${name} ACTION [^]*${action}`));
  });

  it('lists them only if it was given none', () => {
    expect(() => parse(numbers, ['list', 'one', 'two'])).toThrow(/^Usage: pennytext numbers ACTION \[VALUE\]$/);
  });
});
