import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { eventually } from '#core/testing/eventually.js';
import { createTestAccount } from '#core/testing/test-accounts.js';
import { createTestBed, type TestBed } from '#core/testing/test-bed.js';
import { TestBrowser } from '../testing/browser.js';
import { createTestServer, type TestServer } from '../testing/test-server.js';

const script = "console.log('https://pennytext.example')";
const page = (text: string) =>
  `<!doctype html><html data-custom-sign-in="off" data-figures="off"><p>${text} https://pennytext.example ` +
  `hello@pennytext.example</p><script>${script}</script><script id="data" type="application/json">{}</script>`;

const files: Record<string, string> = {
  'index.html': page('Home'),
  'pricing/index.html': page('Pricing'),
  'login/index.html': page('Login'),
  'dashboard/index.html': page('Loading...'),
  'dashboard/billing/index.html': page('Loading...'),
  '404/index.html': page('Page not found.'),
  'docs/page.json': '["https://pennytext.example"]',
  'robots.txt': 'Sitemap: https://pennytext.example/sitemap.xml',
  'favicon.svg': '<svg/>',
  'assets/shell-1.js': 'plain',
  'assets/shell-1.js.br': 'as brotli',
};

describe('the built pages', () => {
  let bed: TestBed;
  let server: TestServer;
  let folder: string;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'pennytext-pages-'));
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      writeFileSync(join(folder, name), text);
    }
    bed = await createTestBed();
    server = await createTestServer(bed.config({ MAIL_FROM: 'Pennytext <help@pennytext.test>' }), folder);
  });

  afterAll(async () => {
    await server?.close();
    await bed?.remove();
    if (folder) rmSync(folder, { recursive: true });
  });

  const get = (url: string, headers: Record<string, string> = {}) => server.inject({ url, headers });

  it.each(['/', '/robots.txt', '/assets/shell-1.js', '/favicon.svg'])(
    'refuse too many requests for %s like every other route',
    async (url) => {
      const strict = await createTestServer(bed.config({ RATE_LIMIT_ADDRESS_PER_SECOND: '3' }), folder);
      try {
        const answers = await Promise.all(Array.from({ length: 12 }, () => strict.inject({ url })));
        const refused = answers.find(({ statusCode }) => statusCode === 429);
        expect(refused?.headers).toMatchObject({ 'retry-after': '1', 'cache-control': 'no-store' });
        expect(refused?.json()).toMatchObject({ success: 'false', code: 'rate_limited' });
      } finally {
        await strict.close();
      }
    },
  );

  it.each([
    ['/', 'Home'],
    ['/pricing', 'Pricing'],
  ])('%s contains this installation’s URL and contact', async (url, title) => {
    const { statusCode, headers, body } = await get(url);
    expect([statusCode, headers['content-type'], headers['cache-control']]).toEqual([
      200,
      'text/html; charset=utf-8',
      'no-cache',
    ]);
    expect(body).toContain(`${title} https://pennytext.test help@pennytext.test`);
  });

  it('allows only a page’s own scripts, by their hashes as sent', async () => {
    const policy = String((await get('/pricing')).headers['content-security-policy']);
    const sent = script.replace('https://pennytext.example', 'https://pennytext.test');
    expect(policy).toContain(`script-src 'self' 'sha256-${createHash('sha256').update(sent).digest('base64')}';`);
    expect(policy).toContain("style-src 'self';");
    expect(policy).not.toContain('unsafe');
    for (const rule of ["object-src 'none'", "base-uri 'self'", "form-action 'self'", "frame-ancestors 'none'"])
      expect(policy).toContain(rule);
  });

  it('has the other security headers', async () => {
    expect((await get('/')).headers).toMatchObject({
      'strict-transport-security': 'max-age=31536000; includeSubDomains',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'strict-origin-when-cross-origin',
      'permissions-policy': expect.stringContaining('camera=()'),
    });
  });

  it.each([
    ['br, gzip', 'br', brotliDecompressSync],
    ['gzip, br;q=0', 'gzip', gunzipSync],
    ['identity', undefined, (body: Buffer) => body],
  ])('answers %s with %s', async (accepted, encoding, read) => {
    const { headers, rawPayload } = await get('/', { 'accept-encoding': accepted });
    expect(headers['content-encoding']).toBe(encoding);
    expect(headers.vary).toBe('Accept-Encoding');
    expect(read(rawPayload).toString()).toContain('Home');
  });

  it('answers 304 to a browser with the current page', async () => {
    const { etag } = (await get('/pricing')).headers;
    expect((await get('/pricing', { 'if-none-match': `"other", W/${String(etag)}` })).statusCode).toBe(304);
    expect((await get('/pricing', { 'if-none-match': '"other"' })).statusCode).toBe(200);
  });

  it('has one URL for a page', async () => {
    const { statusCode, headers } = await get('/pricing/?from=mail');
    expect([statusCode, headers.location]).toEqual([301, '/pricing?from=mail']);
    expect((await get('/pricing/index.html')).statusCode).toBe(404);
  });

  it('redirects the old path to the dashboard with its query', async () => {
    const { statusCode, headers } = await get('/dashboardpage?transaction=failed');
    expect([statusCode, headers.location]).toEqual([301, '/dashboard?transaction=failed']);
  });

  it.each(['/nothing', '/404', '/assets/nothing.js', '/docs/nothing', '/caf%E9', '/100%', '/docs/%C3', '/a%00b'])(
    '%s is 404 with its page',
    async (url) => {
      const { statusCode, headers, body } = await get(url);
      expect([statusCode, headers['content-type']]).toEqual([404, 'text/html; charset=utf-8']);
      expect(body).toContain('Page not found.');
      expect(headers['content-security-policy']).toBeDefined();
      expect(headers['x-content-type-options']).toBe('nosniff');
    },
  );

  it.each(['/?utm=caf%E9', '/pricing?a=%00'])('shows %s, whatever another site has added to the query', async (url) => {
    expect((await get(url)).statusCode).toBe(200);
  });

  it('answers API paths in JSON', async () => {
    expect((await get('/api/nothing')).json()).toMatchObject({ code: 'not_found' });
  });

  it('serves text files with their types', async () => {
    const robots = await get('/robots.txt');
    expect([robots.headers['content-type'], robots.body]).toEqual([
      'text/plain; charset=utf-8',
      'Sitemap: https://pennytext.test/sitemap.xml',
    ]);
    expect((await get('/docs/page.json')).body).toBe('["https://pennytext.test"]');
    expect((await get('/favicon.svg')).headers['content-type']).toBe('image/svg+xml');
  });

  it('serves assets precompressed and immutable', async () => {
    const { headers, body } = await get('/assets/shell-1.js', { 'accept-encoding': 'br' });
    expect(headers).toMatchObject({
      'cache-control': 'public, max-age=31536000, immutable',
      'content-encoding': 'br',
      'content-type': 'application/javascript; charset=utf-8',
    });
    expect(body).toBe('as brotli');
  });

  describe('login and dashboard', () => {
    it('show the login page without a session and redirect the dashboard to it', async () => {
      const browser = new TestBrowser(server);
      expect((await browser.get('/login')).body).toContain('Login');
      const { statusCode, headers } = await browser.get('/dashboard');
      expect([statusCode, headers.location, headers['cache-control']]).toEqual([302, '/login', 'no-store']);
    });

    it('show the dashboard to a signed-in user and redirect the login page to it', async () => {
      const browser = await TestBrowser.signedIn(server, (await createTestAccount(server)).id);
      const dashboard = await browser.get('/dashboard');
      expect(dashboard.body).toContain('Loading...');
      expect(dashboard.headers['content-security-policy']).toContain("style-src 'self';");
      const view = await browser.get('/dashboard/billing/?x=1');
      expect([view.statusCode, view.body.includes('Loading...')]).toEqual([200, true]);
      expect((await browser.get('/dashboard/nothing')).statusCode).toBe(404);
      const { statusCode, headers } = await browser.get('/login?error=x');
      expect([statusCode, headers.location]).toEqual([302, '/dashboard']);
    });
  });

  it('marks pages when custom sign-in is on, and sends HSTS only over HTTPS', async () => {
    const variables = { CUSTOM_SIGN_IN_ENABLED: 'true', PUBLIC_URL: 'http://localhost:3000/' };
    const other = await createTestServer(bed.config(variables), folder);
    try {
      const { headers, body } = await other.inject({ url: '/login' });
      expect(headers['strict-transport-security']).toBeUndefined();
      expect(body).toContain('data-custom-sign-in="on"');
      expect(body).toContain('Login http://localhost:3000 hello@');
    } finally {
      await other.close();
    }
  });

  it('marks pages while there are figures of the delivery quality, so that the footer links to them', async () => {
    expect((await get('/')).body).toContain('data-figures="off"');
    const before = (await get('/')).headers.etag;
    await bed.database.sql(
      `INSERT INTO delivery_quality SELECT (now() AT TIME ZONE 'UTC')::date, 'US', 20, 30, 30, 900, 1900, now()`,
    );
    const other = await createTestServer(bed.config(), folder);
    try {
      const home = () => other.inject({ url: '/' });
      await eventually('the mark', async () => (await home()).body.includes('data-figures="on"'));
      const marked = await home();
      expect(marked.headers.etag).not.toBe(before);
      expect(marked.headers['content-security-policy']).toContain("style-src 'self';");
    } finally {
      await other.close();
    }
  });

  it('has the changes of the status as a feed, which any program may read', async () => {
    await bed.database.sql(
      `INSERT INTO status_incidents (component, state, started_at, ended_at)
       VALUES ('sending', 'outage', now() - interval '2 hours', now() - interval '1 hour')`,
    );
    const { statusCode, headers, body } = await get('/status.xml');
    expect([statusCode, headers['content-type'], headers['cache-control']]).toEqual([
      200,
      'application/atom+xml; charset=utf-8',
      'public, max-age=60',
    ]);
    expect(headers['access-control-allow-origin']).toBe('*');
    expect(body).toContain('<title>Sending: operational again</title>');
    expect(body).toContain('href="https://pennytext.test/status"');
  });

  it('answers 404 with a plain page when no pages are built', async () => {
    const bare = await createTestServer(bed.config());
    try {
      const { statusCode, body } = await bare.inject({ url: '/' });
      expect(statusCode).toBe(404);
      expect(body).toContain('Page not found.');
    } finally {
      await bare.close();
    }
  });
});
