import fc from 'fast-check';
import { type ExposedKey, exposureOf, type ExposureLimits } from './exposure.js';

const ownKey: ExposedKey = { id: null, name: null, budget: null, creditsPerMessage: 50 };
const limits: ExposureLimits = {
  maySend: true,
  balance: 1_000,
  frozen: 0,
  topUp: null,
  messages: 200,
  keys: [ownKey],
  lowCredits: null,
  dailySpend: null,
};

describe('exposureOf', () => {
  it.each<[string, Partial<ExposureLimits>, ReturnType<typeof exposureOf>]>([
    ['the balance', {}, { credits: 1_000, bound: 'balance' }],
    ['what is not frozen', { frozen: 400 }, { credits: 600, bound: 'balance' }],
    ['the balance and all top-ups', { topUp: { threshold: 50, credits: 750 } }, { credits: 1_750, bound: 'balance' }],
    ['the messages of the day limits', { messages: 3 }, { credits: 150, bound: 'daily_limit' }],
    ['nothing without messages', { messages: 0 }, { credits: 0, bound: 'daily_limit' }],
    ['nothing while the account may not send', { maySend: false }, { credits: 0, bound: 'sending_off' }],
    ['nothing without countries', { keys: [{ ...ownKey, creditsPerMessage: 0 }] }, { credits: 0, bound: 'budgets' }],
    [
      'the budgets of all keys',
      {
        keys: [
          { ...ownKey, budget: 70 },
          { id: 'b', name: 'B', budget: 30, creditsPerMessage: 10 },
        ],
      },
      { credits: 100, bound: 'budgets' },
    ],
    [
      'the dearest messages first',
      {
        messages: 3,
        keys: [
          { ...ownKey, budget: 50, creditsPerMessage: 50 },
          { ...ownKey, creditsPerMessage: 10 },
        ],
      },
      { credits: 70, bound: 'daily_limit' },
    ],
    [
      'the message that brings the balance below an alert',
      { lowCredits: 900 },
      { credits: 150, bound: 'low_credits_alert' },
    ],
    ['no alert that was sent before', { lowCredits: 1_001 }, { credits: 1_000, bound: 'balance' }],
    [
      'an alert above the threshold of top-ups',
      { lowCredits: 900, topUp: { threshold: 900, credits: 750 } },
      { credits: 150, bound: 'low_credits_alert' },
    ],
    [
      'all top-ups before an alert below their threshold',
      { lowCredits: 900, topUp: { threshold: 901, credits: 750 } },
      { credits: 900, bound: 'low_credits_alert' },
    ],
    [
      'twice what a day may spend without an alert',
      { dailySpend: { threshold: 100, spentToday: 30 } },
      { credits: 218, bound: 'daily_spend_alert' },
    ],
    [
      'no spend alert of today that was sent',
      { dailySpend: { threshold: 100, spentToday: 100 } },
      { credits: 1_000, bound: 'balance' },
    ],
  ])('counts %s', (_what, changes, expected) => {
    expect(exposureOf({ ...limits, ...changes })).toEqual(expected);
  });

  const amount = fc.integer({ min: 0, max: 5_000 });
  const key = fc.record({
    id: fc.uuid(),
    name: fc.constant('Key'),
    budget: fc.option(amount),
    creditsPerMessage: fc.constantFrom(0, 1, 10, 20, 50),
  });
  const any: fc.Arbitrary<ExposureLimits> = fc
    .record({
      maySend: fc.constant(true),
      balance: amount,
      share: fc.integer({ min: 0, max: 100 }),
      topUp: fc.option(fc.record({ threshold: amount, credits: amount })),
      messages: fc.integer({ min: 0, max: 300 }),
      keys: fc.array(key, { maxLength: 4 }),
      lowCredits: fc.option(amount),
      dailySpend: fc.option(fc.record({ threshold: fc.integer({ min: 1, max: 5_000 }), spentToday: amount })),
    })
    .map(({ share, ...one }) => ({ ...one, frozen: Math.floor((one.balance * share) / 100) }));

  it('never falls when a limit is raised', () => {
    const raised: readonly ((one: ExposureLimits, by: number) => ExposureLimits)[] = [
      (one, by) => ({ ...one, messages: one.messages + by }),
      (one, by) => ({ ...one, topUp: one.topUp && { ...one.topUp, credits: one.topUp.credits + by } }),
      (one, by) => ({ ...one, topUp: one.topUp && { ...one.topUp, threshold: one.topUp.threshold + by } }),
      (one, by) => ({ ...one, frozen: Math.max(0, one.frozen - by) }),
      (one, by) => ({
        ...one,
        keys: one.keys.map((k) => ({ ...k, budget: k.budget === null ? null : k.budget + by })),
      }),
      (one) => ({ ...one, keys: one.keys.map((k) => ({ ...k, budget: null })) }),
      (one, by) => ({ ...one, keys: one.keys.map((k) => ({ ...k, creditsPerMessage: k.creditsPerMessage + by })) }),
      (one) => ({ ...one, keys: [...one.keys, ownKey] }),
    ];
    fc.assert(
      fc.property(any, fc.constantFrom(...raised), fc.integer({ min: 1, max: 500 }), (one, raise, by) => {
        expect(exposureOf(raise(one, by)).credits).toBeGreaterThanOrEqual(exposureOf(one).credits);
      }),
    );
  });

  it('never rises when an alert is turned on or a top-up off', () => {
    fc.assert(
      fc.property(any, (one) => {
        const { credits } = exposureOf(one);
        for (const off of [{ topUp: null }, { keys: one.keys.slice(1) }])
          expect(exposureOf({ ...one, ...off }).credits).toBeLessThanOrEqual(credits);
        for (const silent of [{ lowCredits: null }, { dailySpend: null }])
          expect(exposureOf({ ...one, ...silent }).credits).toBeGreaterThanOrEqual(credits);
      }),
    );
  });

  it('never exceeds what the balance and top-ups pay for, and is a whole number of credits', () => {
    fc.assert(
      fc.property(any, (one) => {
        const { credits } = exposureOf(one);
        expect(Number.isSafeInteger(credits)).toBe(true);
        expect(credits).toBeLessThanOrEqual(one.balance - one.frozen + (one.topUp?.credits ?? 0));
      }),
    );
  });
});
