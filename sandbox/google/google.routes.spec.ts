import { createHash } from 'node:crypto';
import { TestSandbox } from '../testing/test-sandbox.js';

const sandbox = new TestSandbox();
const redirectUri = 'http://localhost:3000/auth/google/callback';
const verifier = 'a'.repeat(43);
const challenge = createHash('sha256').update(verifier).digest('base64url');

beforeAll(() => sandbox.start());
beforeEach(() => sandbox.post('/_control/reset', {}));
afterAll(() => sandbox.stop());

const authorizeUrl = (changes: Record<string, string> = {}) => {
  const query = new URLSearchParams({
    response_type: 'code',
    redirect_uri: redirectUri,
    scope: 'openid profile email',
    state: 'state with + and ü',
    client_id: 'sandbox-client',
    ...changes,
  });
  return `${sandbox.url}/o/oauth2/v2/auth?${query}`;
};

const choose = async (form: Record<string, string>, changes?: Record<string, string>) => {
  const answer = await fetch(authorizeUrl(changes), {
    method: 'POST',
    body: new URLSearchParams(form),
    redirect: 'manual',
  });
  const location = answer.headers.get('location');
  return { status: answer.status, query: new URL(location ?? redirectUri).searchParams, text: await answer.text() };
};

const codeOf = async (form: Record<string, string>, changes?: Record<string, string>) =>
  (await choose(form, changes)).query.get('code') ?? '';

const exchange = async (code: string, changes: Record<string, string> = {}, path = '/oauth2/v4/token') => {
  const form = {
    grant_type: 'authorization_code',
    redirect_uri: redirectUri,
    client_id: 'sandbox-client',
    client_secret: 'sandbox-secret',
    code,
    ...changes,
  };
  const answer = await fetch(sandbox.url + path, { method: 'POST', body: new URLSearchParams(form) });
  return { status: answer.status, json: (await answer.json()) as Record<string, string> };
};

const profileFor = async (form: Record<string, string>, changes?: Record<string, string>) => {
  const { json } = await exchange(await codeOf(form, changes));
  const headers = { authorization: `Bearer ${json['access_token']}` };
  const answer = await fetch(`${sandbox.url}/oauth2/v3/userinfo`, { headers });
  return (await answer.json()) as Record<string, unknown>;
};

const ada = { name: 'Ada Kowalska', email: 'ada@new.example' };

describe('the account chooser', () => {
  it('offers accounts, a form for another one, and cancel, without JavaScript', async () => {
    const page = await (await fetch(authorizeUrl())).text();
    expect(page).toContain('localhost:3000');
    expect(page).toMatch(/<button[^>]+name="account"\s+value="demo@pennytext.example"/);
    expect(page).toMatch(/<input[^>]+name="email"/);
    expect(page).toMatch(/name="outcome" value="access_denied"/);
    expect(page).not.toContain('<script');
  });

  it('redirects with a code and the unchanged state', async () => {
    const { status, query } = await choose({ account: 'ada.kowalska@example.com' });
    expect(status).toBe(303);
    expect(query.get('state')).toBe('state with + and ü');
    expect(query.get('code')).toMatch(/^4\/0A/);
  });

  it('offers the last used account first', async () => {
    await choose(ada);
    const page = await (await fetch(authorizeUrl())).text();
    expect(/name="account"\s+value="([^"]+)"/.exec(page)?.[1]).toBe(ada.email);
  });

  it.each(['access_denied', 'server_error'])('redirects with error=%s and no code', async (outcome) => {
    const { query } = await choose({ outcome });
    expect(Object.fromEntries(query)).toEqual({ error: outcome, state: 'state with + and ü' });
  });

  it.each([
    ['', 'Enter an email address.'],
    ['no address', 'An email address has'],
    ['two@at@signs', 'An email address has'],
  ])('explains why "%s" is invalid and keeps the entered values', async (email, problem) => {
    const { status, text } = await choose({ name: '<b>Ada</b>', email });
    expect(status).toBe(400);
    expect(text).toContain(problem);
    expect(text).toContain('value="&lt;b&gt;Ada&lt;/b&gt;"');
  });

  it.each([
    [{ client_id: 'other' }, 401, 'invalid_client'],
    [{ client_id: '' }, 400, 'Missing required parameter: client_id'],
    [{ redirect_uri: 'https://evil.example/' }, 400, 'redirect_uri_mismatch'],
    [{ redirect_uri: 'javascript:alert(1)' }, 400, 'redirect_uri_mismatch'],
    [{ response_type: 'token' }, 400, 'unsupported_response_type'],
    [{ scope: '' }, 400, 'Missing required parameter: scope'],
    [{ code_challenge: challenge, code_challenge_method: 'S512' }, 400, 'code_challenge_method'],
  ])('rejects %j with an error page and no redirect', async (changes, status, words) => {
    const { text, ...answer } = await choose(ada, changes);
    expect(answer.status).toBe(status);
    expect(text).toContain(words);
    expect(answer.query.size).toBe(0);
  });
});

