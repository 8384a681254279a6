import { withSecondCarrier } from '#core/testing/second-carrier.js';
import { createTestBed, type TestBed } from '#core/testing/test-bed.js';
import { createTestServer, type TestServer } from '../testing/test-server.js';

const PASSWORD = 'a-long-board-password';
const PAGE = '/operator/routes';

const basic = (password: string) => ({
  authorization: `Basic ${Buffer.from(`operator:${password}`).toString('base64')}`,
});

describe('the operator’s page of routes', () => {
  let bed: TestBed;
  let server: TestServer;

  beforeAll(async () => {
    bed = await createTestBed();
    server = await createTestServer(withSecondCarrier(bed.config({ QUEUE_BOARD_PASSWORD: PASSWORD })));
  });

  afterAll(async () => {
    await server?.close();
    await bed?.remove();
  });

  const open = (headers: Record<string, string> = basic(PASSWORD)) => server.inject({ url: PAGE, headers });

  it('opens with the operator’s password alone, with the policy of the queue board', async () => {
    for (const headers of [{}, basic('another-password')]) expect((await open(headers)).statusCode).toBe(401);
    const page = await open();
    expect([page.statusCode, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    expect(page.headers).toMatchObject({ 'cache-control': 'no-store', 'x-robots-tag': 'noindex' });
    expect(page.body).toContain('No country has routes');
    expect(page.body).not.toContain('<script');
    expect((await server.inject({ method: 'POST', url: PAGE, headers: basic(PASSWORD) })).statusCode).toBe(404);
  });

  it('shows weights, figures, costs, flags and changes of every route', async () => {
    await bed.database.sql(
      `INSERT INTO routes (country, carrier, resting_weight, weight, manual_weight, cost_microusd, receipt_level,
         doubtful_receipts)
       VALUES ('FR', 1, 90, 70, NULL, 7900, 'handset', false), ('FR', 2, 10, 30, 40, NULL, 'network', true),
         ('FR', 3, 0, 0, NULL, NULL, 'none', false)`,
    );
    await bed.database.sql(`INSERT INTO route_modes VALUES ('FR', 'best')`);
    await bed.database.sql(
      `INSERT INTO route_health VALUES ('FR', 1, 200, 50, 1000, 900, 2100, 8750, '2026-11-22T15:00:00Z')`,
    );
    await bed.database.sql(
      `INSERT INTO route_code_days VALUES ('FR', 1, (now() AT TIME ZONE 'UTC')::date, 400, 300),
         ('FR', 1, (now() AT TIME ZONE 'UTC')::date - 7, 400, 0)`,
    );
    await bed.database.sql(
      `INSERT INTO carrier_pauses (carrier, message_id, next_probe_at) VALUES (2, gen_random_uuid(), now())`,
    );
    await bed.database.sql(
      `INSERT INTO route_changes (country, "from", "to", cause, figures)
       VALUES ('FR', '{"twilio": 90}', '{"twilio": 80}', 'bad_share', '{"by": "<b>"}')`,
    );
    const { body } = await open();
    const rows = [...body.matchAll(/<tr>(.*?)<\/tr>/g)].map(([, row = '']) =>
      [...row.matchAll(/<t[dh][^>]*>(.*?)<\/t[dh]>/g)].map(([, cell]) => cell),
    );
    expect(rows.slice(1, 4).map((cells) => cells.join(' | '))).toEqual([
      'France | best | twilio | 70 | 90 | 25.0 % of 200 | 90.0 % of 1,000 | 2.1 s | 8.8 s | 75.0 % of 400 | ' +
        '$0.0079 | handset | open',
      'France | best | second | 40 (held) | 10 | – | – | – | – | – | – | network | carrier paused, doubtful receipts',
      'France | best | 3 | 0 | 0 | – | – | – | – | – | – | none | carrier not configured',
    ]);
    expect(rows.at(-1)?.slice(1)).toEqual([
      'FR',
      'bad_share',
      '<code>{&quot;twilio&quot;:90}</code>',
      '<code>{&quot;twilio&quot;:80}</code>',
      '<code>{&quot;by&quot;:&quot;&lt;b&gt;&quot;}</code>',
    ]);
    expect(body).toContain('Measured at 2026-11-22 15:00:00.');
  });
});

it('is off without a password', async () => {
  const bed = await createTestBed();
  const server = await createTestServer(bed.config());
  try {
    expect((await server.inject({ url: PAGE, headers: basic('') })).statusCode).toBe(404);
  } finally {
    await server.close();
    await bed.remove();
  }
});
