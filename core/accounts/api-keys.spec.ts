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
    expect(keys.parse(`${apiKey}_TEST`).test).toBe(false);
  });

  it('hashes to 32 bytes that depend on the secret', async () => {
    const [keys, others] = [await createApiKeys(), await createApiKeys({ API_KEY_HASH_SECRET: otherSecret })];
    expect(keys.parse(apiKey).hash).toHaveLength(32);
    expect(keys.parse(apiKey).hash.equals(others.parse(apiKey).hash)).toBe(false);
  });
});
