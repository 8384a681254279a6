import { countryOf, isNumberSearch, shownNumber } from './phone-numbers.js';
import { isTexted, recipientOf } from './format.js';

describe('shownNumber', () => {
  it.each([
    ['+14155552671', '+1 415 555 2671'],
    ['+15005550006', '+1 500 555 0006'],
    ['+4915123456789', '+49 1512 3456789'],
    ['+447911123456', '+44 7911 123456'],
    ['12345', '12345'],
    ['Pennytext', 'Pennytext'],
    ['', ''],
    ['whatsapp:+14155552671', '+1 415 555 2671 by WhatsApp'],
    ['voice:+447911123456', '+44 7911 123456 by voice call'],
    ['ann@example.com', 'ann@example.com'],
  ])('shows %j as %j', (number, shown) => expect(shownNumber(number)).toBe(shown));
});

describe('countryOf', () => {
  it.each([
    ['+14155552671', 'US'],
    ['+14165550134', 'CA'],
    ['+4915123456789', 'DE'],
    ['12345', undefined],
    ['voice:+4915123456789', 'DE'],
    ['ann@example.com', undefined],
  ])('finds the country of %j: %j', (number, country) => expect(countryOf(number)).toBe(country));
});

describe('a recipient', () => {
  it.each([
    ['+14155552671', '+14155552671', true],
    ['12345', '12345', true],
    ['whatsapp:+14155552671', '+14155552671', false],
    ['voice:+14155552671', '+14155552671', false],
    ['voice:ann@example.com', 'ann@example.com', false],
    ['ann@example.com', 'ann@example.com', false],
    ['', '', false],
  ])('%j has the address %j; it gets texts: %s', (to, address, expected) => {
    expect(recipientOf(to).address).toBe(address);
    expect(isTexted(to)).toBe(expected);
  });
});

describe('a search', () => {
  it.each([
    ['4155', true],
    ['+1 (415) 555-0132', true],
    ['415.555', true],
    ['', false],
    ['+', false],
    ['order 4711', false],
    ['SM0f3a', false],
    ['vip-49', false],
  ])('%j is for a number: %s', (typed, expected) => expect(isNumberSearch(typed)).toBe(expected));
});
