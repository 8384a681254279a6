import { Test } from '@nestjs/testing';
import { Config } from '../platform/config/config.js';
import { testConfig } from '../testing/test-config.js';
import { ApiKeys } from './api-keys.js';

const apiKey = '0b5c7a52-6d7c-4b53-9d5e-1f1f3c6c2a10';
const otherSecret = Buffer.alloc(32, 7).toString('base64');

async function createApiKeys(overrides: Record<string, string> = {}): Promise<ApiKeys> {
  const module = await Test.createTestingModule({
    providers: [ApiKeys, { provide: Config, useValue: testConfig(overrides) }],
  })
    .useMocker(() => ({}))
    .compile();
  return module.get(ApiKeys);
}

describe('ApiKeys.parse', () => {
  it('removes one _test suffix and hashes the rest', async () => {
    const keys = await createApiKeys();
    const [live, test] = [keys.parse(apiKey), keys.parse(`${apiKey}_test`)];
    expect([live.test, test.test]).toEqual([false, true]);
    expect(test.hash.equals(live.hash)).toBe(true);
    expect(keys.parse(`${apiKey}_test_test`).hash.equals(live.hash)).toBe(false);
  });

  it.each([
    ['a line break after it', `${apiKey}_test\n`],
    ['white space around it', `\r\n\t ${apiKey}_test\u00a0\u3000`],
    ['a zero-width space', `\u200b${apiKey.slice(0, 9)}\u200b${apiKey.slice(9)}_test`],
    ['a byte order mark', `\ufeff${apiKey}_test`],
    ['marks of writing direction', `\u202a${apiKey}_test\u202c`],
    ['upper case', `${apiKey.toUpperCase()}_test`],
    ['upper case throughout', `${apiKey}_test`.toUpperCase()],
    ['full-width characters', `０${apiKey.slice(1)}＿ｔｅｓｔ`],
  ])('reads a key with %s', async (_name, text) => {
    const keys = await createApiKeys();
    expect(keys.parse(text)).toEqual(keys.parse(`${apiKey}_test`));
  });

  it('reads a named key with what pasting adds, in its own letter case', async () => {
    const keys = await createApiKeys();
    const named = 'pt_live_aB3dEf';
    expect(keys.parse(` ${named}\u200b\n`)).toEqual(keys.parse(named));
    expect(keys.parse(named)).toMatchObject({ named: true, test: false });
    expect(keys.parse(named.toUpperCase()).hash.equals(keys.parse(named).hash)).toBe(false);
  });

  it('reads white space inside a key as part of it', async () => {
    const keys = await createApiKeys();
    expect(keys.parse(apiKey.replace('-', ' -')).hash.equals(keys.parse(apiKey).hash)).toBe(false);
  });

  it('hashes to 32 bytes that depend on the secret', async () => {
    const [keys, others] = [await createApiKeys(), await createApiKeys({ API_KEY_HASH_SECRET: otherSecret })];
    expect(keys.parse(apiKey).hash).toHaveLength(32);
    expect(keys.parse(apiKey).hash.equals(others.parse(apiKey).hash)).toBe(false);
  });
});
