import { Encryption } from '../../platform/crypto/encryption.js';
import { DomainError } from '../../platform/errors/domain-error.js';
import { testConfig } from '../../testing/test-config.js';
import { PricePromises } from './price-promises.js';

const NOW = new Date('2026-11-22T12:00:00Z');
const later = (ms: number) => new Date(NOW.getTime() + ms);
const priced = {
  accountId: '0d8a7c1e-5b7f-4c1b-9f0a-3f2b1c4d5e6f',
  content: ['sms', '+12025550142', 'Hello'],
  credits: 7,
};

describe('PricePromises', () => {
  const encryption = new Encryption(testConfig());
  const quotes = new PricePromises(encryption);
  const codeOf = (price: number | DomainError) => (price instanceof DomainError ? price.code : price);

  it('keeps its promise for ten minutes', () => {
    const { quote, expiresAt } = quotes.issue(priced, 7, NOW);
    expect(expiresAt).toEqual(later(600_000));
    expect(quotes.priceOf(quote, priced, NOW)).toBe(7);
    expect(quotes.priceOf(quote, priced, later(599_999))).toBe(7);
    expect(codeOf(quotes.priceOf(quote, priced, later(600_000)))).toBe('quote_expired');
  });

  it('names a new quote when it has expired, unless the price has risen', () => {
    const { quote } = quotes.issue(priced, 7, NOW);
    const fixOf = (credits: number) => {
      const expired = quotes.priceOf(quote, { ...priced, credits }, later(600_000));
      return expired instanceof DomainError ? expired.fix : undefined;
    };
    expect(quotes.priceOf(String(fixOf(6)?.['quote']), priced, later(600_000))).toBe(6);
    expect(quotes.priceOf(String(fixOf(7)?.['quote']), priced, later(600_000))).toBe(7);
    expect(fixOf(8)).toBeUndefined();
  });

  it.each([
    ['another account', { ...priced, accountId: '1d8a7c1e-5b7f-4c1b-9f0a-3f2b1c4d5e6f' }],
    ['another recipient', { ...priced, content: ['sms', '+12025550143', 'Hello'] }],
    ['another text', { ...priced, content: ['sms', '+12025550142', 'Hello!'] }],
    ['fields that are cut elsewhere', { ...priced, content: ['sms', '+12025550142Hello', ''] }],
  ])('is invalid for %s, also when it has expired', (_title, other) => {
    const { quote } = quotes.issue(priced, 7, NOW);
    for (const at of [NOW, later(600_000)]) expect(codeOf(quotes.priceOf(quote, other, at))).toBe('quote_invalid');
  });

  it('is invalid with any byte changed, cut or encrypted by another service', () => {
    const { quote } = quotes.issue(priced, 7, NOW);
    const bytes = Buffer.from(quote, 'base64url');
    for (let index = 0; index < bytes.length; index += 1) {
      const changed = Buffer.from(bytes);
      changed.writeUInt8((changed.readUInt8(index) + 1) % 256, index);
      expect(codeOf(quotes.priceOf(changed.toString('base64url'), priced, NOW))).toBe('quote_invalid');
      expect(codeOf(quotes.priceOf(bytes.subarray(0, index).toString('base64url'), priced, NOW))).toBe('quote_invalid');
    }
    const other = new Encryption(testConfig({ API_KEY_ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64') }));
    expect(codeOf(quotes.priceOf(new PricePromises(other).issue(priced, 7, NOW).quote, priced, NOW))).toBe(
      'quote_invalid',
    );
  });

  it('takes no other encrypted text for a quote', () => {
    for (const text of ['00000000-0000-4000-8000-000000000000', '{}', 'null', '{"quote":1}']) {
      const quote = encryption.encrypt(text).ciphertext.toString('base64url');
      expect(codeOf(quotes.priceOf(quote, priced, NOW))).toBe('quote_invalid');
    }
  });

  it('is valid after the encryption key was rotated', () => {
    const key = Buffer.alloc(32, 7).toString('base64');
    const { quote } = new PricePromises(new Encryption(testConfig({ API_KEY_ENCRYPTION_KEY: key }))).issue(
      priced,
      7,
      NOW,
    );
    const rotated = new Encryption(testConfig({ API_KEY_ENCRYPTION_KEYS_OLD: key }));
    expect(new PricePromises(rotated).priceOf(quote, priced, NOW)).toBe(7);
  });
});
