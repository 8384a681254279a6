import { openApiDocument } from '../../contract/openapi/openapi.js';
import {
  apiCallPath,
  apiEventsPath,
  type EventGroup,
  eventGroups,
  paths,
  plainLanguages,
  sendSmsPath,
  type PlainLanguage,
} from '../src/paths.js';
import { site } from '../src/site.js';

/** Pages for signed-in users; each is built as its loading state. */
export const dashboardPaths: readonly string[] = [
  paths.dashboard,
  paths.dashboardSend,
  paths.dashboardBulk,
  paths.dashboardMessages,
  paths.dashboardMessage,
  paths.dashboardRecord,
  paths.dashboardDeliverability,
  paths.dashboardConversations,
  paths.dashboardConversation,
  paths.dashboardOptOuts,
  paths.dashboardNumbers,
  paths.dashboardNumber,
  paths.dashboardBilling,
  paths.dashboardPurchase,
  paths.dashboardRedeem,
  paths.dashboardWebhook,
  paths.dashboardOtp,
  paths.dashboardKey,
  paths.dashboardConnect,
  paths.dashboardRequests,
  paths.dashboardAccount,
];

/** Pages that anyone can read and search engines index. */
export const publicPaths: readonly string[] = [
  paths.home,
  paths.docs,
  paths.sendSms,
  ...(Object.keys(plainLanguages) as PlainLanguage[]).map(sendSmsPath),
  paths.response,
  paths.testing,
  paths.receiving,
  paths.media,
  paths.messageStatus,
  paths.bulk,
  paths.scheduling,
  paths.numbers,
  paths.prices,
  paths.keys,
  paths.topUp,
  paths.errors,
  paths.deliveryErrors,
  paths.ownDeliveryErrors,
  paths.permanentDeliveryErrors,
  paths.passingDeliveryErrors,
  paths.idempotency,
  paths.rateLimits,
  paths.webhooks,
  paths.events,
  paths.serviceStatus,
  paths.clients,
  paths.sdk,
  paths.cli,
  paths.mcp,
  paths.connect,
  paths.connectSupabase,
  paths.connectAuth0,
  paths.connectLogto,
  paths.connectZitadel,
  paths.connectOther,
  paths.connectTexts,
  paths.migratingFromTwilio,
  paths.migratingFromTextbelt,
  paths.verifyLedger,
  paths.apiReference,
  ...Object.values(openApiDocument(site.url).paths).flatMap((calls) =>
    Object.values(calls).map(({ operationId }) => apiCallPath(operationId)),
  ),
  ...(Object.keys(eventGroups) as EventGroup[]).map(apiEventsPath),
  paths.pricing,
  paths.faq,
  paths.about,
  paths.regions,
  paths.quality,
  paths.status,
  paths.otp,
  paths.totp,
  paths.privacy,
  paths.tos,
  paths.login,
  paths.signup,
  paths.forgotPassword,
];

/** Every page that is built to a file; the server sends `/404` for unknown addresses. */
export const pagePaths: readonly string[] = [...publicPaths, paths.resetPassword, ...dashboardPaths, '/404'];

/** The sitemap of the public pages: https://www.sitemaps.org/protocol.html */
export function sitemap(): string {
  const urls = publicPaths.map((path) => `  <url><loc>${site.url}${path}</loc></url>\n`).join('');
  return `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${urls}</urlset>
`;
}
