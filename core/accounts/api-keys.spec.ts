import { testConfig } from '../testing/test-config.js';
import { Encryption } from '../platform/crypto/encryption.js';
import { ApiKeys } from './api-keys.js';

const otherKey = Buffer.alloc(32, 7).toString('base64');

const apiKeys = (overrides: Record<string, string> = {}) => {
  const config = testConfig(overrides);
  return new ApiKeys(config, new Encryption(config));
};

describe('ApiKeys', () => {
  const keys = apiKeys();

  it('makes random UUIDs of version 4', () => {
    const made = Array.from({ length: 1_000 }, () => keys.generate());
    expect(new Set(made).size).toBe(1_000);
    for (const key of made)
      expect(key).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  });

  it('takes the _test suffix off, once, and hashes what is left', () => {
    const key = keys.generate();
    const [live, test] = [keys.present(key), keys.present(`${key}_test`)];
    expect([live.test, test.test]).toEqual([false, true]);
    expect(test.hash.equals(live.hash)).toBe(true);
    expect(keys.present(`${key}_test_test`).hash.equals(live.hash)).toBe(false);
    expect(keys.present(`${key}_TEST`).test).toBe(false);
  });

  it('hashes with the secret, to 32 bytes', () => {
    const key = keys.generate();
    const others = apiKeys({ API_KEY_HASH_SECRET: otherKey });
    expect(keys.present(key).hash).toHaveLength(32);
    expect(keys.present(key).hash.equals(others.present(key).hash)).toBe(false);
    expect(keys.present(key).hash.equals(keys.hash(key))).toBe(true);
  });
});
