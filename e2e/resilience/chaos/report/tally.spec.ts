import { Tally } from './tally.js';

describe('the tally', () => {
  let tally: Tally;
  const attempts = (kind: 'fine' | 'busy' | 'fault', count: number) => {
    for (let n = 0; n < count; n += 1) tally.attempt({ text: kind, kind });
  };

  beforeEach(() => {
    tally = new Tally();
  });

  it('forgives attempts that are refused as busy, up to a tenth of all', () => {
    attempts('fine', 9);
    attempts('busy', 1);
    expect(tally.faults).toEqual([]);
    attempts('busy', 1);
    expect(tally.faults).toEqual(['2 of 11 attempts were refused as busy']);
  });

  it('lists each fault', () => {
    attempts('fine', 100);
    attempts('fault', 2);
    expect(tally.faults).toHaveLength(2);
    expect(tally.attempts.get('fault')).toBe(2);
  });
});
