import { dismissalsFrom, dismissalsText, keptDismissals } from './dismissals.js';

const FAILING = 'webhook_failing:2026-11-26T10:00:00.000Z';
const EMPTY = 'credits_empty:3';

describe('dismissals', () => {
  it('are kept as long as their notification, and end with it', () => {
    expect(keptDismissals([FAILING, EMPTY], [EMPTY, 'other'])).toEqual([EMPTY]);
    expect(keptDismissals([FAILING], [])).toEqual([]);
  });

  it('stay the same list while nothing ends', () => {
    const dismissed = [FAILING];
    expect(keptDismissals(dismissed, [FAILING, EMPTY])).toBe(dismissed);
  });

  it.each([[[]], [[FAILING]], [[FAILING, EMPTY]]])('are read as they were stored: %j', (dismissed) => {
    expect(dismissalsFrom(dismissalsText(dismissed))).toEqual(dismissed);
  });

  it('are none where nothing was stored', () => {
    expect(dismissalsFrom(null)).toEqual([]);
    expect(dismissalsFrom(undefined)).toEqual([]);
  });
});
