import { addressOf, filtersIn, historyIn, noFilters, wholePhoneNumber } from './history-filters.js';

const read = (query: string) => {
  const address = new URLSearchParams(query);
  return filtersIn(address, historyIn(address));
};

describe('history filters', () => {
  it('returns no filters for an empty query', () => {
    expect(read('')).toEqual(noFilters);
  });

  it.each([
    ['sent', { ...noFilters, status: 'failed', text: 'a & b? 100 % שלום' }],
    ['sent', { ...noFilters, reason: '30003', from: '2026-11-01' }],
    ['sent', { ...noFilters, status: 'failed', reason: 'daily_limit' }],
    ['sent', { ...noFilters, number: '+1 (415) 555', from: '2026-01-01', to: '2026-01-31' }],
    ['received', { ...noFilters, status: 'held' }],
    ['received', noFilters],
  ] as const)('come back from the address of %s %j', (history, filters) => {
    const query = addressOf(history, filters).toString();
    expect([historyIn(new URLSearchParams(query)), read(query)]).toEqual([history, filters]);
  });

  it('drops values that the form cannot produce', () => {
    expect(read('status=lost&number=abc&from=2026-02-30&to=soon&other=1')).toEqual(noFilters);
    expect(read(`text=${'x'.repeat(201)}`)).toEqual(noFilters);
    expect(read('tab=received&status=delivered&reason=30003')).toEqual(noFilters);
    expect(read('reason=30003;')).toEqual(noFilters);
    expect(historyIn(new URLSearchParams('tab=neither'))).toBe('sent');
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
