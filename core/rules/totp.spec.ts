import { totpNameFault, typedTotpCodeOf } from './totp.js';

describe('typedTotpCodeOf', () => {
  it.each([
    ['123456', 'app', '123456'],
    ['  123 456 ', 'app', '123456'],
    ['١٢٣-٤٥٦', 'app', '123456'],
    ['000000', 'app', '000000'],
    ['ABCDE-FGHJK', 'recovery_code', 'ABCDEFGHJK'],
    ['abcde fghjk', 'recovery_code', 'ABCDEFGHJK'],
    ['oil00-00000', 'recovery_code', '0110000000'],
    ['0123456789', 'recovery_code', '0123456789'],
  ])('reads %j', (typed, method, code) => {
    expect(typedTotpCodeOf(typed)).toEqual({ method, code });
  });

  it.each([
    '',
    '12345',
    '1234567',
    '12345a',
    'ABCDE-FGHJ',
    'ABCDE-FGHJKM',
    'ABCDE-FGHJU',
    '1'.repeat(65),
    '12345\u0000',
  ])('does not take %j for a code', (typed) => {
    expect(typedTotpCodeOf(typed)).toBeUndefined();
  });
});

describe('totpNameFault', () => {
  it.each(['alice@example.com', 'Ä & Co', '日本語', '👍'.repeat(10), '+1 415 555 2671'])('allows %j', (name) => {
    expect(totpNameFault(name, 20)).toBeUndefined();
  });

  it.each([
    ['a:b', 'must not contain a colon'],
    ['a\nb', 'must be one line of text'],
    ['a\u0007', 'must be one line of text'],
    ['a\u202eb', 'must be one line of text'],
    ['👍'.repeat(21), 'Too long: at most 20 characters'],
  ])('refuses %j', (name, fault) => {
    expect(totpNameFault(name, 20)).toBe(fault);
  });
});
