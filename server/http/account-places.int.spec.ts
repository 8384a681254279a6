import type { InjectOptions } from 'fastify';
import type { Client } from 'pg';
import { AccountRequests } from '#core/platform/places/account-requests.js';
import { useFakeNumbers } from '#core/testing/fake-number-carrier.js';
import { eventually } from '#core/testing/eventually.js';
import { hasPaid } from '#core/testing/paid.js';
import { createTestAccount, type TestAccount } from '#core/testing/test-accounts.js';
import { createTestBed, type TestBed } from '#core/testing/test-bed.js';
import { signIn } from '../testing/browser.js';
import { posted, reading, requests } from '../testing/documented-requests.js';
import { type Route, routesIn } from '../testing/fuzz.js';
import { createTestServer, type TestServer } from '../testing/test-server.js';

const POOL_MAX = 12;
const SHARE = POOL_MAX / 4;
/** Requests of one account at the same time: more than its share, and fewer than there are connections. */
const AT_ONCE = 8;
const SOME_ID = '0199d0d07c5a7b1f8e0a4f6f2f9c1b3d';

/** Bodies of the dashboard's routes that change rows of the account. */
const bodies: Readonly<Record<string, object>> = {
  'POST /api/dashboard/filters': { view: 'sent', name: 'Failures', query: 'status=failed' },
  'PUT /api/dashboard/otp': { recipientRequired: true },
  'PUT /api/dashboard/alerts': { lowCreditsMail: true, lowCredits: 10, dailySpend: null },
  'PUT /api/dashboard/notices': { notices: [] },
  'PUT /api/dashboard/countries': { disabledCountries: [] },
  'PUT /api/dashboard/webhook-url': { webhookUrl: 'https://example.com/hook' },
  'PUT /api/dashboard/pools': { name: 'Shop', numbers: [] },
  'POST /api/dashboard/keys': {
    name: 'k',
    mode: 'live',
    scopes: ['send'],
    addresses: [],
    countries: [],
    creditsPerDay: null,
    creditsPerMonth: null,
    messagesPerSecond: null,
    expiresAt: null,
  },
  'POST /api/dashboard/key/rotate': { keepOldForHours: 0 },
  'POST /api/redeemcode': { code: 'AAAA-BBBB-CCCC' },
};

/** Tables that callers are found in, or that the process reads now and then for all accounts. */
const leftOpen = [
  'accounts',
  'api_keys',
  'key_secrets',
  'sessions',
  'blocked_addresses',
  'migrations',
  'numbers',
  'pools',
  'pool_numbers',
  'region_settings',
];

