import { randomBytes } from 'node:crypto';
import { expect } from '@playwright/test';
import { expectLedgerClean } from '../testing/invariants.js';
import { test } from '../testing/product.js';
import type { Stack } from '../testing/stack.js';
import { Visitor } from '../testing/visitor.js';

let stack: Stack;
let visitor: Visitor;

test.beforeAll(({ product }) => {
  stack = product;
});

test.beforeEach(async () => {
  visitor = await Visitor.to(stack);
});

test.afterEach(() => visitor.leave());

test.afterAll(async () => {
  await expectLedgerClean(stack);
});

const newAddress = () => `ada-${randomBytes(6).toString('hex')}@example.com`;

test('a new person chooses an account at Google, and has 3 credits, a key and a welcome email', async () => {
  const email = newAddress();
  const chooser = await visitor.open('/auth/google');
  expect(chooser.url.pathname).toBe('/o/oauth2/v2/auth');
  expect(chooser.html).toContain('Choose an account');
  const { url } = await visitor.submit(chooser, { name: 'Ada Lovelace', email });
  expect([url.pathname, url.search]).toEqual(['/dashboard', '']);
  expect(await visitor.account()).toMatchObject({ email, displayName: 'Ada Lovelace' });
  expect(await visitor.balance()).toBe(3);
  await expect
    .poll(async () => (await stack.vendors.mails(email)).map(({ subject }) => subject))
    .toEqual(['Welcome to Pennytext']);
  const [mail] = await stack.vendors.mails(email);
  expect(mail?.text).toContain('3 free credits');
  expect(mail?.html).toContain(`${stack.url}/dashboard`);
});

test('who has an account is chosen from the list, comes back to it, and gets no second welcome', async () => {
  const email = newAddress();
  await visitor.signIn({ name: 'Grace', email });
  const first = await visitor.account();
  await expect.poll(async () => (await stack.vendors.mails(email)).length).toBe(1);

  await visitor.call('POST', '/auth/logout');
  expect(await visitor.account()).toBeNull();
  const chooser = await visitor.open('/auth/google');
  expect(chooser.html).toContain(`value="${email}"`);
  expect((await visitor.submit(chooser, { account: email })).url.pathname).toBe('/dashboard');
  expect(await visitor.account()).toEqual(first);

  // Another person's welcome comes after hers would have.
  const other = await Visitor.to(stack);
  const later = newAddress();
  await other.signIn({ email: later });
  await other.leave();
  await expect.poll(async () => (await stack.vendors.mails(later)).length).toBe(1);
  expect(await stack.vendors.mails(email)).toHaveLength(1);
});

test('one person who comes in twice at the same moment has one account', async () => {
  const email = newAddress();
  const others = await Promise.all([Visitor.to(stack), Visitor.to(stack), Visitor.to(stack)]);
  const places = await Promise.all(others.map((other) => other.signIn({ email })));
  const refusals = places.map(({ url }) => url.searchParams.get('error'));
  expect(refusals, 'none of the sign-ins is refused').toEqual([null, null, null]);
  const accounts = await Promise.all(others.map((other) => other.account()));
  expect(new Set(accounts.map((account) => account?.id)).size, 'one account').toBe(1);
  expect(await others[0]?.balance()).toBe(3);
  await Promise.all(others.map((other) => other.leave()));
});

for (const { when, choice, words } of [
  {
    when: 'a person says no at Google',
    choice: { outcome: 'access_denied' },
    words: 'You did not allow Google to share your profile.',
  },
  {
    when: 'the address is not verified at Google',
    choice: { email: newAddress(), email_verified: 'false' },
    words: 'Your email address is not verified at Google.',
  },
]) {
  test(`${when}: the login page says so, and no session begins`, async () => {
    const { url } = await visitor.signIn(choice);
    expect(url.pathname).toBe('/login');
    expect(url.searchParams.get('error')).toBe(`Sign-in error: ${words}`);
    expect(await visitor.account()).toBeNull();
  });
}

test('Google fails on its own page: the login page says so', async () => {
  const { url } = await visitor.signIn({ outcome: 'server_error' });
  expect(url.pathname).toBe('/login');
  expect(url.searchParams.get('error')).toMatch(/^Sign-in error: ./);
  expect(await visitor.account()).toBeNull();
});

test('Google cannot say who it is: the login page asks to try again, and the next try works', async () => {
  const email = newAddress();
  await stack.vendors.misbehave({ service: 'google', mode: '500', count: 1 });
  const { url } = await visitor.signIn({ email });
  expect(url.searchParams.get('error')).toBe("Sign-in error: Couldn't reach Google. Please try again.");
  expect((await visitor.signIn({ email })).url.pathname).toBe('/dashboard');
});

test('a mistyped address is asked for once more', async () => {
  const refused = await visitor.signIn({ email: 'ada' });
  expect(refused.status).toBe(400);
  expect((await visitor.submit(refused, { email: newAddress() })).url.pathname).toBe('/dashboard');
});

test('an answer of Google’s that another browser asked for begins no session', async () => {
  const chooser = await visitor.open('/auth/google');
  const other = await Visitor.to(stack);
  const { url } = await other.submit(chooser, { email: newAddress() });
  expect(url.pathname).toBe('/login');
  expect(url.searchParams.get('error')).toMatch(/^Sign-in error: .*began in another browser/);
  expect(await other.account()).toBeNull();
  await other.leave();
});
