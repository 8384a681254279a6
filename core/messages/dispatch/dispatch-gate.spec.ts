import type { SendOutcome } from '../../carriers/carrier.js';
import { SilentCarriers } from './dispatch-gate.js';

const unknown: SendOutcome = { kind: 'unknown', cause: new Error('no answer') };
const unavailable: SendOutcome = { kind: 'unavailable', cause: new Error('no connection') };
const throttled: SendOutcome = { ...unavailable, retryAfterMs: 60_000 };
const accepted: SendOutcome = { kind: 'accepted', carrierId: 'SM1' };
const refused: SendOutcome = { kind: 'refused', carrierError: null };

/** The outcome of a call, and the seconds at which it began and ended. */
type Call = readonly [SendOutcome, number, number];
const together = (count: number, ...call: Call) => Array.from({ length: count }, () => call);

describe('SilentCarriers', () => {
  it.each<[string, Call[], boolean]>([
    ['five calls that hang together', together(5, unknown, 0, 10), true],
    ['four of them', together(4, unknown, 0, 10), false],
    ['five that fail at once', together(5, unavailable, 0, 0), false],
    ['the same for ten seconds', [...together(5, unavailable, 0, 0), [unavailable, 10, 10]], true],
    ['those with an answer among them', [...together(4, unknown, 0, 10), [accepted, 9, 10], [unknown, 0, 10]], false],
    ['those with a refusal among them', [...together(4, unknown, 0, 10), [refused, 9, 10], [unknown, 0, 10]], false],
    ['calls that are put off', together(9, throttled, 0, 10), false],
    ['those with more than a minute between', [...together(4, unknown, 0, 10), [unknown, 61, 71]], false],
  ])('holds for %s: %#', (_title, calls, expected) => {
    const silent = new SilentCarriers();
    const found = calls.map(([outcome, began, ended]) =>
      silent.isSilentAfter(1, outcome, began * 1_000, ended * 1_000),
    );
    expect(found.at(-1)).toBe(expected);
  });

  it('counts each carrier for itself', () => {
    const silent = new SilentCarriers();
    for (let n = 0; n < 4; n += 1) silent.isSilentAfter(1, unknown, 0, 10_000);
    expect(silent.isSilentAfter(2, unknown, 0, 10_000)).toBe(false);
    expect(silent.isSilentAfter(1, unknown, 0, 10_000)).toBe(true);
  });
});
