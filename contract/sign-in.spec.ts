import { errorText } from './errors.js';
import {
  recordMessages,
  returnPath,
  shownSignInError,
  signInErrorCookie,
  signInMessages,
  withReturnPath,
  withTime,
} from './sign-in.js';

const cookieOf = (text: string) => `${signInErrorCookie.name}=${encodeURIComponent(text)}`;

describe('shownSignInError', () => {
  it.each([
    ...Object.values(signInMessages).map((message) => errorText('sign_in_failed', message)),
    errorText('too_many_attempts', withTime(signInMessages.tooManyFromNetwork, 61)),
    errorText('too_many_attempts', withTime(signInMessages.tooManySignUps, 80_000)),
    errorText('user_record_failed', recordMessages.user),
    errorText('credits_record_failed', recordMessages.credits),
  ])('shows %j, which the server has just sent', (text) => {
    expect(shownSignInError(text, `theme=dark; ${cookieOf(text)}; a=b`)).toBe(text);
    for (const cookies of ['', 'theme=dark', cookieOf('Sign-in error: Other'), `x${cookieOf(text)}`])
      expect(shownSignInError(text, cookies)).toBeUndefined();
  });

  it.each([
    null,
    '',
    'Sign-in error: ',
    'Sign-in error: Your account is locked. Call +1 900 555 0100.',
    'Sign-in error: {message}',
    `Sign-in error: ${signInMessages.blocked} Call us.`,
    'Failed to create user record: visit evil.com',
    'Failed to create credits record: visit evil.com',
    signInMessages.blocked,
    'toString',
  ])('shows nothing for %j', (text) => expect(shownSignInError(text, cookieOf(text ?? ''))).toBeUndefined());
});

describe('withTime', () => {
  it.each([
    [1, 'in 1 minute.'],
    [60, 'in 1 minute.'],
    [61, 'in 2 minutes.'],
    [900, 'in 15 minutes.'],
    [7_199, 'in 120 minutes.'],
    [7_201, 'in 3 hours.'],
    [86_400, 'in 24 hours.'],
  ])('writes %i seconds as %j', (seconds, text) => expect(withTime('in {time}.', seconds)).toBe(text));
});

describe('returnPath', () => {
  it.each([
    ['/dashboard', '/dashboard'],
    ['/dashboard/billing', '/dashboard/billing'],
    [
      '/dashboard?transaction=success&credits=50&session_id=cs_1',
      '/dashboard?transaction=success&credits=50&session_id=cs_1',
    ],
    ['/dashboard/message?id=SM1#top', '/dashboard/message?id=SM1'],
    ['/dashboard/a/../key', '/dashboard/key'],
  ])('leads from %s to %s', (next, path) => {
    expect(returnPath(next)).toBe(path);
  });

  it.each([
    ['another host', 'https://evil.example/dashboard'],
    ['another host without its scheme', '//evil.example/dashboard'],
    ['another host behind backslashes', '/\\evil.example/dashboard'],
    ['another host behind a tab', '/\t/evil.example/dashboard'],
    ['a user and another host', 'http://here@evil.example/dashboard'],
    ['a script', 'javascript:alert(1)//dashboard'],
    ['a page that does something', '/auth/google'],
    ['the same by a detour', '/dashboard/../auth/google'],
    ['the same by a coded detour', '/dashboard/%2e%2e/auth/google'],
    ['a name that begins alike', '/dashboards'],
    ['no path', 'dashboard:x'],
    ['nothing', ''],
    ['a list', ['/dashboard']],
    ['no text', undefined],
    ['too much', `/dashboard?${'x'.repeat(1_000)}`],
  ])('does not lead to %s', (_title, next) => {
    expect(returnPath(next)).toBeUndefined();
  });

  it('is appended to an address, encoded, unless it is the home of the dashboard', () => {
    expect(withReturnPath('/login', '/dashboard/message?id=a&b')).toBe(
      '/login?next=%2Fdashboard%2Fmessage%3Fid%3Da%26b',
    );
    expect(withReturnPath('/login', '/dashboard')).toBe('/login');
    expect(withReturnPath('/login', undefined)).toBe('/login');
  });
});
