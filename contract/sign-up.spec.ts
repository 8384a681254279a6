import { errorCatalogue } from './errors.js';
import { signUpFault, signUpFields } from './sign-up.js';

const good = { username: 'Ada', email: 'ada@example.com', password: 'Passw0rd!' };
const fault = (changes: Record<string, string | null | undefined>) =>
  signUpFault(signUpFields({ ...good, ...changes }));

describe('signUpFault', () => {
  it('finds no fault in a complete sign-up', () => {
    expect(fault({})).toBeUndefined();
    expect(fault({ email: ' ada+x@sub.example.co ' })).toBeUndefined();
  });

  it.each(['username', 'email', 'password'])('requires %s', (name) => {
    for (const value of ['', null, undefined]) expect(fault({ [name]: value })).toBe('fields_mandatory');
  });

  it.each(['ada', 'ada@', '@example.com', 'ada@example', 'a da@example.com', 'ada@exam ple.com', 'a@b@example.com'])(
    'does not take %s for an email address',
    (email) => {
      expect(fault({ email })).toBe('email_invalid');
    },
  );

  it.each([
    'Pass0r!',
    'passw0rd!',
    'PASSW0RD!',
    'Password!',
    'Passw0rdd',
    'Passw0rd!#',
    'Passw0rd! ',
    `Aa1!${'a'.repeat(253)}`,
  ])('rejects the password %.20s', (password) => {
    expect(fault({ password })).toBe('password_invalid');
  });

  it('returns the first fault in the order of the specification', () => {
    expect(fault({ username: '', email: 'x', password: 'x' })).toBe('fields_mandatory');
    expect(fault({ email: 'x', password: 'x' })).toBe('email_invalid');
  });

  it('has the texts of the specification', () => {
    expect(errorCatalogue.fields_mandatory.text).toBe('All fields are mandatory');
    expect(errorCatalogue.email_invalid.text).toBe('Please enter a valid email address');
    expect(errorCatalogue.password_invalid.text).toBe(
      'Password must be at least 8 characters. Use 1 uppercase, 1 lowercase, 1 number, and 1 special character.',
    );
    expect(errorCatalogue.account_exists.text).toBe('Email already in use');
    expect(errorCatalogue.custom_sign_in_off.text).toBe(
      'Custom sign-in is currently unavailable. Use Sign in with Google.',
    );
  });
});
