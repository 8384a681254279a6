import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { curlText } from './curl-text.js';

const origin = 'https://pennytext.example';

describe('curlText', () => {
  it('is the command of the documentation', () => {
    expect(curlText({ origin, to: '+12025550142', message: 'It’s $5', apiKey: 'key_test' })).toBe(
      [
        'curl https://pennytext.example/api/sendsms \\',
        "  --data-urlencode to='+12025550142' \\",
        "  --data-urlencode message='It’s $5' \\",
        "  --data-urlencode apikey='key_test'",
      ].join('\n'),
    );
  });

  it('hands a shell every text as it was typed', () => {
    const character = fc.constantFrom("'", '"', '$', '`', '\\', '\n', ' ', '!', '*', '&', 'a', 'ж', '😀', '%', '#');
    fc.assert(
      fc.property(fc.string({ unit: character, maxLength: 40 }), (message) => {
        const command = curlText({ origin, to: '1', message, apiKey: 'k' }).replace('curl ', `printf '%s\\0' `);
        const words = execFileSync('sh', ['-c', command], { encoding: 'utf8' }).split('\0');
        expect(words).toContain(`message=${message}`);
      }),
      { numRuns: 50 },
    );
  });
});
