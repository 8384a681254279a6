import { otpDigitsOf, otpMinutesOf } from './otp-numbers.js';

describe('the limit of a one-time password', () => {
  it.each([2, 3, 10, '2', '5', '10'])('may be %p', (limit) => expect(otpMinutesOf(limit)).toBe(Number(limit)));

  it.each([undefined, null])('is 5 minutes when it is %p', (limit) => expect(otpMinutesOf(limit)).toBe(5));

  it.each([
    1,
    11,
    0,
    -5,
    5.5,
    NaN,
    Infinity,
    1e21,
    '1',
    '11',
    '5.5',
    '5.0',
    'five',
    '',
    ' 5',
    '5 ',
    '05',
    '+5',
    '5e0',
    '٥',
    '0x5',
  ])('is not %p', (limit) => expect(otpMinutesOf(limit)).toBeUndefined());
});

describe('the length of a one-time password', () => {
  it.each([4, 5, 6, 7, 8, '4', '8'])('may be %p', (length) => expect(otpDigitsOf(length)).toBe(Number(length)));

  it('is 6 digits when it is left out', () => expect(otpDigitsOf(undefined)).toBe(6));

  it.each([3, 9, 10, 4.5, '', 'six', '04'])('is not %p', (length) => expect(otpDigitsOf(length)).toBeUndefined());
});