describe('the token endpoint', () => {
  it.each(['/oauth2/v4/token', '/token'])('%s exchanges a code for a token once', async (path) => {
    const code = await codeOf(ada);
    expect(await exchange(code, {}, path)).toMatchObject({
      status: 200,
      json: {
        access_token: expect.stringMatching(/^ya29\./),
        expires_in: 3599,
        scope: expect.stringMatching(/^openid https:\/\/www\.googleapis\.com\/auth\/userinfo\.profile /),
        token_type: 'Bearer',
      },
    });
    expect(await exchange(code, {}, path)).toMatchObject({ status: 400, json: { error: 'invalid_grant' } });
  });

  it.each([
    [{ client_secret: 'wrong' }, 401, 'invalid_client'],
    [{ client_id: 'wrong' }, 401, 'invalid_client'],
    [{ code: 'wrong' }, 400, 'invalid_grant'],
    [{ code: '' }, 400, 'invalid_request'],
    [{ redirect_uri: 'http://localhost:3000/other' }, 400, 'redirect_uri_mismatch'],
    [{ grant_type: 'password' }, 400, 'unsupported_grant_type'],
  ])('rejects %j with %i %s', async (changes, status, error) => {
    expect(await exchange(await codeOf(ada), changes)).toMatchObject({ status, json: { error } });
  });

  it('requires the verifier of the challenge', async () => {
    const asked = { code_challenge: challenge, code_challenge_method: 'S256' };
    const wrong = { code_verifier: 'b'.repeat(43) };
    expect(await exchange(await codeOf(ada, asked), wrong)).toMatchObject({ json: { error: 'invalid_grant' } });
    expect(await exchange(await codeOf(ada, asked))).toMatchObject({ json: { error: 'invalid_grant' } });
    expect(await exchange(await codeOf(ada, asked), { code_verifier: verifier })).toMatchObject({ status: 200 });
  });
});

describe('userinfo', () => {
  it('returns the profile, with the same sub for the same address', async () => {
    const first = await profileFor(ada);
    expect(first).toEqual({
      sub: expect.stringMatching(/^1\d{20}$/),
      name: 'Ada Kowalska',
      given_name: 'Ada',
      family_name: 'Kowalska',
      picture: expect.stringContaining('/_google/picture.svg?of=AK'),
      locale: 'en',
      email: ada.email,
      email_verified: true,
    });
    const again = await profileFor({ name: 'Another Name', email: ' ADA@new.example ' });
    expect(again['sub']).toBe(first['sub']);
    expect(again['name']).toBe('Another Name');
    expect((await profileFor({ email: 'eve@new.example' }))['sub']).not.toBe(first['sub']);
  });

  it('returns an unverified address when chosen', async () => {
    const profile = await profileFor({ email: 'grace.hopper@new.example', email_verified: 'false' });
    expect(profile).toMatchObject({ name: 'Grace Hopper', email_verified: false });
  });

  it('returns only the claims of the granted scopes', async () => {
    expect(Object.keys(await profileFor(ada, { scope: 'openid' }))).toEqual(['sub']);
    expect(await profileFor(ada, { scope: 'email' })).not.toHaveProperty('name');
  });

  it('rejects an unknown token', async () => {
    const headers = { authorization: 'Bearer wrong' };
    const answer = await fetch(`${sandbox.url}/oauth2/v3/userinfo`, { headers });
    expect(answer.status).toBe(401);
    expect(await answer.json()).toEqual({ error: 'invalid_request', error_description: 'Invalid Credentials' });
  });
});

describe('faults of google', () => {
  const fault = (settings: object) => sandbox.post('/_control/faults', { service: 'google', count: 1, ...settings });

  it('500 fails an exchange and keeps the code valid', async () => {
    const code = await codeOf(ada);
    await fault({ mode: '500' });
    expect(await exchange(code)).toMatchObject({ status: 500, json: { error: 'internal_failure' } });
    expect(await exchange(code)).toMatchObject({ status: 200 });
  });

  it('delay answers late and timeout never', async () => {
    const code = await codeOf(ada);
    await fault({ mode: 'timeout' });
    const signal = AbortSignal.timeout(100);
    await expect(fetch(`${sandbox.url}/token`, { method: 'POST', signal })).rejects.toThrow('timeout');
    await fault({ mode: 'delay', delayMs: 80 });
    const startedAt = performance.now();
    expect(await exchange(code)).toMatchObject({ status: 200 });
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(75);
  });
});