describe('the requests of one account', () => {
  let bed: TestBed;
  let server: TestServer;
  let routes: Route[];
  let neighbor: TestAccount;
  let lock: Client;
  let made = 0;

  beforeAll(async () => {
    bed = await createTestBed();
    server = await createTestServer(
      bed.config({
        DATABASE_POOL_MAX: String(POOL_MAX),
        CUSTOM_SIGN_IN_ENABLED: 'true',
        // Calls are logged in the background.
        REQUEST_LOG_DAYS: '0',
        TWILIO_API_URL: 'http://127.0.0.1:1',
      }),
    );
    useFakeNumbers(server);
    const printed = server.app.getHttpAdapter().getInstance().printRoutes({ commonPrefix: false });
    // Streams are open for hours and take no place; requests without an account have none.
    routes = routesIn(printed).filter(
      ({ method, path }) =>
        method !== 'HEAD' &&
        /^\/(api|auth|2010-04-01|quota)\//.test(path) &&
        !/^\/(api\/((dashboard\/)?events|quality|regions|status)|auth\/(google|signup|login|logout|forgot|reset))/.test(
          path,
        ),
    );
    neighbor = await createTestAccount(server);
    lock = await bed.database.connect();
  });

  afterEach(() => lock.query('ROLLBACK'));

  afterAll(async () => {
    await lock?.end();
    await server?.close();
    await bed?.remove();
  });

  /** An account that may buy numbers, with a number and a pool. */
  async function customer(): Promise<{ account: TestAccount; numberId: string; poolId: string }> {
    const account = await createTestAccount(server, { credits: 200 });
    await hasPaid(bed.database, account.id);
    const call = async (url: string, body: object) =>
      (await server.inject(posted(url, { ...body, apikey: account.apiKey }))).json<Record<string, string>>();
    const { number_id: numberId = '' } = await call('/api/numbers', { number: newNumber() });
    const { pool_id: poolId = '' } = await call('/api/pools', { name: 'First', numbers: [numberId] });
    return { account, numberId, poolId };
  }

  const newNumber = () => `+1212434${1_000 + (made += 1)}`;

  /** A request to a route that could do something, with its caller's credentials. */
  async function requestTo(route: Route, { account, numberId, poolId }: Awaited<ReturnType<typeof customer>>) {
    const { method, path } = route;
    const url = path
      .replace(':numberId', numberId)
      .replace(':poolId', poolId)
      .replace(/:(accountSid)/, account.id)
      .replace(/:key\b/, account.apiKey)
      .replaceAll(/:\w+(\(.*?\))?/g, SOME_ID);
    const documented = Object.values(requests)
      .map((make) => make(account.apiKey))
      .find((one) => one.method === method && typeof one.url === 'string' && isOf(path, one.url));
    if (documented) {
      const payload = path === '/api/numbers' && { number: newNumber(), apikey: account.apiKey };
      const own = /:(numberId|poolId)/.test(path) && { url };
      const asked: InjectOptions = { ...documented, ...own, ...(method === 'POST' && payload && { payload }) };
      return asked;
    }
    const headers = await signIn(server, account);
    const body = bodies[`${method} ${path}`] ?? (path.endsWith('/numbers') ? { number: newNumber() } : {});
    const request: InjectOptions = { method, url, headers, ...(method !== 'GET' && { payload: body }) };
    return request;
  }

  /** Connections of the server that wait for a lock. */
  async function waitingForLock(): Promise<number> {
    const [row] = await bed.database.sql<{ count: number }>(
      `SELECT count(*)::int AS count FROM pg_stat_activity
       WHERE datname = current_database() AND application_name = 'pennytext' AND wait_event_type = 'Lock'`,
    );
    return row?.count ?? 0;
  }

  /**
   * Sends the request several times at once, and returns the most connections that waited for a lock at
   * the same time, until every request has its answer, or waits for a place or for a lock.
   */
  async function mostHeld(request: InjectOptions): Promise<{ most: number; answered: Promise<unknown> }> {
    let [answers, outside, most, last, same] = [0, 0, 0, '', 0];
    const places = server.get(AccountRequests);
    const enter = places.enter.bind(places);
    const counted = jest.spyOn(places, 'enter').mockImplementation(async (...given) => {
      outside += 1;
      try {
        return await enter(...given);
      } finally {
        outside -= 1;
      }
    });
    const sent = Array.from({ length: AT_ONCE }, async () => {
      await server.inject(request);
      answers += 1;
    });
    await eventually('every request is answered or waits', async () => {
      const held = await waitingForLock();
      most = Math.max(most, held);
      const state = `${answers} ${outside} ${held}`;
      // Requests whose statements are shared wait together for one connection.
      same = state === last && held > 0 ? same + 1 : 0;
      last = state;
      return answers + outside + held === AT_ONCE || same > 10;
    });
    counted.mockRestore();
    return { most, answered: Promise.all(sent) };
  }

  it('hold at most a quarter of the connections while its rows are locked, and no other account waits', async () => {
    const held: Record<string, number> = {};
    const reader = await customer();
    for (const route of routes) {
      const who = isRead(route) ? reader : await customer();
      const request = await requestTo(route, who);
      await lock.query('BEGIN');
      for (const table of ['credit_accounts', 'accounts', 'otp_guards'])
        await lock.query(`SELECT FROM ${table} WHERE ${table === 'accounts' ? 'id' : 'account_id'} = $1 FOR UPDATE`, [
          who.account.id,
        ]);
      const { most, answered } = await mostHeld(request);
      const name = `${route.method} ${route.path}`;
      held[name] = most;
      const other = await server.inject(reading('/api/balance', neighbor.apiKey));
      expect([name, other.statusCode]).toEqual([name, 200]);
      await lock.query('ROLLBACK');
      await answered;
    }
    expect(Object.entries(held).filter(([, count]) => count > SHARE)).toEqual([]);
    // Checks that some routes did ask for the lock.
    const locking = [
      'POST /api/numbers',
      'POST /api/pools',
      'DELETE /api/pools/:poolId',
      'POST /api/dashboard/filters',
    ];
    for (const name of locking) expect([name, held[name]]).toEqual([name, 1]);
  }, 300_000);

  it('hold at most a quarter of the connections when every table is slow to read', async () => {
    const tables = await bed.database.sql<{ name: string }>(
      `SELECT c.relname AS name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
       WHERE n.nspname = 'public' AND c.relkind IN ('r', 'p') AND NOT c.relispartition AND NOT c.relname = ANY ($1)`,
      [leftOpen],
    );
    const held: Record<string, number> = {};
    const reader = await customer();
    const heldBy = async (route: Route) => {
      const request = await requestTo(route, isRead(route) ? reader : await customer());
      await lock.query('BEGIN');
      await lock.query(`LOCK TABLE ${tables.map(({ name }) => name).join(', ')} IN ACCESS EXCLUSIVE MODE`);
      const { most, answered } = await mostHeld(request);
      await lock.query('ROLLBACK');
      await answered;
      return most;
    };
    for (const route of routes.filter(({ method }) => method === 'GET')) {
      const most = await heldBy(route);
      // A read of the process's own, made now and then, may wait beside the requests once.
      held[`GET ${route.path}`] = most > SHARE ? await heldBy(route) : most;
    }
    expect(Object.entries(held).filter(([, count]) => count > SHARE)).toEqual([]);
    expect(held['GET /api/exposure']).toBe(SHARE);
  }, 300_000);

  it('that find a lock taken are answered 503 and change nothing, others are served meanwhile', async () => {
    const { account } = await customer();
    await lock.query('BEGIN');
    await lock.query('SELECT FROM accounts WHERE id = $1 FOR UPDATE', [account.id]);
    const put = (one: TestAccount) =>
      server.inject(posted('/api/pools', { name: 'Second', numbers: [], apikey: one.apiKey }));
    const [own, others] = await Promise.all([put(account), put(neighbor)]);
    expect([own.statusCode, own.headers['retry-after'], own.json()]).toMatchObject([503, '1', { code: 'unavailable' }]);
    expect(others.statusCode).toBe(201);
    await lock.query('ROLLBACK');
    const { pools } = (await server.inject(reading('/api/pools', account.apiKey))).json<{ pools: object[] }>();
    expect(pools).toMatchObject([{ name: 'First' }]);
  });

  it('are refused when too many changes wait; sends do not wait for changes', async () => {
    const { account } = await customer();
    const leave = await server.get(AccountRequests).enter(account.id, { isChange: true });
    const statuses: number[] = [];
    const sent = Array.from({ length: 20 }, async () => {
      const answer = await server.inject(posted('/api/pools', { name: 'Second', numbers: [], apikey: account.apiKey }));
      statuses.push(answer.statusCode);
      return answer;
    });
    await eventually('those that are too many are refused', async () => statuses.length === 4);
    const sends = Array.from({ length: 60 }, (_, n) =>
      server.send({ to: '+14155552671', message: `Hello ${n}`, apikey: account.apiKey }),
    );
    expect((await Promise.all(sends)).map(({ statusCode }) => statusCode)).toEqual(sends.map(() => 200));
    leave();
    const refused = (await Promise.all(sent)).find(({ statusCode }) => statusCode === 429);
    expect([refused?.headers['retry-after'], refused?.json()]).toMatchObject(['1', { code: 'rate_limited' }]);
    expect(statuses).toEqual([...Array<number>(4).fill(429), ...Array<number>(16).fill(201)]);
  });
});

/** Returns whether a route leaves no trace; exports are counted. */
function isRead({ method, path }: Route): boolean {
  return method === 'GET' && !/export|\.(csv|jsonl)/.test(path);
}

/** Returns whether a URL belongs to a route. */
function isOf(path: string, url: string): boolean {
  const [bare = ''] = url.split('?', 1);
  return new RegExp(`^${path.replaceAll(/:\w+/g, '[^/]+')}$`).test(bare);
}
