import { shownOf, type QualityRow } from './delivery-quality.js';

const row: QualityRow = {
  day: '2026-11-22',
  country: 'US',
  accounts: 20,
  messages: 30,
  delivered: 20,
  medianMs: 2_149,
  p95Ms: 8_650,
  computedAt: new Date('2026-11-22T15:00:00Z'),
  otpAccounts: 20,
  otps: 30,
  verified: 27,
};
const isShown = (change: Partial<QualityRow>) => shownOf([{ ...row, ...change }]).quality.length === 1;

describe('the shown delivery quality', () => {
  it.each([
    [20, 20, true],
    [19, 999, false],
    [19, 1_000, true],
    [1, 1_000, true],
    [1, 1, false],
    [0, 0, false],
  ])('of %i accounts with %i messages: %s', (accounts, messages, expected) => {
    expect(isShown({ accounts, messages, delivered: Math.min(1, messages) })).toBe(expected);
  });

  it('has shares and times, and neither counts nor anything of hidden cells', () => {
    const hidden = { ...row, country: 'CA', accounts: 19, computedAt: new Date('2026-11-22T16:00:00Z') };
    expect(shownOf([row, hidden])).toEqual({
      success: 'true',
      computed_at: '2026-11-22T15:00:00.000Z',
      quality: [
        {
          day: '2026-11-22',
          country: 'US',
          delivered_percent: 66.7,
          median_seconds: 2.1,
          p95_seconds: 8.7,
          verified_percent: 90,
        },
      ],
    });
    expect(shownOf([hidden])).toEqual({ success: 'true', computed_at: null, quality: [] });
  });

  it.each([
    [20, 30, 90],
    [19, 999, null],
    [19, 1_000, 2.7],
    [null, null, null],
  ])('of codes of %p accounts, %p of them: %p', (otpAccounts, otps, expected) => {
    const [cell] = shownOf([{ ...row, otpAccounts, otps }]).quality;
    expect(cell?.verified_percent).toBe(expected);
  });

  it('has no times when nothing was delivered', () => {
    const [cell] = shownOf([{ ...row, delivered: 0, medianMs: null, p95Ms: null }]).quality;
    expect(cell).toMatchObject({ delivered_percent: 0, median_seconds: null, p95_seconds: null });
  });
});
