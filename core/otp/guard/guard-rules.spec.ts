import fc from 'fast-check';
import { judgeMessages, type GuardReading } from './guard-rules.js';

const reading = (changes: Partial<GuardReading> = {}): GuardReading => ({
  rule: 'recipient_hour',
  subject: 'recipient',
  key: 'a',
  sendsMax: 5,
  windowSeconds: 3_600,
  verifiedPercentMin: null,
  ages: [],
  verified: 0,
  ...changes,
});
const breaker = (sent: number, verified: number) =>
  reading({
    rule: 'conversion_hour',
    subject: 'block',
    key: 'b',
    sendsMax: 30,
    verifiedPercentMin: 20,
    ages: Array.from({ length: sent }, (_, n) => n * 10),
    verified,
  });
const judge = (...readings: GuardReading[]) => judgeMessages([readings])[0];

describe('judgeMessages', () => {
  it('refuses the sixth message, until the fifth before it leaves the window', () => {
    expect(judge(reading({ ages: [1, 2, 3, 4] }))).toBeUndefined();
    const refusal = judge(reading({ ages: [1, 2, 3, 4, 600] }));
    expect([refusal?.code, refusal?.retryAfterSeconds]).toEqual(['rate_limited', 3_000]);
    expect(refusal?.figures).toEqual({ rule: 'recipient_hour', key: 'a', sent: 5, verified: null });
  });

  it.each([
    [29, 0, undefined],
    [30, 0, 'otp_suspicious'],
    [30, 5, 'otp_suspicious'],
    [30, 6, undefined],
    [41, 8, 'otp_suspicious'],
    [41, 9, undefined],
  ])('with %i codes of which %i are verified answers %s', (sent, verified, code) => {
    expect(judge(breaker(sent, verified))?.code).toBe(code);
  });

  it('names the figures of the breaker', () => {
    const refusal = judge(breaker(41, 3));
    expect(refusal?.detail).toContain('41 codes');
    expect(refusal?.detail).toContain('3 were verified: 7%');
    // The thirtieth newest code is 290 seconds old.
    expect(refusal?.retryAfterSeconds).toBe(3_310);
  });

  it('answers with the rule that holds longest', () => {
    const day = reading({ rule: 'recipient_day', sendsMax: 10, windowSeconds: 86_400, ages: Array(10).fill(100) });
    expect(judge(reading({ ages: Array(5).fill(10) }), day)?.figures.rule).toBe('recipient_day');
  });

  it('counts earlier messages of the batch, and not refused ones', () => {
    const other = reading({ key: 'c' });
    const batch = Array.from({ length: 8 }, () => [reading({ ages: [60, 120] })]);
    const codes = judgeMessages([...batch, [other]]).map((refusal) => refusal?.retryAfterSeconds);
    expect(codes).toEqual([undefined, undefined, undefined, 3_480, 3_480, 3_480, 3_480, 3_480, undefined]);
  });

  it('never lets more than the maximum through, whatever is in the batch', () => {
    const keys = fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 60 });
    fc.assert(
      fc.property(keys, fc.integer({ min: 1, max: 8 }), fc.integer({ min: 0, max: 8 }), (order, sendsMax, before) => {
        const ages = Array.from({ length: Math.min(before, sendsMax) }, (_, n) => n);
        const refusals = judgeMessages(order.map((key) => [reading({ key, sendsMax, ages })]));
        for (const key of ['a', 'b', 'c']) {
          const passed = order.filter((one, n) => one === key && !refusals[n]).length;
          const wanted = order.filter((one) => one === key).length;
          expect(passed).toBe(Math.min(wanted, sendsMax - ages.length));
        }
      }),
    );
  });
});
