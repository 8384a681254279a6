import jsQr from 'jsqr';
import sharp from 'sharp';
import { limits } from '#contract/limits.js';
import { newTotpSecret, otpauthUrl, qrSvg, stepOfCode } from './app-codes.js';

/** The secret of the vectors: the ASCII text 12345678901234567890. */
const SECRET = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';
const at = (seconds: number) => new Date(seconds * 1_000);

/** Reads a QR code as a camera does. */
async function scanned(svg: string): Promise<string | undefined> {
  // SVG has 72 pixels an inch: six for each module.
  const { data, info } = await sharp(Buffer.from(svg), { density: 72 * 6 })
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  return jsQr.default(new Uint8ClampedArray(data), info.width, info.height)?.data;
}

describe('codes of authenticator apps', () => {
  // RFC 6238, appendix B, SHA-1: its codes have 8 digits, of which an app shows the last 6.
  it.each([
    [59, '94287082'],
    [1_111_111_109, '07081804'],
    [1_111_111_111, '14050471'],
    [1_234_567_890, '89005924'],
    [2_000_000_000, '69279037'],
    [20_000_000_000, '65353130'],
  ])('are those of RFC 6238 at %d', (seconds, code) => {
    expect(stepOfCode(SECRET, code.slice(-limits.totpDigits), at(seconds))).toBe(Math.floor(seconds / 30));
  });

  it('are accepted one step early and one step late, and not beyond', () => {
    // The code of step 37037037.
    const [code, step] = ['050471', 37_037_037];
    const steps = [-2, -1, 0, 1, 2].map((drift) => stepOfCode(SECRET, code, at((step + drift) * 30 + 15)));
    expect(steps).toEqual([undefined, step, step, step, undefined]);
  });

  it('have secrets of 160 bits, each another one', () => {
    const secrets = Array.from({ length: 100 }, newTotpSecret);
    expect(secrets.every((secret) => /^[A-Z2-7]{32}$/.test(secret))).toBe(true);
    expect(new Set(secrets).size).toBe(100);
  });
});

describe('otpauthUrl', () => {
  it('names the account and who asks for the codes, by the Key Uri Format', () => {
    expect(otpauthUrl(SECRET, { label: 'alice+1@example.com', issuer: 'Ä & Co?' })).toBe(
      'otpauth://totp/%C3%84%20%26%20Co%3F:alice%2B1%40example.com?issuer=%C3%84%20%26%20Co%3F' +
        `&secret=${SECRET}&algorithm=SHA1&digits=6&period=30`,
    );
  });

  it('has no issuer without one', () => {
    expect(otpauthUrl(SECRET, { label: 'alice', issuer: null })).toBe(
      `otpauth://totp/alice?secret=${SECRET}&algorithm=SHA1&digits=6&period=30`,
    );
  });
});

describe('qrSvg', () => {
  it.each([
    ['a usual address', { label: 'alice@example.com', issuer: 'Acme' }],
    ['a long address', { label: 'é'.repeat(limits.totpLabelCharactersMax), issuer: 'Acme' }],
    [
      'the longest address',
      { label: '👍'.repeat(limits.totpLabelCharactersMax), issuer: '👍'.repeat(limits.totpIssuerCharactersMax) },
    ],
  ])('is read back as %s', async (_what, names) => {
    const url = otpauthUrl(newTotpSecret(), names);
    const svg = qrSvg(url);
    expect(await scanned(svg)).toBe(url);
    expect(svg).not.toMatch(/script|href|style/);
  });
});
