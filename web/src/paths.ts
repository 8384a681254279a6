/** Every address of the site. Links are taken from here. */
export const paths = {
  home: '/',
  login: '/login',
  signup: '/signup',
  docs: '/docs',
  sendSms: '/docs/send-sms',
  response: '/docs/response',
  testing: '/docs/testing',
  receiving: '/docs/receiving',
  messageStatus: '/docs/message-status',
  errors: '/docs/errors',
  idempotency: '/docs/retrying',
  rateLimits: '/docs/limits',
  webhooks: '/docs/webhooks',
  pricing: '/pricing',
  faq: '/faq',
  about: '/about',
  privacy: '/privacy',
  tos: '/tos',
  regions: '/regions',
  otp: '/otp',
  /** The whole documentation as plain text. */
  llmsText: '/llms.txt',
  dashboard: '/dashboard',
  /** The server's: leads to Google and back. */
  googleSignIn: '/auth/google',
} as const;

/** Languages with a sample for every call, as they stand in addresses and in the menu. */
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
export const pagePaths: readonly string[] = [...publicPaths, paths.llmsText, paths.dashboard, '/404'];
