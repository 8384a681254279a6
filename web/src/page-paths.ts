import { paths, sampleLanguages, sendSmsPath, type SampleLanguage } from './paths.js';

/** The dashboard's pages: for the signed-in, each built as its loading state. */
export const dashboardPaths: readonly string[] = [
  paths.dashboard,
  paths.dashboardSend,
  paths.dashboardMessages,
  paths.dashboardMessage,
  paths.dashboardBilling,
  paths.dashboardPurchase,
  paths.dashboardRedeem,
  paths.dashboardWebhook,
  paths.dashboardKey,
];

/** What everybody may read and search engines find. */
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

/** Every page that is built to a file; `/404` is shown wherever there is nothing else. */
export const pagePaths: readonly string[] = [...publicPaths, paths.llmsText, ...dashboardPaths, '/404'];
