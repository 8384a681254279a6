import { isShortCode, numbersOf, senderOf, writtenAddress } from './smpp-addresses.js';

// Types of number: 0 unknown, 1 international, 2 national (SMPP 3.4, section 5.2.5).
describe('numbersOf', () => {
  it.each<[string, number, readonly string[], readonly string[]]>([
    ['14155552671', 1, ['US'], ['+14155552671']],
    ['+14155552671', 1, ['US'], ['+14155552671']],
    ['+14155552671', 2, ['FI'], ['+14155552671']],
    ['0014155552671', 0, ['US'], ['+14155552671']],
    ['0014155552671', 1, ['US'], ['+14155552671']],
    ['01114155552671', 0, ['US'], ['+14155552671']],
    ['01114155552671', 1, ['DE'], ['+14155552671']],
    ['00114915112345678', 0, ['AU'], ['+4915112345678']],
    [' 1 415-555 2671', 1, ['US'], ['+14155552671']],
    ['+1 (415) 555.2671', 0, ['US'], ['+14155552671']],
    ['4155552671', 2, ['US'], ['+14155552671']],
    ['4155552671', 0, ['US'], ['+14155552671']],
    ['14155552671', 2, ['US'], ['+14155552671']],
    // A number of Singapore or Alabama: the type decides, or the numbers that we texted.
    ['6598234567', 0, ['US'], ['+6598234567', '+16598234567']],
    ['6598234567', 1, ['US'], ['+6598234567']],
    ['6598234567', 2, ['US'], ['+16598234567']],
    ['07400123456', 2, ['GB'], ['+447400123456']],
    ['7400123456', 2, ['GB'], ['+447400123456']],
    ['447400123456', 2, ['GB'], ['+447400123456']],
    ['4915112345678', 2, ['US'], ['+4915112345678']],
    ['2125550122', 1, ['US'], ['+12125550122']],
    ['40404', 0, ['US'], []],
    ['ACME', 5, ['US'], []],
    ['', 0, ['US'], []],
  ])('reads %j with type %i from %j', (written, ton, countries, numbers) => {
    expect(numbersOf(written, ton, countries)).toEqual(numbers);
  });
});

describe('senderOf', () => {
  const senders = ['+15005550300', '+447700900002', '40404', 'ACME', '5005550'];
  it.each([
    ['15005550300', '+15005550300'],
    ['+1 500 555-0300', '+15005550300'],
    ['0015005550300', '+15005550300'],
    ['01115005550300', '+15005550300'],
    ['5005550300', '+15005550300'],
    ['07700900002', '+447700900002'],
    ['40404', '40404'],
    ['acme ', 'ACME'],
    ['5005550', '5005550'],
    ['50300', undefined],
    ['15005550301', undefined],
    ['', undefined],
  ])('knows %j as %j', (written, sender) => {
    expect(senderOf(written, senders)).toBe(sender);
  });
});

describe('writtenAddress', () => {
  const usual = { ton: 1, npi: 1 };
  it.each([
    ['+14155552671', usual, { ton: 1, npi: 1, address: '14155552671' }],
    ['+14155552671', { ton: 2, npi: 8 }, { ton: 2, npi: 8, address: '14155552671' }],
    ['40404', usual, { ton: 3, npi: 0, address: '40404' }],
    ['40404', { ton: 0, npi: 1 }, { ton: 0, npi: 1, address: '40404' }],
    ['ACME', usual, { ton: 5, npi: 0, address: 'ACME' }],
    ['Acme 24', { ton: 0, npi: 0 }, { ton: 5, npi: 0, address: 'Acme 24' }],
  ])('writes %s to a peer of %j', (address, settings, written) => {
    expect(writtenAddress(address, settings)).toEqual(written);
  });
});

describe('isShortCode', () => {
  it.each([
    ['40404', true],
    ['41234567', true],
    ['4155552671', false],
    ['+40404', false],
    ['ACME', false],
  ])('%s: %j', (written, isOne) => {
    expect(isShortCode(written)).toBe(isOne);
  });
});
