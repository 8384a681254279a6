import fc from 'fast-check';
import { limits } from '#contract/limits.js';
import type { OtpGuard } from './guard/otp-guards.sql.js';
import { judgeAmongAll, judgeNamed, type KnownAboutGuess, type KnownCode } from './judge-guess.js';

const endsAt = new Date('2030-01-01T00:00:00Z');
const code = (changes: Partial<KnownCode> = {}): KnownCode => ({
  id: 'id',
  accountId: 'account',
  recipient: '+14155552671',
  reference: null,
  step: null,
  endsAt,
  state: 'live',
  wrongTries: 0,
  chances: 0,
  short: undefined,
  ...changes,
});
const guard = (wrongGuesses = 0, secondsLeft = 0, shortGuesses = 0): OtpGuard => ({
  accountId: 'account',
  wrongGuesses,
  shortGuesses,
  secondsLeft,
  isRecipientRequired: false,
});
const named = (about: KnownAboutGuess) => judgeNamed(about, false);
const among = (about: KnownAboutGuess, one: OtpGuard, guesses: number) =>
  judgeAmongAll(about, false, one, { guesses, hasShort: false }, []);

describe('judgeNamed', () => {
  it('verifies a code once', () => {
    const hit = code();
    expect(named({ hit, live: [hit] })).toEqual({ kind: 'verified', code: hit });
    expect(named({ hit, live: [hit] })).toEqual({ kind: 'already_used', endsAt });
  });

  it('counts a wrong guess against every live code of the recipient', () => {
    const [older, newer] = [code({ wrongTries: 3 }), code()];
    expect(named({ hit: undefined, live: [older, newer] })).toEqual({
      kind: 'not_found',
      attemptsLeft: 4,
    });
    expect([older.wrongTries, newer.wrongTries]).toEqual([4, 1]);
  });

  it('ends a code at the fifth wrong try; later guesses find it expired', () => {
    const live = code({ wrongTries: 4 });
    expect(named({ hit: undefined, live: [live] })).toEqual({ kind: 'not_found', attemptsLeft: 0 });
    expect(named({ hit: live, live: [live] })).toEqual({ kind: 'expired', endsAt });
  });

  it('counts a guess of an ended code as wrong for the live ones', () => {
    const live = code();
    const hit = code({ state: 'used' });
    expect(named({ hit, live: [live] })).toEqual({ kind: 'already_used', endsAt, attemptsLeft: 4 });
  });

  it('returns no attempts left when no code is live', () => {
    expect(named({ hit: undefined, live: [] })).toEqual({ kind: 'not_found' });
  });
});

describe('judgeAmongAll', () => {
  it('does not count a correct guess', () => {
    const one = guard(7, 100);
    expect(among({ hit: code(), live: [] }, one, 20).kind).toBe('verified');
    expect(one).toEqual(guard(7, 100));
  });

  it.each([
    ['not_found', undefined],
    ['expired', code({ state: 'over' })],
    ['already_used', code({ state: 'used' })],
  ])('that is %s counts', (kind, hit) => {
    const one = guard();
    expect(among({ hit, live: [] }, one, 20).kind).toBe(kind);
    expect(one).toEqual(guard(1, 600));
  });

  it('refuses correct and wrong guesses once the window is used up, until it ends', () => {
    const live = code();
    expect(among({ hit: live, live: [] }, guard(20, 77), 20)).toEqual({
      kind: 'too_many',
      of: 'account',
      retryAfterSeconds: 77,
    });
    expect(live.state).toBe('live');
  });

  it('refuses the first guess when none is allowed', () => {
    expect(among({ hit: code(), live: [] }, guard(), 0)).toEqual({
      kind: 'too_many',
      of: 'account',
      retryAfterSeconds: 60,
    });
  });
});

it('judgeAmongAll never allows more wrong guesses than the limit, in any order', () => {
  const guesses = fc.array(fc.constantFrom('right', 'wrong', 'used'), { maxLength: 60 });
  fc.assert(
    fc.property(guesses, fc.integer({ min: 0, max: 30 }), (order, allowed) => {
      const one = guard();
      const kinds = order.map((guess) => {
        const hit = guess === 'wrong' ? undefined : code({ state: guess === 'used' ? 'used' : 'live' });
        return among({ hit, live: [] }, one, allowed).kind;
      });
      const wrong = kinds.filter((kind) => kind === 'not_found' || kind === 'already_used').length;
      expect(wrong).toBe(one.wrongGuesses);
      expect(wrong).toBeLessThanOrEqual(allowed);
      const firstRefusal = kinds.indexOf('too_many');
      if (firstRefusal >= 0) expect(new Set(kinds.slice(firstRefusal))).toEqual(new Set(['too_many']));
    }),
  );
});

describe('a guess at codes of four digits', () => {
  const chances = (used: number, live: number) => ({ accountId: 'account', used, live, secondsLeft: 900 });

  it('is a chance at each of the recipient’s live codes, 25 in all', () => {
    const short = chances(0, 2);
    const live = [code({ short, wrongTries: -100 }), code({ short, wrongTries: -100 })];
    const kinds = Array.from({ length: 14 }, () => judgeNamed({ hit: undefined, live }, true).kind);
    expect(kinds).toEqual([...Array.from({ length: 12 }, () => 'not_found'), 'too_many', 'too_many']);
    expect([short.used, live[0]?.chances]).toEqual([24, 12]);
  });

  it('that is one too many gets the same answer whether it is right or wrong', () => {
    const hit = code({ short: chances(limits.otpShortChancesMax, 1) });
    const tooMany = { kind: 'too_many', of: 'recipient', retryAfterSeconds: 900 };
    expect(judgeNamed({ hit, live: [hit] }, true)).toEqual(tooMany);
    expect(judgeNamed({ hit: undefined, live: [hit] }, true)).toEqual(tooMany);
    expect([hit.state, hit.wrongTries]).toEqual(['live', 0]);
  });

  it('does not limit longer codes of the recipient', () => {
    const live = [code({ short: chances(limits.otpShortChancesMax, 1) }), code()];
    expect(judgeNamed({ hit: live[1], live }, false).kind).toBe('verified');
  });

  it('without the recipient is a chance at all of them, three times in a window', () => {
    const [one, other] = [chances(3, 1), chances(0, 2)];
    const state = guard();
    const guess = () =>
      judgeAmongAll({ hit: undefined, live: [] }, true, state, { guesses: 100, hasShort: true }, [one, other]);
    expect([guess().kind, guess().kind, guess().kind]).toEqual(['not_found', 'not_found', 'not_found']);
    expect(guess()).toEqual({ kind: 'too_many', of: 'account', retryAfterSeconds: limits.otpGuessWindowSeconds });
    expect([one.used, other.used, state.wrongGuesses]).toEqual([6, 6, 3]);
    expect(among({ hit: undefined, live: [] }, state, 100).kind).toBe('not_found');
  });

  it('without the recipient does not hit a code that has no chance left', () => {
    const hit = code({ short: chances(limits.otpShortChancesMax, 1) });
    const allowance = { guesses: 100, hasShort: true };
    expect(judgeAmongAll({ hit, live: [] }, true, guard(), allowance, [])).toEqual({ kind: 'not_found' });
    expect(hit.state).toBe('live');
  });

  it('without the recipient is refused when the account requires it', () => {
    const required = { ...guard(), isRecipientRequired: true };
    expect(among({ hit: code(), live: [] }, required, 100)).toEqual({ kind: 'recipient_required' });
  });
});
