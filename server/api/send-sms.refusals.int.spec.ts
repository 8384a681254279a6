import { moneyOf, type Money } from '#core/testing/money.js';
import { countDay, createTestAccount } from '#core/testing/test-accounts.js';
import { createTestBed, type TestBed } from '#core/testing/test-bed.js';
import { createTestServer, type TestServer } from '../testing/test-server.js';

// The texts are copied from the specification, so that a change of the catalogue fails the test.
const FAILED = 'Failed to send SMS';
const MISSING = 'Missing required fields: "to", "message" or "apikey"';
const UNKNOWN = 'User not found for the provided API key';
const EMPTY = 'Credit Balance is 0. Please purchase credits from the Dashboard to send SMS.';

const ADDRESS = '203.0.113.9';
const FILLER = 'a'.repeat(200);

/** The next request and the state of its account, which each case changes. */
interface Scene {
  to: string;
  message: string;
  apiKey: string | undefined;
  reference: unknown;
  options: Record<string, unknown>;
  credits: number;
  dailyFull: boolean;
  accountBlocked: boolean;
  suspended: boolean;
  addressBlocked: boolean;
  optedOut: boolean;
  limited: boolean;
}

interface Case {
  readonly code: string;
  readonly status: number;
  readonly error: string;
  readonly retryAfter?: true;
  /**
   * Conditions that the case changes: two cases that change the same condition cannot be combined.
   */
  readonly spoils: readonly (
    | 'to'
    | 'key'
    | 'account'
    | 'credits'
    | 'limit'
    | 'length'
    | 'shortener'
    | 'url'
    | 'encoding'
    | 'price'
  )[];
  readonly spoil: (scene: Scene) => void;
}

/** The error table, in its order of precedence. */
const table: Record<string, Case> = {
  'a wrong type': {
    code: 'invalid_request',
    status: 400,
    error: FAILED,
    spoils: [],
    spoil: (scene) => {
      scene.reference = 5;
    },
  },
  'an empty to': {
    code: 'missing_fields',
    status: 400,
    error: MISSING,
    spoils: ['to'],
    spoil: (scene) => {
      scene.to = '';
    },
  },
  'an empty message': {
    code: 'missing_fields',
    status: 400,
    error: MISSING,
    spoils: ['length', 'shortener', 'url', 'encoding'],
    spoil: (scene) => {
      scene.message = '';
    },
  },
  'an absent apikey': {
    code: 'missing_fields',
    status: 400,
    error: MISSING,
    spoils: ['key'],
    spoil: (scene) => {
      scene.apiKey = undefined;
    },
  },
  'too many requests': {
    code: 'rate_limited',
    status: 429,
    error: FAILED,
    retryAfter: true,
    spoils: ['limit'],
    spoil: (scene) => {
      scene.limited = true;
    },
  },
  'a blocked address': {
    code: 'address_blocked',
    status: 403,
    error: FAILED,
    spoils: ['limit'],
    spoil: (scene) => {
      scene.addressBlocked = true;
    },
  },
  'an unknown key': {
    code: 'unknown_api_key',
    status: 401,
    error: UNKNOWN,
    spoils: ['key', 'account', 'credits'],
    spoil: (scene) => {
      scene.apiKey = '00000000-0000-4000-8000-000000000000';
    },
  },
  'a blocked account': {
    code: 'account_blocked',
    status: 403,
    error: FAILED,
    spoils: ['account'],
    spoil: (scene) => {
      scene.accountBlocked = true;
    },
  },
  'an account that is suspended from sending': {
    code: 'delivery_suspended',
    status: 403,
    error: FAILED,
    spoils: ['account'],
    spoil: (scene) => {
      scene.suspended = true;
    },
  },
  'a balance of 0': {
    code: 'no_credits',
    status: 402,
    error: EMPTY,
    spoils: ['credits'],
    spoil: (scene) => {
      scene.credits = 0;
    },
  },
  'a number that is none': {
    code: 'invalid_number',
    status: 400,
    error: FAILED,
    spoils: ['to'],
    spoil: (scene) => {
      scene.to = '+1 555';
    },
  },
  'a premium-rate number': {
    code: 'number_type_unsupported',
    status: 400,
    error: FAILED,
    spoils: ['to'],
    spoil: (scene) => {
      scene.to = '+1 900 555 0100';
    },
  },
  'a country outside the table': {
    code: 'region_unsupported',
    status: 400,
    error: FAILED,
    spoils: ['to'],
    spoil: (scene) => {
      scene.to = '+254712123456';
    },
  },
  'a country that is not active': {
    code: 'region_inactive',
    status: 400,
    error: FAILED,
    spoils: ['to'],
    spoil: (scene) => {
      scene.to = '+33612345678';
    },
  },
  'a text that is not GSM-7, as GSM-7': {
    code: 'encoding_unsupported',
    status: 400,
    error: FAILED,
    spoils: ['encoding'],
    spoil: (scene) => {
      scene.message += ' “';
      scene.options.encoding = 'gsm7';
    },
  },
  'eleven segments': {
    code: 'message_too_long',
    status: 400,
    error: FAILED,
    spoils: ['length'],
    spoil: (scene) => {
      scene.message += FILLER.repeat(8);
    },
  },
  'a shortened URL': {
    code: 'url_shortener',
    status: 403,
    error: FAILED,
    spoils: ['shortener'],
    spoil: (scene) => {
      scene.message += ' https://bit.ly/abc';
    },
  },
  'a text that is no quote': {
    code: 'quote_invalid',
    status: 400,
    error: FAILED,
    spoils: ['price'],
    spoil: (scene) => {
      scene.options.quote = 'x';
    },
  },
  'a price above the highest one': {
    code: 'price_above_max',
    status: 409,
    error: FAILED,
    spoils: ['price', 'length'],
    spoil: (scene) => {
      scene.message += FILLER;
      scene.options.max_credits = 1;
    },
  },
  'a URL without activation': {
    code: 'url_not_activated',
    status: 403,
    error: FAILED,
    spoils: ['url'],
    spoil: (scene) => {
      scene.message += ' https://example.com/page';
    },
  },
  'a recipient who opted out': {
    code: 'recipient_opted_out',
    status: 403,
    error: FAILED,
    spoils: ['to'],
    spoil: (scene) => {
      scene.optedOut = true;
    },
  },
  'a full day': {
    code: 'daily_limit',
    status: 429,
    error: FAILED,
    retryAfter: true,
    spoils: ['account'],
    spoil: (scene) => {
      scene.dailyFull = true;
    },
  },
  'a price above the balance': {
    code: 'insufficient_credits',
    status: 402,
    error: FAILED,
    spoils: ['credits', 'length'],
    spoil: (scene) => {
      scene.credits = 1;
      scene.message += FILLER;
    },
  },
};

