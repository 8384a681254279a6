/** Every address of the site; all links use these. */
export const paths = {
  home: '/',
  login: '/login',
  signup: '/signup',
  forgotPassword: '/forgot-password',
  resetPassword: '/reset-password',
  docs: '/docs',
  sendSms: '/docs/send-sms',
  response: '/docs/response',
  testing: '/docs/testing',
  receiving: '/docs/receiving',
  messageStatus: '/docs/message-status',
  bulk: '/docs/bulk',
  scheduling: '/docs/scheduling',
  prices: '/docs/prices',
  keys: '/docs/keys',
  topUp: '/docs/top-up',
  errors: '/docs/errors',
  idempotency: '/docs/retrying',
  rateLimits: '/docs/limits',
  webhooks: '/docs/webhooks',
  sdk: '/docs/sdk',
  cli: '/docs/cli',
  migratingFromTwilio: '/docs/migrating-from-twilio',
  migratingFromTextbelt: '/docs/migrating-from-textbelt',
  apiReference: '/docs/api',
  pricing: '/pricing',
  faq: '/faq',
  about: '/about',
  privacy: '/privacy',
  tos: '/tos',
  regions: '/regions',
  otp: '/otp',
  /** The whole documentation as plain text. */
  llmsText: '/llms.txt',
  /** Served by the API server: the OpenAPI document. */
  openApi: '/openapi.json',
  dashboard: '/dashboard',
  dashboardSend: '/dashboard/send',
  dashboardBulk: '/dashboard/bulk',
  dashboardMessages: '/dashboard/messages',
  /** One sent message, named by `?id=`: see {@link messagePath}. */
  dashboardMessage: '/dashboard/message',
  dashboardBilling: '/dashboard/billing',
  dashboardPurchase: '/dashboard/purchase',
  dashboardRedeem: '/dashboard/redeem',
  dashboardWebhook: '/dashboard/webhook',
  dashboardOtp: '/dashboard/otp',
  dashboardKey: '/dashboard/key',
  dashboardAccount: '/dashboard/account',
  /** Served by the API server: starts the Google sign-in. */
  googleSignIn: '/auth/google',
} as const;

/** Languages with a sample for every call, by their path segment and menu title. */
export const sampleLanguages = {
  curl: 'Curl',
  python: 'Python',
  php: 'PHP',
  ruby: 'Ruby',
  nodejs: 'NodeJs',
  javascript: 'Javascript',
  csharp: 'C#',
  java: 'Java',
} as const;
export type SampleLanguage = keyof typeof sampleLanguages;

export const sendSmsPath = (language: SampleLanguage): string => `/docs/send-sms/${language}`;

export const messagePath = (messageId: string): string => `${paths.dashboardMessage}?id=${messageId}`;
