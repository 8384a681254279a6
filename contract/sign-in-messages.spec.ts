import { errorText } from './errors.js';
import { recordMessages, shownSignInError, signInMessages } from './sign-in-messages.js';

describe('shownSignInError', () => {
  it.each([
    ...Object.values(signInMessages).map((message) => errorText('sign_in_failed', message)),
    errorText('too_many_attempts', signInMessages.tooMany),
    errorText('user_record_failed', recordMessages.user),
    errorText('credits_record_failed', recordMessages.credits),
  ])('shows %j', (text) => expect(shownSignInError(text)).toBe(text));

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
  ])('shows nothing for %j', (text) => expect(shownSignInError(text)).toBeUndefined());
});