const cases = Object.entries(table);
const canMeet = (one: Case, other: Case) => !one.spoils.some((thing) => other.spoils.includes(thing));
const pairs = cases.flatMap(([first, one], index) =>
  cases
    .slice(index + 1)
    .filter(([, other]) => canMeet(one, other))
    .map(([second]) => [first, second] as const),
);

describe('POST /api/sendsms answers the error table', () => {
  let bed: TestBed;
  let server: TestServer;
  let strict: TestServer;

  beforeAll(async () => {
    bed = await createTestBed();
    [server, strict] = await Promise.all([
      createTestServer(bed.config()),
      createTestServer(bed.config({ RATE_LIMIT_KEY_PER_SECOND: '1' })),
    ]);
    await bed.database.sql(`INSERT INTO blocked_addresses VALUES ($1)`, [ADDRESS]);
  });

  afterAll(async () => {
    await Promise.all([server?.close(), strict?.close()]);
    await bed?.remove();
  });

  /** Sends the request and returns the answer and the account's money before and after. */
  async function play(...spoilers: Case[]) {
    const scene: Scene = {
      to: '+14155552671',
      message: 'Hello',
      apiKey: '',
      reference: undefined,
      options: {},
      credits: 100,
      dailyFull: false,
      accountBlocked: false,
      suspended: false,
      addressBlocked: false,
      optedOut: false,
      limited: false,
    };
    for (const { spoil } of spoilers) spoil(scene);
    const account = await createTestAccount(server, {
      credits: scene.credits,
      ...(scene.accountBlocked && { blockedAt: new Date() }),
    });
    if (scene.suspended)
      await bed.database.sql('UPDATE accounts SET delivery_suspended_at = now() WHERE id = $1', [account.id]);
    if (scene.dailyFull) await countDay(bed.database, account.id, 100);
    if (scene.optedOut) await optOut(scene.to);
    const before = await moneyOf(bed.database, account.id);
    const request = () =>
      (scene.limited ? strict : server).inject({
        method: 'POST',
        url: '/api/sendsms',
        remoteAddress: scene.addressBlocked ? ADDRESS : '127.0.0.1',
        payload: {
          to: scene.to,
          message: scene.message,
          ...(scene.apiKey !== undefined && { apikey: scene.apiKey || account.apiKey }),
          ...(scene.reference !== undefined && { reference: scene.reference }),
          ...scene.options,
        },
      });
    if (scene.limited) await useUp(account.apiKey, scene.apiKey);
    const answer = await request();
    await bed.database.sql('DELETE FROM opt_outs');
    return { answer, before, after: await moneyOf(bed.database, account.id) };
  }

  const optOut = (recipient: string) =>
    bed.database.sql(`INSERT INTO opt_outs (recipient, sender) VALUES ($1, '+15005550006')`, [recipient]);

  /** Uses up this second's only request with a call without a charge. */
  async function useUp(ownKey: string, shownKey: string | undefined) {
    await strict.send({ to: '+1 555', message: 'x', apikey: shownKey || ownKey });
  }

  function expectCase(
    played: { answer: { statusCode: number; body: string; headers: object }; before: Money; after: Money },
    expected: Case,
  ) {
    const { answer, before, after } = played;
    // Calls that would succeed are the subject of fixed-call.int.spec.ts.
    const { fix: _fix, ...body } = JSON.parse(answer.body) as { fix?: unknown; detail?: string };
    expect({ status: answer.statusCode, ...body }).toEqual({
      status: expected.status,
      success: 'false',
      error: expected.error,
      code: expected.code,
      detail: expect.stringMatching(/\S/),
    });
    if (expected.retryAfter)
      expect(Number((answer.headers as Record<string, string>)['retry-after'])).toBeGreaterThan(0);
    expect(after).toEqual(before);
  }

  it.each(cases)('for %s, and charges nothing', async (_name, expected) => {
    expectCase(await play(expected), expected);
  });

  it.each(pairs)('for %s before %s', async (first, second) => {
    const [one, other] = [table[first], table[second]];
    if (!one || !other) throw new Error('Both cases stand in the table');
    expectCase(await play(one, other), one);
  });

  it('answers the seconds until the next New York day when the day is full', async () => {
    const { answer } = await play(table['a full day'] as Case);
    const seconds = Number(answer.headers['retry-after']);
    expect(seconds).toBeGreaterThan(0);
    expect(seconds).toBeLessThanOrEqual(25 * 3_600);
  });

  it('never includes a key, number or text in a detail', async () => {
    for (const [, one] of cases) {
      const { answer } = await play(one);
      const { detail } = JSON.parse(answer.body) as { detail: string };
      expect(detail).not.toMatch(/4155552671|Hello|aaaa|00000000-/);
    }
  });
});
