import { createHash } from 'node:crypto';

/** Browser features that no page uses. */
const refusedFeatures = ['camera', 'microphone', 'geolocation', 'payment', 'usb', 'browsing-topics'];

/** Headers of every text file of the site, beside those of every answer. */
export const siteHeaders = { 'Referrer-Policy': 'strict-origin-when-cross-origin' } as const;

/**
 * Additional headers of an HTML page. Its policy allows only the scripts that it was built with.
 */
export function pageHeaders(html: string): Record<string, string> {
  return {
    'Content-Security-Policy': contentSecurityPolicy(html),
    'Permissions-Policy': refusedFeatures.map((feature) => `${feature}=()`).join(', '),
    'Cross-Origin-Opener-Policy': 'same-origin',
  };
}

/** Headers of the operator's queue board, a library that sets styles at run time. */
export function boardHeaders(): Record<string, string> {
  return {
    'Content-Security-Policy':
      "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; object-src 'none'; " +
      "base-uri 'self'; form-action 'none'; frame-ancestors 'none'",
    'Referrer-Policy': 'no-referrer',
    'Cross-Origin-Opener-Policy': 'same-origin',
    'X-Robots-Tag': 'noindex',
  };
}

/**
 * Content Security Policy Level 3, with the inline scripts of the page by their hashes; data in
 * JSON needs none.
 */
function contentSecurityPolicy(html: string): string {
  const scripts = [...html.matchAll(/<script(?![^>]*\s(?:src=|type="application\/json"))[^>]*>(.*?)<\/script>/gs)].map(
    ([, script = '']) => script,
  );
  const hashes = new Set(scripts.map((script) => `'sha256-${createHash('sha256').update(script).digest('base64')}'`));
  return [
    "default-src 'self'",
    `script-src 'self' ${[...hashes].join(' ')}`.trimEnd(),
    "style-src 'self'",
    "img-src 'self' data:",
    "object-src 'none'",
    "base-uri 'self'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ');
}
