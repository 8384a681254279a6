import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { userAgentOf } from './arguments.js';

const { version } = JSON.parse(readFileSync(join(__dirname, '../package.json'), 'utf8')) as {
  readonly version: string;
};

describe('the User-Agent', () => {
  it.each([
    [{ process: { versions: { node: '20.1.0' } } }, 'Node.js/20.1.0'],
    [{ process: { versions: { node: '22.1.0' } }, navigator: { userAgent: 'Bun/1.2.3' } }, 'Bun/1.2.3'],
    [{ navigator: { userAgent: 'Cloudflare-Workers' } }, 'Cloudflare-Workers'],
    [{}, 'unknown'],
  ])('names the package with its version, and the runtime of %j', (runtime, name) => {
    expect(userAgentOf(runtime)).toBe(`pennytext-typescript/${version} (${name})`);
  });

  it('is left to a browser', () => {
    expect(userAgentOf({ navigator: { userAgent: 'Mozilla/5.0 (X11; Linux x86_64)' } })).toBeUndefined();
  });
});
