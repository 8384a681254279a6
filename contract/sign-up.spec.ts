import { errorCatalogue } from './errors.js';
import { isName, nameIn, signUpFault, signUpFields } from './sign-up.js';

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

  it.each([
    ['a line break', 'your parcel waits:\nhttps://evil.example/pay'],
    ['a carriage return', 'Ada\rBcc: all'],
    ['a line separator', 'Ada\u2028Lovelace'],
    ['a NUL', 'A\0da'],
    ['a tab', 'A\tda'],
    ['an escape', 'A\u001b[31mda'],
    ['half a character', 'Ada\ud83d'],
    ['a mark that turns the direction', 'Ada\u202eecalevoL'],
    ['101 characters', 'a'.repeat(101)],
  ])('rejects a username with %s', (_of, username) => {
    expect(fault({ username })).toBe('username_invalid');
    expect(isName(nameIn(username))).toBe(true);
  });

  it.each(['Ada Lovelace', 'Žofie', '李小龍', 'مريم', '👨‍👩‍👧 home', '😀'.repeat(100), 'O’Neil & Sons (Ltd.)'])(
    'accepts the username %.20s',
    (username) => {
      expect(fault({ username })).toBeUndefined();
      expect(nameIn(username)).toBe(username);
    },
  );

  it.each(['zw\u200bjoin@example.com', 'ada@exa\u202emple.com', 'ada\u00ad@example.com'])(
    'refuses the address %j',
    (email) => {
      expect(fault({ email })).toBe('email_invalid');
    },
  );

  it('refuses a username of which nothing can be seen', () => {
    for (const username of ['\u200b\u200b\u200b', '\u2060 \u00ad'])
      expect(fault({ username })).toBe('username_invalid');
  });

  it('returns the first fault in the order of the specification', () => {
    expect(fault({ username: '', email: 'x', password: 'x' })).toBe('fields_mandatory');
    expect(fault({ email: 'x', password: 'x' })).toBe('email_invalid');
    expect(fault({ username: 'a\nb', password: 'x' })).toBe('password_invalid');
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
