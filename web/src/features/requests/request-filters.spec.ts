import { allDays } from '../../ui/days.js';
import { addressOf, filtersIn, noFilters, queryOf } from './request-filters.js';

const read = (query: string) => filtersIn(new URLSearchParams(query));

describe('the filters of requests', () => {
  it.each([
    noFilters,
    { ...noFilters, search: '/api/sendsms', status: '4xx', code: 'no_credits', key: 'a6b7', days: '7' },
    { ...noFilters, code: '21610', from: '2026-11-01', to: '2026-11-02' },
  ])('come back from their address: %j', (filters) => {
    expect(read(addressOf(filters))).toEqual({ filters, faults: [] });
  });

  it('explains what the server would refuse, and drops it', () => {
    expect(read(`status=3xx&code=${'x'.repeat(65)}&from=soon`)).toEqual({
      filters: noFilters,
      faults: ['There is no status “3xx”.', 'The error code is too long.', '“soon” is not a day.'],
    });
  });

  it('reads the path or request id of an address from before there was one search', () => {
    expect(read('path=balance').filters.search).toBe('balance');
    expect(read('requestId=mine-1').filters.search).toBe('mine-1');
  });

  it('asks for days by their dates', () => {
    const { from, to, ...rest } = queryOf({ ...noFilters, ...allDays, days: '1', status: '5xx' });
    expect(from).toBe(to);
    expect(from).toMatch(/^\d{4}-\d\d-\d\d$/);
    expect(rest).toEqual({ search: '', status: '5xx', code: '', key: '' });
  });
});
