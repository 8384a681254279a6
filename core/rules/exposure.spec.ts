import fc from 'fast-check';
import { type ExposedKey, exposureOf, type ExposureLimits } from './exposure.js';

const ownKey: ExposedKey = {
  id: null,
  name: null,
  budget: null,
  creditsPerMessage: 50,
  buysNumbers: false,
  bringsReplies: false,
};
const limits: ExposureLimits = {
  maySend: true,
  credits: 1_000,
  messages: 200,
  creditsOfReplies: 4,
  creditsOfNumbers: 0,
  keys: [ownKey],
};

describe('exposureOf', () => {
  it.each<[string, Partial<ExposureLimits>, ReturnType<typeof exposureOf>]>([
    ['the credits', {}, { credits: 1_000, bound: 'balance' }],
    ['nothing without credits', { credits: -1 }, { credits: 0, bound: 'balance' }],
    ['the messages of the day limits', { messages: 3 }, { credits: 150, bound: 'daily_limit' }],
    ['nothing without messages', { messages: 0 }, { credits: 0, bound: 'daily_limit' }],
    ['nothing while the account may not send', { maySend: false }, { credits: 0, bound: 'sending_off' }],
    ['nothing without countries', { keys: [{ ...ownKey, creditsPerMessage: 0 }] }, { credits: 0, bound: 'budgets' }],
    [
      'the budgets of all keys',
      {
        keys: [
          { ...ownKey, budget: 70 },
          { ...ownKey, id: 'b', name: 'B', budget: 30, creditsPerMessage: 10 },
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
      'the numbers that a key can buy',
      { messages: 3, creditsOfNumbers: 500, keys: [{ ...ownKey, buysNumbers: true }] },
      { credits: 650, bound: 'daily_limit' },
    ],
    [
      'no numbers where no key buys them',
      { messages: 3, creditsOfNumbers: 500 },
      { credits: 150, bound: 'daily_limit' },
    ],
    [
      'numbers within the budget of the key that buys them',
      {
        messages: 3,
        creditsOfNumbers: 500,
        keys: [ownKey, { ...ownKey, id: 'b', budget: 70, creditsPerMessage: 0, buysNumbers: true }],
      },
      { credits: 220, bound: 'daily_limit' },
    ],
    [
      'a budget once, for messages and numbers',
      { creditsOfNumbers: 500, keys: [{ ...ownKey, budget: 70, buysNumbers: true }] },
      { credits: 70, bound: 'budgets' },
    ],
    [
      'numbers while the account may not send',
      { maySend: false, creditsOfNumbers: 500, keys: [{ ...ownKey, buysNumbers: true }] },
      { credits: 500, bound: 'sending_off' },
    ],
    [
      'the replies to each message',
      { messages: 3, keys: [{ ...ownKey, bringsReplies: true }] },
      { credits: 162, bound: 'daily_limit' },
    ],
    [
      'the replies to as many messages as a budget pays for',
      { keys: [{ ...ownKey, budget: 70, bringsReplies: true }] },
      { credits: 350, bound: 'budgets' },
    ],
    [
      'no more replies than the balance pays for',
      { messages: 19, keys: [{ ...ownKey, bringsReplies: true }] },
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
    buysNumbers: fc.boolean(),
    bringsReplies: fc.boolean(),
  });
  const any: fc.Arbitrary<ExposureLimits> = fc.record({
    maySend: fc.boolean(),
    credits: amount,
    messages: fc.integer({ min: 0, max: 300 }),
    creditsOfReplies: fc.integer({ min: 0, max: 480 }),
    creditsOfNumbers: fc.constantFrom(0, 50, 500),
    keys: fc.array(key, { maxLength: 4 }),
  });

  it('never falls when a limit is raised', () => {
    const raised: readonly ((one: ExposureLimits, by: number) => ExposureLimits)[] = [
      (one, by) => ({ ...one, messages: one.messages + by }),
      (one, by) => ({ ...one, credits: one.credits + by }),
      (one) => ({ ...one, maySend: true }),
      (one, by) => ({ ...one, creditsOfNumbers: one.creditsOfNumbers + by }),
      (one) => ({ ...one, keys: one.keys.map((k) => ({ ...k, buysNumbers: true })) }),
      (one, by) => ({ ...one, creditsOfReplies: one.creditsOfReplies + by }),
      (one) => ({ ...one, keys: one.keys.map((k) => ({ ...k, bringsReplies: true })) }),
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

  it('is no less than what messages, replies to them and numbers can spend, one by one', () => {
    const step = fc.record({ key: fc.nat(3), share: fc.nat(100), replies: fc.nat(480), isNumber: fc.boolean() });
    fc.assert(
      fc.property(any, fc.array(step, { maxLength: 40 }), (one, steps) => {
        const left = {
          credits: one.credits,
          messages: one.maySend ? one.messages : 0,
          numbers: one.creditsOfNumbers,
          budgets: one.keys.map(({ budget }) => budget ?? Infinity),
        };
        const areReceived = one.keys.some(({ bringsReplies }) => bringsReplies);
        let spent = 0;
        for (const { key: at, share, replies, isNumber } of steps) {
          const budget = left.budgets[at] ?? 0;
          if (isNumber && one.keys[at]?.buysNumbers === true) {
            const price = Math.min(share, left.numbers, budget, left.credits);
            left.budgets[at] = budget - price;
            left.numbers -= price;
            left.credits -= price;
            spent += price;
            continue;
          }
          const price = Math.ceil(((one.keys[at]?.creditsPerMessage ?? 0) * share) / 100);
          if (price === 0 || price > Math.min(budget, left.credits) || left.messages === 0) continue;
          const answered = areReceived ? Math.min(replies, one.creditsOfReplies, left.credits - price) : 0;
          left.budgets[at] = budget - price;
          left.messages -= 1;
          left.credits -= price + answered;
          spent += price + answered;
        }
        expect(exposureOf(one).credits).toBeGreaterThanOrEqual(spent);
      }),
    );
  });

  it('never exceeds what the credits pay for, and is a whole number of credits', () => {
    fc.assert(
      fc.property(any, (one) => {
        const { credits } = exposureOf(one);
        expect(Number.isSafeInteger(credits)).toBe(true);
        expect(credits).toBeLessThanOrEqual(one.credits);
      }),
    );
  });
});
