import { errorCatalogue } from '#contract/errors.js';
import { Attempts, fieldOf, mayHaveBeenSent } from './sending.js';

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

const typed = { to: '1', message: 'Hello' };

describe('fieldOf', () => {
  it.each([
    ['invalid_number', typed, 'to'],
    ['number_type_unsupported', typed, 'to'],
    ['recipient_opted_out', typed, 'to'],
    ['message_too_long', typed, 'message'],
    ['missing_fields', { to: '', message: '' }, 'to'],
    ['missing_fields', { to: '1', message: '' }, 'message'],
    ['missing_fields', typed, undefined],
    ['no_credits', typed, undefined],
    ['rate_limited', typed, undefined],
    [undefined, typed, undefined],
  ])('leads %s to its field', (code, fields, field) => {
    expect(fieldOf({ code }, fields)).toBe(field);
  });

  it('contains only codes of the catalogue', () => {
    for (const code of [
      'invalid_number',
      'number_type_unsupported',
      'region_unsupported',
      'region_inactive',
      'recipient_opted_out',
    ])
      expect(errorCatalogue).toHaveProperty(code);
    for (const code of ['message_too_long', 'url_shortener', 'url_not_activated', 'idempotency_in_progress'])
      expect(errorCatalogue).toHaveProperty(code);
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
