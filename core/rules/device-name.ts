const BROWSER_UNKNOWN = 'Unknown browser';

/** Browsers by their mark in the `User-Agent`; those that imitate others come first. */
const browsers: readonly (readonly [mark: RegExp, name: string])[] = [
  [/\bEdg(e|A|iOS)?\//, 'Edge'],
  [/\b(OPR|OPiOS|Opera)\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(Firefox|FxiOS)\//, 'Firefox'],
  [/\b(Chrome|Chromium|CriOS|HeadlessChrome)\//, 'Chrome'],
  [/\bVersion\/[\d.]+.*\bSafari\//, 'Safari'],
];

const systems: readonly (readonly [mark: RegExp, name: string])[] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bMac OS X\b|\bMacintosh\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
];

/**
 * Names the device of a `User-Agent` (RFC 9110, section 10.1.5) as its owner would: 'Firefox on Windows'. The name is one of a
 * fixed list, so a forged header shows nothing else.
 */
export function deviceName(userAgent: string | undefined): string {
  const nameIn = (list: typeof browsers) => list.find(([mark]) => mark.test(userAgent ?? ''))?.[1];
  const [browser, system] = [nameIn(browsers), nameIn(systems)];
  return system === undefined ? (browser ?? BROWSER_UNKNOWN) : `${browser ?? BROWSER_UNKNOWN} on ${system}`;
}
