import { DomainError } from '#core/platform/errors/domain-error.js';
import { deviceName, refuseForeignId } from './session.guard.js';

const account = { accountId: '0d8a7c1e-5b7f-4c1b-9f0a-3f2b1c4d5e6f' };

describe('refuseForeignId', () => {
  it('accepts the session’s own id and no id', () => {
    for (const id of [undefined, null, account.accountId.toUpperCase()])
      expect(() => refuseForeignId(account, id)).not.toThrow();
  });

  it.each(['', 'x', '0d8a7c1e-5b7f-4c1b-9f0a-3f2b1c4d5e60'])('rejects %j, which is not the session’s id', (claimed) => {
    expect(() => refuseForeignId(account, claimed)).toThrow(DomainError);
  });
});

const SAFARI = 'AppleWebKit/605.1.15 (KHTML, like Gecko)';
const CHROME = 'AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0';

describe('deviceName', () => {
  it.each([
    ['Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0', 'Firefox on Linux'],
    [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${CHROME} Safari/537.36`, 'Chrome on Windows'],
    [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${CHROME} Safari/537.36 Edg/142.0.0.0`, 'Edge on Windows'],
    [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${CHROME} Safari/537.36 OPR/120.0.0.0`, 'Opera on Windows'],
    [`Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${SAFARI} Version/26.0 Safari/605.1.15`, 'Safari on macOS'],
    [
      `Mozilla/5.0 (iPhone; CPU iPhone OS 18_7 like Mac OS X) ${SAFARI} Version/26.0 Mobile/15E148 Safari/604.1`,
      'Safari on iPhone',
    ],
    [
      `Mozilla/5.0 (iPhone; CPU iPhone OS 18_7 like Mac OS X) ${SAFARI} CriOS/142.0 Mobile/15E148 Safari/604.1`,
      'Chrome on iPhone',
    ],
    [`Mozilla/5.0 (Linux; Android 10; K) ${CHROME} Mobile Safari/537.36`, 'Chrome on Android'],
    [`Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) ${CHROME} Safari/537.36`, 'Chrome on ChromeOS'],
    ['curl/8.14.1', 'Unknown browser'],
    ['<b>Your bank</b> (Windows)', 'Unknown browser on Windows'],
    ['', 'Unknown browser'],
    [undefined, 'Unknown browser'],
  ])('names %s: %s', (userAgent, name) => {
    expect(deviceName(userAgent)).toBe(name);
  });

  // A header has at most 16 KiB; work that grows with its square would hold up all others.
  it.each(['Version/1', 'Version/', '1', 'Mobile/', 'Version/1 Mobile/x '])('reads %p many times in one go', (part) => {
    const userAgent = `Version/${part.repeat(200_000)}`;
    expect(deviceName(userAgent)).toBe('Unknown browser');
  });
});
