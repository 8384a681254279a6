import { addressOf, filtersIn, historyIn, noFilters, wholePhoneNumber } from './history-filters.js';

const read = (query: string) => {
  const address = new URLSearchParams(query);
  return filtersIn(address, historyIn(address));
};
const filtersOf = (query: string) => read(query).filters;

describe('history filters', () => {
  it('returns no filters for an empty query', () => {
    expect(read('')).toEqual({ filters: noFilters, faults: [] });
  });

  it.each([
    ['sent', { ...noFilters, status: 'failed', search: 'a & b? 100 % שלום' }],
    ['sent', { ...noFilters, reason: '30003', from: '2026-11-01' }],
    ['sent', { ...noFilters, status: 'failed', reason: 'daily_limit', days: '7' }],
    ['sent', { ...noFilters, search: '+1 (415) 555', from: '2026-01-01', to: '2026-01-31' }],
    ['received', { ...noFilters, status: 'held', order: 'oldest' }],
    ['received', noFilters],
  ] as const)('come back from the address of %s %j', (history, filters) => {
    const query = addressOf(history, filters).toString();
    expect([historyIn(new URLSearchParams(query)), read(query)]).toEqual([history, { filters, faults: [] }]);
  });

  it('explains values that the form cannot produce, and drops them', () => {
    const found = read('status=lost&reason=x;&from=2026-02-30&to=soon&other=1');
    expect(found).toEqual({
      filters: noFilters,
      faults: ['“2026-02-30” is not a day.', 'There is no status “lost”.', '“x;” is no reason.'],
    });
    expect(read(`search=${'x'.repeat(201)}`).faults).toEqual(['A search has at most 200 characters.']);
    expect(read('tab=received&status=delivered&reason=30003').faults).toEqual([
      'There is no status “delivered”.',
      '“30003” is no reason.',
    ]);
    expect(read('from=2026-02-02&to=2026-02-01')).toEqual({
      filters: noFilters,
      faults: ['The first day is after the last day.'],
    });
    expect(historyIn(new URLSearchParams('tab=neither'))).toBe('sent');
  });

  it('reads the text or number of an address from before there was one search', () => {
    expect(filtersOf('text=parcel')).toEqual({ ...noFilters, search: 'parcel' });
    expect(filtersOf('number=%2B1415')).toEqual({ ...noFilters, search: '+1415' });
  });

  it('returns an empty query for all sent messages', () => {
    expect(addressOf('sent', noFilters).toString()).toBe('');
  });
});

describe('wholePhoneNumber', () => {
  it.each([
    ['+49 1512 3456789', '+4915123456789'],
    [' (415) 555-2671 ', '+14155552671'],
    ['1-415-555-2671', '+14155552671'],
    ['\u202a+49\u00a01512\u200b3456789\u202c', '+4915123456789'],
    ['٤١٥ 555 ２６７１', '+14155552671'],
    ['555-2671', undefined],
    ['4155552671x', undefined],
    ['+1 415', undefined],
    ['+0155552671', undefined],
    [`+${'1'.repeat(16)}`, undefined],
    ['', undefined],
  ])('reads %j as %j', (typed, number) => {
    expect(wholePhoneNumber(typed)).toBe(number);
  });
});
