import { shownFault } from './sign-up-faults.js';

describe('shownFault', () => {
  it.each([
    ['fields_mandatory', 'form'],
    ['username_invalid', 'username'],
    ['email_invalid', 'email'],
    ['account_exists', 'email'],
    ['password_invalid', 'password'],
    ['email_check_failed', 'form'],
    ['custom_sign_in_off', 'form'],
    [undefined, 'form'],
  ])('%s stands beside: %s', (code, place) => {
    expect(shownFault(code, 'No.')).toEqual({ [place]: 'No.' });
  });
});
