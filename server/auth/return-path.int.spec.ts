import { randomUUID } from 'node:crypto';
import { Config } from '#core/platform/config/config.js';
import { createTestBed, type TestBed } from '#core/testing/test-bed.js';
import { TestBrowser } from '../testing/browser.js';
import { TestSandbox } from '../testing/sandbox.js';
import { createTestServer, type TestServer } from '../testing/test-server.js';

const WANTED = '/dashboard?transaction=success&credits=50&session_id=cs_1';
const next = (path: string) => `next=${encodeURIComponent(path)}`;

describe('the page to return to after a sign-in', () => {
  let bed: TestBed;
  let google: TestSandbox;
  let server: TestServer;
  let browser: TestBrowser;

  beforeAll(async () => {
    bed = await createTestBed();
    google = await TestSandbox.start();
    server = await createTestServer(bed.config(google.variables));
  });

  beforeEach(() => {
    browser = new TestBrowser(server);
  });

  afterAll(async () => {
    await server?.close();
    await google?.close();
    await bed?.remove();
  });

  const locationOf = async (path: string) => String((await browser.get(path)).headers.location);
  const signIn = async (query: string, changes: { email_verified?: 'false' } = {}) => {
    const person = { email: `${randomUUID()}@example.com`, ...changes };
    return locationOf(await google.choose(await locationOf(`/auth/google${query}`), person));
  };

  it('is the page that required the sign-in', async () => {
    expect(await locationOf(WANTED)).toBe(`/login?${next(WANTED)}`);
    expect(await locationOf('/dashboard/message?id=SM1')).toBe(`/login?${next('/dashboard/message?id=SM1')}`);
    expect(await locationOf('/dashboard')).toBe('/login');
  });

  it('opens after the sign-in', async () => {
    expect(await signIn(`?${next(WANTED)}`)).toBe(WANTED);
  });

  it('opens at once for a signed-in user', async () => {
    await signIn('');
    expect(await locationOf(`/login?${next(WANTED)}`)).toBe(WANTED);
  });

  it('survives a sign-in that fails here or at Google', async () => {
    const told = await signIn(`?${next(WANTED)}`, { email_verified: 'false' });
    expect(Object.fromEntries(new URL(told, 'http://here').searchParams)).toEqual({
      error: 'Sign-in error: Your email address is not verified at Google.',
      next: WANTED,
    });
    await locationOf(`/auth/google?${next(WANTED)}`);
    const denied = await locationOf('/auth/google/callback?error=access_denied');
    expect(new URL(denied, 'http://here').searchParams.get('next')).toBe(WANTED);
  });

  it('is read from the login page’s address when its link was clicked before the page’s script had run', async () => {
    const from = async (referer: string) => {
      const { headers } = await browser.call('GET', '/auth/google', undefined, { referer });
      return locationOf(await google.choose(String(headers.location), { email: `${randomUUID()}@example.com` }));
    };
    const { publicUrl } = server.get(Config).http;
    expect(await from(`${publicUrl}/login?error=canceled&${next(WANTED)}`)).toBe(WANTED);
    expect(await from(`${publicUrl}/login`)).toBe('/dashboard');
    expect(await from(`${publicUrl}/login?${next('//evil.example')}`)).toBe('/dashboard');
    expect(await from(`https://evil.example/login?${next(WANTED)}`)).toBe('/dashboard');
  });

  it('is the one of the last sign-in that was started', async () => {
    await locationOf(`/auth/google?${next(WANTED)}`);
    expect(await signIn('')).toBe('/dashboard');
  });

  it.each([
    'https://evil.example/dashboard',
    '//evil.example/dashboard',
    '/\\evil.example/dashboard',
    'javascript:alert(1)',
    '/dashboard/../auth/google',
    '/auth/logout',
  ])('is never %s', async (path) => {
    expect(await signIn(`?${next(path)}`)).toBe('/dashboard');
    expect(await locationOf(`/login?${next(path)}`)).toBe('/dashboard');
  });

  it('is ignored when a URL has several', async () => {
    expect(await signIn(`?${next(WANTED)}&${next('//evil.example')}`)).toBe('/dashboard');
    expect(await locationOf(`/login?${next(WANTED)}&${next('//evil.example')}`)).toBe('/dashboard');
  });
});
