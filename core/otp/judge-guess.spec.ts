import fc from 'fast-check';
import { judgeAmongAll, judgeNamed, type KnownCode } from './judge-guess.js';

const endsAt = new Date('2030-01-01T00:00:00Z');
const code = (changes: Partial<KnownCode> = {}): KnownCode => ({
  id: 'id',
  recipient: '+14155552671',
  reference: null,
  endsAt,
  state: 'live',
  wrongTries: 0,
  ...changes,
});
const guard = (wrongGuesses = 0, secondsLeft = 0) => ({ accountId: 'account', wrongGuesses, secondsLeft });

describe('judgeNamed', () => {
  it('verifies a code once', () => {
    const hit = code();
    expect(judgeNamed({ hit, live: [hit] })).toEqual({ kind: 'verified', code: hit });
    expect(judgeNamed({ hit, live: [hit] })).toEqual({ kind: 'already_used', endsAt });
  });

  it('counts a wrong guess against every live code of the recipient', () => {
    const [older, newer] = [code({ wrongTries: 3 }), code()];
    expect(judgeNamed({ hit: undefined, live: [older, newer] })).toEqual({
      kind: 'not_found',
      attemptsLeft: 4,
    });
    expect([older.wrongTries, newer.wrongTries]).toEqual([4, 1]);
  });

  it('ends a code at the fifth wrong try; later guesses find it expired', () => {
    const live = code({ wrongTries: 4 });
    expect(judgeNamed({ hit: undefined, live: [live] })).toEqual({ kind: 'not_found', attemptsLeft: 0 });
    expect(judgeNamed({ hit: live, live: [live] })).toEqual({ kind: 'expired', endsAt });
  });

  it('counts a guess of an ended code as wrong for the live ones', () => {
    const live = code();
    const hit = code({ state: 'used' });
    expect(judgeNamed({ hit, live: [live] })).toEqual({ kind: 'already_used', endsAt, attemptsLeft: 4 });
  });

  it('returns no attempts left when no code is live', () => {
    expect(judgeNamed({ hit: undefined, live: [] })).toEqual({ kind: 'not_found' });
  });
});

describe('judgeAmongAll', () => {
  it('does not count a correct guess', () => {
    const one = guard(7, 100);
    expect(judgeAmongAll({ hit: code(), live: [] }, one, 20).kind).toBe('verified');
    expect(one).toEqual(guard(7, 100));
  });

  it.each([
    ['not_found', undefined],
    ['expired', code({ state: 'over' })],
    ['already_used', code({ state: 'used' })],
  ])('that is %s counts', (kind, hit) => {
    const one = guard();
    expect(judgeAmongAll({ hit, live: [] }, one, 20).kind).toBe(kind);
    expect(one).toEqual(guard(1, 600));
  });

  it('refuses correct and wrong guesses once the window is used up, until it ends', () => {
    const live = code();
    expect(judgeAmongAll({ hit: live, live: [] }, guard(20, 77), 20)).toEqual({
      kind: 'too_many',
      retryAfterSeconds: 77,
    });
    expect(live.state).toBe('live');
  });

  it('refuses the first guess when none is allowed', () => {
    expect(judgeAmongAll({ hit: code(), live: [] }, guard(), 0)).toEqual({ kind: 'too_many', retryAfterSeconds: 60 });
  });
});

it('judgeAmongAll never allows more wrong guesses than the limit, in any order', () => {
  const guesses = fc.array(fc.constantFrom('right', 'wrong', 'used'), { maxLength: 60 });
  fc.assert(
    fc.property(guesses, fc.integer({ min: 0, max: 30 }), (order, allowed) => {
      const one = guard();
      const kinds = order.map((guess) => {
        const hit = guess === 'wrong' ? undefined : code({ state: guess === 'used' ? 'used' : 'live' });
        return judgeAmongAll({ hit, live: [] }, one, allowed).kind;
      });
      const wrong = kinds.filter((kind) => kind === 'not_found' || kind === 'already_used').length;
      expect(wrong).toBe(one.wrongGuesses);
      expect(wrong).toBeLessThanOrEqual(allowed);
      const firstRefusal = kinds.indexOf('too_many');
      if (firstRefusal >= 0) expect(new Set(kinds.slice(firstRefusal))).toEqual(new Set(['too_many']));
    }),
  );
});
