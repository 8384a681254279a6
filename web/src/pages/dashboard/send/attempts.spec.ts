import { Attempts } from './attempts.js';

describe('Attempts', () => {
  it('keeps the key of a message until an answer came, whatever else is tried meanwhile', () => {
    const attempts = new Attempts();
    const key = attempts.keyFor('a');
    expect(key).toMatch(/^[0-9a-f]{32}$/);
    expect(attempts.keyFor('b')).not.toBe(key);
    attempts.answered('b');
    expect(attempts.keyFor('a')).toBe(key);
  });

  it('has a new key for the same message once it was answered', () => {
    const attempts = new Attempts();
    const key = attempts.keyFor('a');
    attempts.answered('a');
    expect(attempts.keyFor('a')).not.toBe(key);
  });
});
