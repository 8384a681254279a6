import { Attempts, mayHaveBeenSent } from './attempts.js';

describe('Attempts', () => {
  it('keeps the key of a message until an answer arrives, despite other attempts', () => {
    const attempts = new Attempts();
    const key = attempts.keyFor('a');
    expect(key).toMatch(/^[0-9a-f]{32}$/);
    expect(attempts.keyFor('b')).not.toBe(key);
    attempts.answered('b');
    expect(attempts.keyFor('a')).toBe(key);
  });

  it('returns a new key for the same message after an answer', () => {
    const attempts = new Attempts();
    const key = attempts.keyFor('a');
    attempts.answered('a');
    expect(attempts.keyFor('a')).not.toBe(key);
  });
});

describe('mayHaveBeenSent', () => {
  it.each([
    [{ kind: 'connection', code: undefined }, true],
    [{ kind: 'broken', code: 'internal' }, true],
    [{ kind: 'refused', code: 'idempotency_in_progress' }, true],
    [{ kind: 'refused', code: 'invalid_number' }, false],
    [{ kind: 'too_many', code: 'rate_limited' }, false],
    [{ kind: 'session', code: 'not_signed_in' }, false],
  ] as const)('of %j is %s', (failure, may) => {
    expect(mayHaveBeenSent(failure)).toBe(may);
  });
});
