import { uncoveredRent } from './uncovered-rent.js';

const rented = (day: number, credits: number) =>
  ({
    status: 'active',
    auto_renew: true,
    renews_at: `2026-12-${day}T12:00:00.000Z`,
    credits_per_month: credits,
  }) as const;

describe('the first rent that the balance does not cover', () => {
  it('is none while the balance covers all of them', () => {
    expect(uncoveredRent([rented(27, 50), rented(28, 50)], 100)).toBeUndefined();
  });

  it('is the one at which the rents together exceed the balance, in the order of their days', () => {
    const numbers = [rented(28, 100), rented(27, 50)];
    expect(uncoveredRent(numbers, 149)).toEqual({ at: '2026-12-28T12:00:00.000Z', credits: 150, numbers: 2 });
    expect(uncoveredRent(numbers, 49)).toEqual({ at: '2026-12-27T12:00:00.000Z', credits: 50, numbers: 1 });
  });

  it('has those that are due within a day of it', () => {
    const numbers = [rented(27, 50), { ...rented(27, 60), renews_at: '2026-12-27T23:00:00.000Z' }, rented(28, 100)];
    expect(uncoveredRent(numbers, 20)).toEqual({ at: '2026-12-27T23:00:00.000Z', credits: 110, numbers: 2 });
  });

  it('leaves out numbers that are not renewed, are not active or have no rent', () => {
    const numbers = [
      { ...rented(27, 50), auto_renew: false },
      { ...rented(27, 50), status: 'past_due' as const },
      { ...rented(27, 50), credits_per_month: null, renews_at: null },
    ];
    expect(uncoveredRent(numbers, 0)).toBeUndefined();
  });
});
