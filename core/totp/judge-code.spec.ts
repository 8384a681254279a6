import { limits } from '#contract/limits.js';
import { attemptsLeftOf, type EnteredCode, judgeCode, stateAt, type TotpState } from './judge-code.js';

const NOW = new Date('2026-12-01T12:00:00.000Z');
const minutesLater = (minutes: number) => new Date(NOW.getTime() + minutes * 60_000);
const app = (step: number | undefined): EnteredCode => ({ method: 'app', step });
const recovery = (name: string): EnteredCode => ({ method: 'recovery_code', hash: Buffer.from(name) });
const fresh: TotpState = {
  lastStep: null,
  wrongTries: 0,
  lockedUntil: null,
  recoveryHashes: [Buffer.from('a'), Buffer.from('b')],
  usedRecoveryHashes: [],
  verifiedAt: null,
  lastUsedAt: null,
};

/** Judges codes one after the other at one time. */
function judgeAll(entered: readonly EnteredCode[], from = fresh, now = NOW) {
  let state = from;
  const statuses = entered.map((code) => {
    const judgement = judgeCode(state, code, now);
    state = judgement.state;
    return judgement.status;
  });
  return { statuses, state };
}

describe('judgeCode', () => {
  it('accepts a step once, and notes when', () => {
    const { statuses, state } = judgeAll([app(100), app(100), app(101)]);
    expect(statuses).toEqual(['verified', 'used', 'verified']);
    expect(state).toMatchObject({ lastStep: 101, verifiedAt: NOW, lastUsedAt: NOW });
  });

  it('accepts no step before one that was accepted', () => {
    expect(judgeAll([app(101), app(100)]).statuses).toEqual(['verified', 'used']);
  });

  it('keeps the time of the first code of the app', () => {
    const { state } = judgeAll([app(100)]);
    expect(judgeCode(state, app(105), minutesLater(3)).state).toMatchObject({
      verifiedAt: NOW,
      lastUsedAt: minutesLater(3),
    });
  });

  it('accepts a recovery code once, and leaves the others', () => {
    const { statuses, state } = judgeAll([recovery('a'), recovery('a'), recovery('c'), recovery('b')]);
    expect(statuses).toEqual(['verified', 'used', 'wrong', 'verified']);
    expect(state).toMatchObject({ recoveryHashes: [], verifiedAt: null, lastUsedAt: NOW, lastStep: null });
  });

  it('names the kind of code that was verified or used', () => {
    const methods = [app(100), app(100), recovery('a'), app(undefined)].map((code) => {
      const { state } = judgeAll([app(100)]);
      return judgeCode(code === undefined ? fresh : state, code, NOW).method;
    });
    expect(methods).toEqual(['app', 'app', 'recovery_code', null]);
  });

  it('judges exactly the allowed number of wrong codes, of both kinds, and then none', () => {
    const wrong = Array.from({ length: limits.totpTriesMax }, (_, n) => (n % 2 ? app(undefined) : recovery('none')));
    const { statuses, state } = judgeAll([...wrong, app(undefined), app(100), recovery('a')]);
    expect(statuses).toEqual([...Array(limits.totpTriesMax).fill('wrong'), 'locked', 'locked', 'locked']);
    expect(state).toMatchObject({ lockedUntil: minutesLater(limits.totpLockMinutes), lastStep: null });
    expect(attemptsLeftOf(state)).toBe(0);
  });

  it('has all tries again when the lock ends, and not before', () => {
    const { state } = judgeAll(Array(limits.totpTriesMax).fill(app(undefined)));
    const end = minutesLater(limits.totpLockMinutes);
    expect(judgeCode(state, app(100), new Date(end.getTime() - 1)).status).toBe('locked');
    expect(judgeCode(state, app(100), end).status).toBe('verified');
    const again = judgeAll(Array(limits.totpTriesMax + 1).fill(app(undefined)), state, end);
    expect(again.statuses).toEqual([...Array(limits.totpTriesMax).fill('wrong'), 'locked']);
    expect(stateAt(state, end)).toMatchObject({ lockedUntil: null, wrongTries: 0 });
  });

  it('begins to count again after an accepted code', () => {
    const tries = Array<EnteredCode>(limits.totpTriesMax - 1).fill(app(undefined));
    const { statuses } = judgeAll([...tries, app(100), ...tries, recovery('a'), ...tries]);
    expect(statuses).not.toContain('locked');
  });

  it('counts neither a used code nor a text that cannot be a code', () => {
    const { state } = judgeAll([app(100), recovery('a')]);
    for (const code of [app(100), recovery('a'), undefined]) expect(judgeCode(state, code, NOW).state).toBe(state);
    expect(judgeCode(state, undefined, NOW).status).toBe('wrong');
  });
});
