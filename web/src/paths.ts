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
  numbers: '/docs/numbers',
  messageStatus: '/docs/message-status',
  media: '/docs/media',
  bulk: '/docs/bulk',
  scheduling: '/docs/scheduling',
  prices: '/docs/prices',
  keys: '/docs/keys',
  topUp: '/docs/top-up',
  errors: '/docs/errors',
  /** Meanings of the codes of undelivered messages: an anchor for each. */
  deliveryErrors: '/docs/delivery-errors',
  ownDeliveryErrors: '/docs/delivery-errors/ours',
  permanentDeliveryErrors: '/docs/delivery-errors/permanent',
  passingDeliveryErrors: '/docs/delivery-errors/passing',
  idempotency: '/docs/retrying',
  rateLimits: '/docs/limits',
  webhooks: '/docs/webhooks',
  events: '/docs/events',
  serviceStatus: '/docs/service-status',
  clients: '/docs/clients',
  sdk: '/docs/sdk',
  cli: '/docs/cli',
  mcp: '/docs/mcp',
  connect: '/docs/connect',
  connectSupabase: '/docs/connect/supabase',
  connectAuth0: '/docs/connect/auth0',
  connectLogto: '/docs/connect/logto',
  connectZitadel: '/docs/connect/zitadel',
  connectOther: '/docs/connect/generic',
  connectTexts: '/docs/connect/sms',
  migratingFromTwilio: '/docs/migrating-from-twilio',
  migratingFromTextbelt: '/docs/migrating-from-textbelt',
  verifyLedger: '/docs/verify-ledger',
  apiReference: '/docs/api',
  pricing: '/pricing',
  faq: '/faq',
  about: '/about',
  privacy: '/privacy',
  tos: '/tos',
  regions: '/regions',
  quality: '/quality',
  status: '/status',
  /** Served by the API server: changes of the status, an Atom feed. */
  statusFeed: '/status.xml',
  otp: '/otp',
  totp: '/docs/totp',
  /** The whole documentation as plain text. */
  llmsText: '/llms.txt',
  /** The index of the documentation's search. */
  docsSearch: '/docs/search.json',
  /** Served by the API server: the OpenAPI document. */
  openApi: '/openapi.json',
  dashboard: '/dashboard',
  dashboardSend: '/dashboard/send',
  dashboardBulk: '/dashboard/bulk',
  dashboardMessages: '/dashboard/messages',
  /** A message, named by `?id=`: see {@link messagePath}. */
  dashboardMessage: '/dashboard/message',
  /** The record of a message: see {@link recordPath}. Built once, for every id. */
  dashboardRecord: '/dashboard/messages/id/record',
  dashboardDeliverability: '/dashboard/deliverability',
  dashboardOptOuts: '/dashboard/opt-outs',
  dashboardConversations: '/dashboard/conversations',
  /**
   * The messages to and from one person: see {@link conversationPath}. Built once, for every
   * number.
   */
  dashboardConversation: '/dashboard/conversations/number',
  dashboardBilling: '/dashboard/billing',
  dashboardPurchase: '/dashboard/purchase',
  dashboardRedeem: '/dashboard/redeem',
  dashboardWebhook: '/dashboard/webhook',
  dashboardOtp: '/dashboard/otp',
  dashboardKey: '/dashboard/key',
  dashboardConnect: '/dashboard/connect',
  dashboardNumbers: '/dashboard/numbers',
  /** One number: see {@link numberPath}. Built once, for every number. */
  dashboardNumber: '/dashboard/numbers/id',
  dashboardRequests: '/dashboard/requests',
  dashboardAccount: '/dashboard/account',
  /** Served by the API server: starts the Google sign-in. */
  googleSignIn: '/auth/google',
} as const;

/** Languages in which a program sends a message without a package, by their path segment and menu title. */
export const plainLanguages = {
  curl: 'Curl',
  python: 'Python',
  php: 'PHP',
  ruby: 'Ruby',
  nodejs: 'NodeJs',
  javascript: 'Javascript',
  csharp: 'C#',
  java: 'Java',
} as const;
export type PlainLanguage = keyof typeof plainLanguages;

/** Languages of the sample programs, by their titles, in the order of tabs. */
export const sampleLanguages = {
  curl: 'Curl',
  typescript: 'TypeScript',
  python: 'Python',
  php: 'PHP',
  ruby: 'Ruby',
  go: 'Go',
  java: 'Java',
  nodejs: 'NodeJs',
  javascript: 'Javascript',
  csharp: 'C#',
} as const;
export type SampleLanguage = keyof typeof sampleLanguages;

export const sendSmsPath = (language: PlainLanguage): string => `/docs/send-sms/${language}`;

/** The reference page of a call: 'sendSms' → '/docs/api/send-sms'. */
export const apiCallPath = (operationId: string): string =>
  `${paths.apiReference}/${operationId.replace(/[A-Z]/g, '-$&').toLowerCase()}`;

/** Groups of webhook events, by the beginning of their names. */
export const eventGroups = { message: 'Messages', otp: 'Codes', credits: 'Credits', number: 'Numbers' } as const;
export type EventGroup = keyof typeof eventGroups;

/** The reference page of a group of webhook events: 'otp' → '/docs/api/events-otp'. */
export const apiEventsPath = (group: EventGroup): string => `${paths.apiReference}/events-${group}`;

/** Opens the form for a new key. */
export const createKeyPath = `${paths.dashboardKey}?create`;

/** Opens the form that connects a product. */
export const connectPath = (product: string): string => `${paths.dashboardConnect}?connect=${product}`;

/** Opens the form with the limits of a key. */
export const editKeyPath = (keyId: string): string => `${paths.dashboardKey}?edit=${keyId}`;

/** The opt-outs; with a number, of one person. */
export const optOutsPath = (number?: string): string =>
  number === undefined ? paths.dashboardOptOuts : `${paths.dashboardOptOuts}?number=${encodeURIComponent(number)}`;

/** View of spent credits by month, country and use. */
export const spendPath = `${paths.dashboardBilling}?tab=spend`;

export const messagePath = (messageId: string): string => `${paths.dashboardMessage}?id=${messageId}`;

export const recordPath = (messageId: string): string => paths.dashboardRecord.replace('/id/', `/${messageId}/`);

/** Opens the form that sends a one-time password. */
export const sendCodePath = `${paths.dashboardOtp}?tab=send`;

/** A one-time password, opened in the log. */
export const codePath = (otpId: string): string => `${paths.dashboardOtp}?code=${encodeURIComponent(otpId)}`;

export const numberPath = (numberId: string): string => paths.dashboardNumber.replace(/id$/, numberId);

export const conversationPath = (number: string): string =>
  paths.dashboardConversation.replace(/number$/, encodeURIComponent(number));
