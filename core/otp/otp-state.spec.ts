import { nextResendAt } from '../rules/otp.js';
import { otpStateOf, resendRefusal } from './otp-state.js';

const sentAt = new Date('2030-01-01T00:00:00Z');
const after = (seconds: number) => new Date(sentAt.getTime() + seconds * 1_000);
const code = (changes: Partial<Parameters<typeof resendRefusal>[0]> = {}) => ({
  state: 'live' as const,
  wrongTries: 0,
  resends: 0,
  sentAt,
  expiresAt: after(600),
  now: after(30),
  ...changes,
});

it.each([
  ['live', 4, 'pending'],
  ['used', 4, 'verified'],
  ['over', 4, 'expired'],
  ['over', 5, 'exhausted'],
] as const)('a code that is %s after %i wrong tries is %s', (state, wrongTries, expected) => {
  expect(otpStateOf({ state, wrongTries })).toBe(expected);
});

describe('resendRefusal', () => {
  it.each([
    [0, 30],
    [1, 60],
    [2, 120],
    [3, 300],
  ])('after %i resends requires a wait of %i seconds', (resends, seconds) => {
    expect(resendRefusal(code({ resends, now: after(seconds) }))).toBeUndefined();
    expect(resendRefusal(code({ resends, now: after(seconds - 0.4) }))).toMatchObject({
      code: 'otp_resend_too_early',
      retryAfterSeconds: 1,
    });
    expect(resendRefusal(code({ resends, now: sentAt }))).toMatchObject({ retryAfterSeconds: seconds });
  });

  it.each([
    ['a fifth resend', { resends: 4, now: after(599) }],
    ['a verified code', { state: 'used' as const }],
    ['an expired code', { state: 'over' as const }],
    ['a code that expires before the next resend', { resends: 3, expiresAt: after(300) }],
  ])('refuses %s for good', (_title, changes) => {
    const refusal = resendRefusal(code(changes));
    expect([refusal?.code, refusal?.retryAfterSeconds]).toEqual(['otp_not_resendable', undefined]);
  });
});

it('nextResendAt is undefined when the code expires before, or has been sent five times', () => {
  expect(nextResendAt(code({ resends: 3 }))).toEqual(after(300));
  expect(nextResendAt(code({ resends: 3, expiresAt: after(300) }))).toBeUndefined();
  expect(nextResendAt(code({ resends: 4 }))).toBeUndefined();
});
