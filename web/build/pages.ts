import { paths, sampleLanguages, sendSmsPath, type SampleLanguage } from '../src/paths.js';
import { site } from '../src/site.js';

/** Pages for signed-in users; each is built as its loading state. */
export const dashboardPaths: readonly string[] = [
  paths.dashboard,
  paths.dashboardSend,
  paths.dashboardMessages,
  paths.dashboardMessage,
  paths.dashboardBilling,
  paths.dashboardPurchase,
  paths.dashboardRedeem,
  paths.dashboardWebhook,
  paths.dashboardOtp,
  paths.dashboardKey,
  paths.dashboardAccount,
];

/** Pages that anyone can read and search engines index. */
export const publicPaths: readonly string[] = [
  paths.home,
  paths.docs,
  paths.sendSms,
  ...(Object.keys(sampleLanguages) as SampleLanguage[]).map(sendSmsPath),
  paths.response,
  paths.testing,
  paths.receiving,
  paths.messageStatus,
  paths.errors,
  paths.idempotency,
  paths.rateLimits,
  paths.webhooks,
  paths.apiReference,
  paths.pricing,
  paths.faq,
  paths.about,
  paths.regions,
  paths.otp,
  paths.privacy,
  paths.tos,
  paths.login,
  paths.signup,
];

/** Every page that is built to a file; the server sends `/404` for unknown addresses. */
export const pagePaths: readonly string[] = [...publicPaths, paths.llmsText, ...dashboardPaths, '/404'];

/** The sitemap of the public pages: https://www.sitemaps.org/protocol.html */
export function sitemap(): string {
  const urls = publicPaths.map((path) => `  <url><loc>${site.url}${path}</loc></url>\n`).join('');
  return `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${urls}</urlset>
`;
}
