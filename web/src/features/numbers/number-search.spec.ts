import { availableNumbersFilter } from '#contract/numbers.js';
import { areaCodeFault, containsFault, plainSearch } from './number-search.js';

describe('the search of numbers', () => {
  it('leaves out what people put between digits', () => {
    expect(['(212)', '55 5-1', ' S.H.O.P ', '5*5'].map(plainSearch)).toEqual(['212', '5551', 'SHOP', '5*5']);
  });

  it.each([
    ['', 'local', undefined],
    ['212', 'local', undefined],
    ['2', 'local', 'Three digits, such as 212.'],
    ['21a', 'toll_free', 'Three digits, such as 212.'],
    ['888', 'toll_free', undefined],
    [
      '212',
      'toll_free',
      '212 is not a toll-free code. Toll-free numbers begin with 800, 833, 844, 855, 866, 877 or 888.',
    ],
  ] as const)('answers the area code %j of %s numbers with %j', (areaCode, type, fault) => {
    expect(areaCodeFault(areaCode, type)).toBe(fault);
  });

  it.each([
    ['', undefined],
    ['SHOP', undefined],
    ['*5*5', undefined],
    ['5**', 'At least two digits or letters.'],
    ['shop!', 'Only digits, letters and *.'],
    ['12345678901', 'At most 10 digits or letters.'],
  ])('answers %j in a number with %j, as the API accepts or refuses it', (contains, fault) => {
    expect(containsFault(contains)).toBe(fault);
    expect(availableNumbersFilter.safeParse({ contains }).success).toBe(fault === undefined);
  });
});
