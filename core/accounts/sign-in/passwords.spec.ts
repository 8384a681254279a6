import * as argon2 from '@node-rs/argon2';
import { DomainError } from '../../platform/errors/domain-error.js';
import { Passwords } from './passwords.js';

jest.mock('@node-rs/argon2', () => {
  const actual = jest.requireActual<typeof argon2>('@node-rs/argon2');
  return { ...actual, verify: jest.fn(actual.verify) };
});

describe('Passwords', () => {
  const passwords = new Passwords();

  it('verifies a password against its argon2id hash, and salts every hash', async () => {
    const [one, other] = [await passwords.hash('Passw0rd!'), await passwords.hash('Passw0rd!')];
    expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(one).not.toBe(other);
    expect(await passwords.verify('Passw0rd!', one)).toBe(true);
    expect(await passwords.verify('Passw0rd?', one)).toBe(false);
  });

  it.each([null, undefined])(
    'rejects every password without a hash (%s), also the one of the dummy hash',
    async (kept) => {
      expect(await passwords.verify('the dummy password', kept)).toBe(false);
    },
  );

  it('verifies at the same cost without a hash as with one, so that the time does not tell whether an account exists', async () => {
    const kept = await passwords.hash('Passw0rd!');
    const verify = jest.mocked(argon2.verify).mockClear();
    await passwords.verify('Wr0ng!!!', kept);
    await passwords.verify('Wr0ng!!!', null);
    const calls = verify.mock.calls.map(([hash, password]) => [...String(hash).split('$').slice(1, 4), password]);
    expect(calls).toEqual([
      ['argon2id', 'v=19', 'm=19456,t=2,p=1', 'Wr0ng!!!'],
      ['argon2id', 'v=19', 'm=19456,t=2,p=1', 'Wr0ng!!!'],
    ]);
  });

  describe('refuses what is guessed first', () => {
    const owner = { email: 'ada.lovelace@example.com', displayName: 'Countess' };
    const refusal = (password: string) =>
      passwords.refuseCommon(password, owner).then(
        () => undefined,
        (error: unknown) => (error instanceof DomainError ? error.code : error),
      );

    it.each([
      // Passwords of the list, in another letter case.
      'P@ssw0rd',
      'Passw0rd!',
      'Password1!',
      'Qwerty123!',
      'Iloveyou1!',
      // Look-alike characters, inner symbols, and digits around the word.
      'P@$$w0rd2024!',
      'Pass!word1',
      'Summer2024!',
      '12Dr@gon!',
      // Names of the service and of the owner.
      'Pennytext1!',
      'Penny!text1',
      'AdaLovelace1!',
      'Ada@lovelace9',
      'Countess2026!',
      'Ad4Lovelace@examplecom',
    ])('%s', async (password) => {
      expect(await refusal(password)).toBe('password_common');
    });

    it.each(['C0rrect!horse', 'B@tterystaple9', 'Analytical1!', 'Summer!Rain7Tin', 'Michael83475629!', 'kV7$pQx2Lm9&'])(
      'but not %s',
      async (password) => {
        expect(await refusal(password)).toBeUndefined();
      },
    );
  });
});
