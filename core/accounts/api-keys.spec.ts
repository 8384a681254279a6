import { testConfig } from '../testing/test-config.js';
import { ApiKeys } from './api-keys.js';

const otherKey = Buffer.alloc(32, 7).toString('base64');

describe('ApiKeys', () => {
  const keys = new ApiKeys(testConfig());

  it('makes random UUIDs of version 4', () => {
    const made = Array.from({ length: 1_000 }, () => keys.generate());
    expect(new Set(made).size).toBe(1_000);
    for (const key of made)
      expect(key).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  });

  it('shows again what it encrypted, and never encrypts the same way twice', () => {
    const key = keys.generate();
    const [one, other] = [keys.encrypt(key), keys.encrypt(key)];
    expect([keys.decrypt(one), keys.decrypt(other)]).toEqual([key, key]);
    expect(one.encryptedKey.equals(other.encryptedKey)).toBe(false);
  });

  it('refuses a copy with any byte changed', () => {
    const { encryptedKey, encryptionKeyId } = keys.encrypt(keys.generate());
    for (let index = 0; index < encryptedKey.length; index += 1) {
      const changed = Buffer.from(encryptedKey);
      changed.writeUInt8((changed.readUInt8(index) + 1) % 256, index);
      for (const id of [encryptionKeyId, null])
        expect(() => keys.decrypt({ encryptedKey: changed, encryptionKeyId: id })).toThrow();
    }
  });

  it.each([0, 11, 27, 40])('refuses a copy cut to %i bytes', (length) => {
    const { encryptedKey, encryptionKeyId } = keys.encrypt(keys.generate());
    expect(() => keys.decrypt({ encryptedKey: encryptedKey.subarray(0, length), encryptionKeyId })).toThrow();
  });

  it('refuses a copy made with another key', () => {
    const others = new ApiKeys(testConfig({ API_KEY_ENCRYPTION_KEY: otherKey }));
    const copy = others.encrypt(keys.generate());
    expect(() => keys.decrypt(copy)).toThrow(/is not configured: add it to API_KEY_ENCRYPTION_KEYS_OLD/);
    expect(() => keys.decrypt({ ...copy, encryptionKeyId: null })).toThrow();
  });

  it('reads copies of earlier encryption keys, also those without an id, and encrypts with the newest', () => {
    const before = new ApiKeys(testConfig({ API_KEY_ENCRYPTION_KEY: otherKey }));
    const after = new ApiKeys(testConfig({ API_KEY_ENCRYPTION_KEYS_OLD: otherKey }));
    const key = keys.generate();
    const copy = before.encrypt(key);
    expect(after.decrypt(copy)).toBe(key);
    expect(after.decrypt({ ...copy, encryptionKeyId: null })).toBe(key);
    expect(after.encrypt(key).encryptionKeyId).toBe(keys.encryptionKeyId);
    expect(copy.encryptionKeyId).not.toBe(keys.encryptionKeyId);
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
    const others = new ApiKeys(testConfig({ API_KEY_HASH_SECRET: otherKey }));
    expect(keys.present(key).hash).toHaveLength(32);
    expect(keys.present(key).hash.equals(others.present(key).hash)).toBe(false);
    expect(keys.present(key).hash.equals(keys.hash(key))).toBe(true);
  });
});
