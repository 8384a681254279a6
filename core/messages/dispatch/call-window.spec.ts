import { callWindowMs } from './call-window.js';

describe('the window in which a call to the carrier may start', () => {
  it.each([
    [30, 10_000, 10_000],
    [12, 2_000, 8_000],
    [3, 1_000, 1_000],
  ])('of a lease of %i s and calls of %i ms at the most is %i ms', (leaseSeconds, timeoutMs, windowMs) => {
    expect(callWindowMs(leaseSeconds, timeoutMs)).toBe(windowMs);
    // The last call ends, and as much time again passes, before the lease does.
    expect(windowMs + 2 * timeoutMs).toBe(leaseSeconds * 1_000);
  });
});
