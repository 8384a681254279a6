import { noFilters } from './history-filters.js';
import { isPlain, nextPlace, type Place } from './history-place.js';

const search = { ...noFilters, search: 'parcel' };
const open: Place = { kind: 'open', turn: 4, filters: noFilters, page: 1 };
const held: Place = { kind: 'held', turn: 4, filters: noFilters, page: 3, below: 90, top: 90 };
const further: Place = { kind: 'further', turn: 4, filters: search, page: 1, below: 40, top: 90 };

describe('nextPlace', () => {
  it.each([
    ['an open history', open],
    ['a held page', held],
    ['a continued search', further],
  ])('opens other filters from %s, on the page of the table', (_, place) => {
    const filters = { ...noFilters, status: 'failed' };
    expect(nextPlace(place, { kind: 'filter', filters, page: 2 })).toEqual({
      kind: 'open',
      turn: 5,
      filters,
      page: 2,
    });
  });

  it.each([
    ['an open history', open],
    ['a held page', held],
    ['a continued search', further],
  ])('shows the newest rows from %s, with the same filters', (_, place) => {
    expect(nextPlace(place, { kind: 'show-newest' })).toEqual({
      kind: 'open',
      turn: 5,
      filters: place.filters,
      page: 1,
    });
  });

  it('holds the rows that were there when paging started', () => {
    const second = nextPlace(open, { kind: 'turn', page: 2, anchor: 90 });
    expect(second).toEqual({ ...held, turn: 5, page: 2 });
    expect(nextPlace(second, { kind: 'turn', page: 3, anchor: 95 })).toEqual({ ...held, turn: 6, page: 3 });
  });

  it('opens all messages again on their first page', () => {
    expect(nextPlace(held, { kind: 'turn', page: 1, anchor: 90 })).toEqual({ ...open, turn: 5 });
  });

  it.each([
    ['of a search', search],
    ['of a turned history', { ...noFilters, order: 'oldest' } as const],
  ])('holds the first page %s too', (_, filters) => {
    expect(nextPlace({ ...held, filters }, { kind: 'turn', page: 1, anchor: 95 })).toEqual({
      ...held,
      filters,
      turn: 5,
      page: 1,
    });
  });

  it('continues a search below the rows that it looked at, and still knows what was the newest', () => {
    const first: Place = { ...open, filters: search };
    expect(nextPlace(first, { kind: 'search-further', below: 40, anchor: 90 })).toEqual({ ...further, turn: 5 });
    expect(nextPlace(further, { kind: 'search-further', below: 20, anchor: 40 })).toEqual({
      ...further,
      turn: 5,
      below: 20,
    });
  });

  it('stays further back while pages are turned', () => {
    expect(nextPlace(further, { kind: 'turn', page: 2, anchor: 40 })).toEqual({ ...further, turn: 5, page: 2 });
    expect(nextPlace(further, { kind: 'turn', page: 1, anchor: 40 })).toEqual({ ...further, turn: 5 });
  });

  it('takes the bound from the answer that is shown once there is one', () => {
    const unread = nextPlace(open, { kind: 'turn', page: 2, anchor: undefined });
    expect(unread).toEqual({ ...held, turn: 5, page: 2, below: undefined, top: undefined });
    expect(nextPlace(unread, { kind: 'turn', page: 3, anchor: 90 })).toEqual({ ...held, turn: 6, page: 3 });
  });
});

describe('isPlain', () => {
  it.each([
    [noFilters, true],
    [{ ...noFilters, order: 'oldest' } as const, false],
    [{ ...noFilters, from: '2026-11-01' }, false],
    [search, false],
  ])('%j: %p', (filters, plain) => expect(isPlain(filters)).toBe(plain));
});
