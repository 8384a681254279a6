import { createHash } from 'node:crypto';

const YEAR_SECONDS = 31_536_000;

/** Of no use to these pages, so no page and nothing that gets into one may have it. */
const refusedFeatures = ['camera', 'microphone', 'geolocation', 'payment', 'usb', 'browsing-topics'];

/** What every answer of the pages carries. HTTPS is insisted on wherever the site has it. */
export function siteHeaders(publicUrl: string): Record<string, string> {
  return {
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'strict-origin-when-cross-origin',
    ...(publicUrl.startsWith('https:') && {
      'Strict-Transport-Security': `max-age=${YEAR_SECONDS}; includeSubDomains`,
    }),
  };
}

/** What an HTML page carries beyond: it runs the scripts that it was built with and no others. */
export function pageHeaders(html: string): Record<string, string> {
  return {
    'Content-Security-Policy': contentSecurityPolicy(html),
    'Permissions-Policy': refusedFeatures.map((feature) => `${feature}=()`).join(', '),
    'Cross-Origin-Opener-Policy': 'same-origin',
  };
}

/** The operator's board is another's work: it writes styles while it runs and talks to nobody but this server. */
export function boardHeaders(): Record<string, string> {
  return {
    'Content-Security-Policy':
      "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; object-src 'none'; base-uri 'self'; form-action 'none'; frame-ancestors 'none'",
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'no-referrer',
    'Cross-Origin-Opener-Policy': 'same-origin',
    'X-Robots-Tag': 'noindex',
  };
}

/** Content Security Policy Level 3: the inline scripts of the page are named by their hashes. */
function contentSecurityPolicy(html: string): string {
  const scripts = [...html.matchAll(/<script(?![^>]*\ssrc=)[^>]*>(.*?)<\/script>/gs)].map(([, script = '']) => script);
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
