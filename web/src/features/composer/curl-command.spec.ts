import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { curlCommand } from './curl-command.js';

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
