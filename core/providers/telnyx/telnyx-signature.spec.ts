import { createPrivateKey, generateKeyPairSync, sign, type KeyObject } from 'node:crypto';
import Telnyx from 'telnyx';
import { testConfig } from '../../testing/test-config.js';
import { TelnyxSignature } from './telnyx-signature.js';

const rawPublicKey = (key: KeyObject) =>
  Buffer.from(key.export({ format: 'jwk' }).x ?? '', 'base64url').toString('base64');
const { privateKey, publicKey } = generateKeyPairSync('ed25519');
const NOW_MS = Date.UTC(2026, 10, 26, 12);
const NOW = String(NOW_MS / 1_000);
const body = Buffer.from('{"data":{"event_type":"message.finalized","payload":{"text":"Grüße 😀"}}}');

const withKey = (key: string) =>
  new TelnyxSignature(testConfig({ TELNYX_API_KEY: 'KEY0', TELNYX_PUBLIC_KEY: key, TELNYX_SENDERS: '+12025550143' }));
const signed = (timestamp: string, bytes: Buffer, key: KeyObject = privateKey) =>
  sign(null, Buffer.concat([Buffer.from(`${timestamp}|`), bytes]), key).toString('base64');

describe('TelnyxSignature', () => {
  const signature = withKey(rawPublicKey(publicKey));
  const isValid = (given: string, timestamp = NOW, bytes = body) => signature.isValid(given, timestamp, bytes, NOW_MS);

  it('accepts what the account has signed', () => {
    expect(isValid(signed(NOW, body))).toBe(true);
  });

  // The pair of keys of RFC 8032, section 7.1, test 3.
  it('takes a public key as RFC 8032 writes it', () => {
    const seed = 'c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7';
    const der = Buffer.from(`302e020100300506032b657004220420${seed}`, 'hex');
    const key = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
    const known = Buffer.from('fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025', 'hex');
    const of = withKey(known.toString('base64'));
    expect(of.isValid(signed(NOW, body, key), NOW, body, NOW_MS)).toBe(true);
  });

  it('agrees with the SDK', async () => {
    const key = rawPublicKey(publicKey);
    const client = new Telnyx({ apiKey: 'KEY0', publicKey: key });
    const timestamp = String(Math.floor(Date.now() / 1_000));
    const headers = { 'telnyx-signature-ed25519': signed(timestamp, body), 'telnyx-timestamp': timestamp };
    await expect(client.webhooks.unwrap(body.toString(), { headers })).resolves.toMatchObject({ data: {} });
    expect(withKey(key).isValid(headers['telnyx-signature-ed25519'], timestamp, body)).toBe(true);
  });

  it.each([
    ['of another key', () => signed(NOW, body, generateKeyPairSync('ed25519').privateKey)],
    ['of another body', () => signed(NOW, Buffer.from('{}'))],
    ['of another timestamp', () => signed(String(Number(NOW) - 1), body)],
    ['of the body alone', () => sign(null, body, privateKey).toString('base64')],
    ['cut short', () => signed(NOW, body).slice(0, 40)],
    ['with more behind it', () => signed(NOW, body).replace('==', 'AAAA')],
    ['that is empty', () => ''],
    ['that is no base64', () => '!'.repeat(88)],
  ])('refuses a signature %s', (_what, made) => {
    expect(isValid(made())).toBe(false);
  });

  it.each([
    [-300, true],
    [-301, false],
    [300, true],
    [301, false],
  ])('with a timestamp %i seconds from now answers %s', (seconds, expected) => {
    const timestamp = String(Number(NOW) + seconds);
    expect(isValid(signed(timestamp, body), timestamp)).toBe(expected);
  });

  it.each(['', 'undefined', '1e9', ` ${NOW}`, `${NOW}.0`, '-1'])('refuses the timestamp "%s"', (timestamp) => {
    expect(isValid(signed(timestamp, body), timestamp)).toBe(false);
  });

  it('refuses everything where Telnyx is not configured', () => {
    const off = new TelnyxSignature(testConfig());
    expect(off.isConfigured).toBe(false);
    expect(off.isValid(signed(NOW, body), NOW, body, NOW_MS)).toBe(false);
  });
});
