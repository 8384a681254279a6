import { testConfig } from '../../testing/test-config.js';
import { Encryption, isSecret } from './encryption.js';

const otherKey = Buffer.alloc(32, 7).toString('base64');
const text = 'Your code is 123456. ✓';

describe('Encryption', () => {
  const encryption = new Encryption(testConfig());

  it('decrypts what it encrypted and never produces the same ciphertext twice', () => {
    const [first, second] = [encryption.encrypt(text), encryption.encrypt(text)];
    expect([encryption.decrypt(first), encryption.decrypt(second)]).toEqual([text, text]);
    expect(first.ciphertext.equals(second.ciphertext)).toBe(false);
  });

  it('rejects a ciphertext with any byte changed', () => {
    const { ciphertext, keyId } = encryption.encrypt(text);
    for (let index = 0; index < ciphertext.length; index += 1) {
      const changed = Buffer.from(ciphertext);
      changed.writeUInt8((changed.readUInt8(index) + 1) % 256, index);
      for (const id of [keyId, null]) expect(() => encryption.decrypt({ ciphertext: changed, keyId: id })).toThrow();
    }
  });

  it.each([0, 11, 27, 40])('rejects a ciphertext cut to %i bytes', (length) => {
    const { ciphertext, keyId } = encryption.encrypt(text);
    expect(() => encryption.decrypt({ ciphertext: ciphertext.subarray(0, length), keyId })).toThrow();
  });

  it('rejects a ciphertext of a key that is not configured', () => {
    const other = new Encryption(testConfig({ API_KEY_ENCRYPTION_KEY: otherKey }));
    const encrypted = other.encrypt(text);
    expect(() => encryption.decrypt(encrypted)).toThrow(
      /^API_KEY_ENCRYPTION_KEY is not the one with which this was stored/,
    );
    expect(() => encryption.decrypt({ ...encrypted, keyId: null })).toThrow();
  });

  it('decrypts texts of old keys, with and without a key id, and encrypts with the current key', () => {
    const before = new Encryption(testConfig({ API_KEY_ENCRYPTION_KEY: otherKey }));
    const after = new Encryption(testConfig({ API_KEY_ENCRYPTION_KEYS_OLD: otherKey }));
    const encrypted = before.encrypt(text);
    expect(after.decrypt(encrypted)).toBe(text);
    expect(after.decrypt({ ...encrypted, keyId: null })).toBe(text);
    expect(after.encrypt(text).keyId).toBe(encryption.keyId);
    expect(encrypted.keyId).not.toBe(encryption.keyId);
  });
});

describe('isSecret', () => {
  it.each([
    ['the secret itself', 'correct horse', true],
    ['its beginning', 'correct', false],
    ['nothing', '', false],
    ['another text of its length', 'correct house', false],
    ['the secret with a suffix', 'correct horse ', false],
  ])('tells %s', (_title, given, answer) => {
    expect(isSecret(given, 'correct horse')).toBe(answer);
  });
});
