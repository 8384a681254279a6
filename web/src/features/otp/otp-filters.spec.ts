import { newYorkDay } from '../../ui/format.js';
import { chosenOf, filtersIn, noFilters, queryOf } from './otp-filters.js';

const find = (query: string) => filtersIn(new URLSearchParams(query));
const read = (query: string) => find(query).filters;

describe('the filters of the log of one-time passwords', () => {
  it('are those of the address', () => {
    const query =
      'number=(415)+555-2671&text=order+4711&status=expired&channel=voice&country=ca&key=account&from=2026-03-01';
    expect(read(query)).toEqual({
      number: '(415) 555-2671',
      text: 'order 4711',
      status: 'expired',
      channel: 'voice',
      country: 'CA',
      key: 'account',
      days: '',
      from: '2026-03-01',
      to: '',
    });
    expect(queryOf(read('days=1'))).toMatchObject({ from: newYorkDay(new Date()), to: newYorkDay(new Date()) });
  });

  it.each([
    'status=sent',
    'channel=pigeon',
    'country=USA',
    'key=mine',
    'from=2026-02-30',
    'to=1999-01-01',
    `number=${'1'.repeat(65)}`,
  ])('leave out %j, which the server would refuse, and explain it', (query) => {
    expect(find(query)).toEqual({ filters: noFilters, faults: [expect.any(String)] });
  });

  it('stand in the address only if they are set', () => {
    expect(chosenOf({ ...noFilters, status: 'pending' })).toEqual({ status: 'pending' });
  });
});
