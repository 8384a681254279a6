import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import {
  Attempts,
  curlCommand,
  instantOf,
  mayHaveBeenSent,
  pickerValueOf,
  timeFault,
  timeInWords,
} from './outgoing-message.js';

const now = new Date('2026-03-05T12:00:00Z');
const later = (minutes: number) =>
  ({ kind: 'later', local: pickerValueOf(new Date(now.getTime() + minutes * 60_000)) }) as const;

describe('the time of a message', () => {
  it('is picked in local time', () => {
    expect(instantOf(later(90))?.toISOString()).toBe('2026-03-05T13:30:00.000Z');
    expect(instantOf({ kind: 'now' })).toBeUndefined();
    expect(instantOf({ kind: 'later', local: '' })).toBeUndefined();
  });

  it.each([
    [{ kind: 'now' } as const, undefined],
    [later(1), undefined],
    [later(35 * 24 * 60), undefined],
    [later(0), 'This time is over. Choose a later one.'],
    [later(35 * 24 * 60 + 1), 'Choose a time within 35 days.'],
    [{ kind: 'later', local: '' } as const, 'Choose a date and a time.'],
  ])('of %j has the fault %s', (time, fault) => {
    expect(timeFault(time, now)).toBe(fault);
  });

  it('is shown in New York time too', () => {
    expect(timeInWords(now).newYork).toBe('Mar 5, 7:00 AM');
  });
});

const origin = 'https://pennytext.example';

describe('curlCommand', () => {
  it('returns the command of the documentation', () => {
    expect(curlCommand({ origin, to: '+12025550142', message: 'It’s $5', apiKey: 'key_test' })).toBe(
      [
        'curl https://pennytext.example/api/sendsms \\',
        "  --data-urlencode to='+12025550142' \\",
        "  --data-urlencode message='It’s $5' \\",
        "  --data-urlencode apikey='key_test'",
      ].join('\n'),
    );
  });

  it('has the files of the message, and links only in place of files', () => {
    const fields = { origin, to: '+12025550142', message: '', apiKey: 'key_test', asLinks: true };
    const command = curlCommand({ ...fields, media: ['ME1', 'ME2'] });
    expect(command.split(' \\\n').slice(3)).toEqual([
      "  --data-urlencode media_fallback='link'",
      "  --data-urlencode media='ME1'",
      "  --data-urlencode media='ME2'",
      "  --data-urlencode apikey='key_test'",
    ]);
    expect(curlCommand(fields)).not.toContain('media_fallback');
  });

  it('quotes every text so that a shell reads it unchanged', () => {
    const character = fc.constantFrom("'", '"', '$', '`', '\\', '\n', ' ', '!', '*', '&', 'a', 'ж', '😀', '%', '#');
    fc.assert(
      fc.property(fc.string({ unit: character, maxLength: 40 }), (message) => {
        const command = curlCommand({ origin, to: '1', message, apiKey: 'k' }).replace('curl ', `printf '%s\\0' `);
        const words = execFileSync('sh', ['-c', command], { encoding: 'utf8' }).split('\0');
        expect(words).toContain(`message=${message}`);
      }),
      { numRuns: 50 },
    );
  });
});

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
