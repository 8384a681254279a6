// Rules of imports. ARCHITECTURE.md explains them; this file enforces them.

/** Top-level folders with code, and the folders that each may import. */
const rooms = {
  contract: [],
  core: ['contract'],
  server: ['core', 'contract'],
  worker: ['core', 'contract'],
  admin: ['core', 'contract'],
  web: ['contract'],
  sandbox: [],
  sdk: ['contract'],
  tools: ['contract'],
  e2e: ['contract', 'tools'],
};

/** The features of core, and the features that each may use. */
const mayUse = {
  audit: [],
  credits: [],
  mail: ['audit'],
  keys: ['audit', 'mail'],
  accounts: ['audit', 'credits', 'mail', 'keys'],
  // Webhooks need the owner's address and sealed secrets, the email when a webhook is turned off,
  // and the balance that `credits.low` tells.
  webhooks: ['audit', 'credits', 'mail', 'accounts', 'keys'],
  // A number requires a paid purchase of credits, and a dispute blocks the release of a number.
  numbers: ['audit', 'credits', 'accounts', 'keys', 'webhooks', 'mail', 'billing'],
  carriers: ['numbers'],
  routes: ['audit', 'carriers', 'numbers'],
  messages: ['audit', 'credits', 'accounts', 'keys', 'webhooks', 'mail', 'media', 'numbers', 'carriers', 'routes'],
  // Figures read messages by their days; spending and exposure name keys and budgets.
  figures: ['accounts', 'billing', 'carriers', 'credits', 'keys', 'webhooks', 'messages', 'numbers', 'routes'],
  otp: ['audit', 'accounts', 'keys', 'webhooks', 'messages', 'numbers', 'carriers', 'routes', 'figures'],
  totp: ['accounts'],
  media: ['accounts', 'credits', 'webhooks'],
  inbound: ['credits', 'accounts', 'webhooks', 'messages', 'media', 'numbers', 'carriers'],
  billing: ['audit', 'credits', 'accounts', 'keys', 'mail'],
  // Notifications derive from the state of all features: balance, fraud guard, and rows.
  notifications: ['credits', 'otp', 'mail'],
  quality: ['routes'],
};

for (const [feature, allowed] of Object.entries(mayUse))
  for (const other of allowed)
    if (mayUse[other].includes(feature)) throw new Error(`${feature} and ${other} may not both import each other.`);

/** The folders of core/messages, the lowest first: each imports only those before it. */
const messageRooms = [
  'store',
  'senders',
  'files',
  'handover',
  'status',
  'send',
  'dispatch',
  'recovery',
  'history',
  'bulk',
];

/** The folders of core below the features, the lowest first: each imports only those before it. */
const platform = [
  'errors',
  'config',
  'crypto',
  'telemetry',
  'network',
  'places',
  'schedules',
  'process',
  'citus',
  'database',
  'queue',
  'durable-work',
  'events',
  'health',
];

const tests = '(\\.spec\\.tsx?$|/testing/)';
const oneOf = (names) => `(${names.join('|')})`;
const packages = (...names) => `^node_modules/(@types/)?${oneOf(names)}/`;

const roomRules = Object.entries(rooms).map(([room, allowed]) => ({
  name: `room-${room}`,
  comment:
    `${room} may import ${allowed.join(' and ') || 'nothing of ours'}. It reaches the others over the ` +
    'network, if at all.',
  severity: 'error',
  // Integration tests create databases as the testkit does.
  from: { path: `^${room}/`, pathNot: '^core/testing/test-database\\.ts$' },
  to: {
    path: `^${oneOf(Object.keys(rooms).filter((other) => ![room, 'sandbox', ...allowed].includes(other)))}/`,
  },
}));

const sandboxRule = {
  name: 'sandbox-is-for-tests',
  comment: 'Programs reach the sandbox over the network; specs may start it in their own process.',
  severity: 'error',
  from: { pathNot: ['^sandbox/', tests] },
  to: { path: '^sandbox/' },
};

const featureRules = Object.entries(mayUse).map(([feature, allowed]) => ({
  name: `feature-${feature}`,
  comment:
    `${feature} may use ${allowed.join(', ') || 'no other feature'}; what else it needs comes by a ` +
    'port, a job or an event.',
  severity: 'error',
  from: { path: `^core/${feature}/`, pathNot: tests },
  to: {
    path: `^core/${oneOf(Object.keys(mayUse).filter((other) => other !== feature && !allowed.includes(other)))}/`,
  },
}));

/** Rules by which each folder of a list imports only the folders before it. */
const downwards = (parent, folders) =>
  folders.map((folder, floor) => ({
    name: `downwards-${folder}`,
    comment: `${parent}/${folder} may import only the folders that stand before it in the list of this file.`,
    severity: 'error',
    from: { path: `^${parent}/${folder}/`, pathNot: tests },
    to: { path: `^${parent}/`, pathNot: `^${parent}/${oneOf(folders.slice(0, floor + 1))}/` },
  }));

/**
 * Rules by which the folders of a feature import its own files and not the reverse. Only the files of
 * `roots` put both together, and the folders do not import them.
 */
const upwards = (parent, folders, roots) => {
  const rootFiles = `^${parent}/${oneOf(roots)}\\.ts$`;
  const inFolders = `^${parent}/${oneOf(folders)}/`;
  const comment = `${folders.join(', ')} import files of ${parent}; only ${roots.join(' and ')} import the folders.`;
  return [
    {
      name: `upwards-${parent}-files`,
      comment,
      severity: 'error',
      from: { path: `^${parent}/[^/]+$`, pathNot: [tests, rootFiles] },
      to: { path: inFolders },
    },
    {
      name: `upwards-${parent}-folders`,
      comment,
      severity: 'error',
      from: { path: inFolders, pathNot: tests },
      to: { path: rootFiles },
    },
  ];
};

/** The parts of web that only the dashboard loads. */
const dashboardFeatures = [
  'account',
  'api-key',
  'billing',
  'bulk',
  'composer',
  'connect',
  'dashboard-home',
  'deliverability',
  'messages',
  'numbers',
  'otp',
  'purchase',
  'redeem',
  'requests',
  'send',
  'webhook',
];
const dashboardCode = `^web/src/(api|dashboard|features/${oneOf(dashboardFeatures)})/`;

/** A library and the only files that may know it. */
const home = (name, comment, libraries, homes, to = {}) => ({
  name: `home-of-${name}`,
  comment,
  severity: 'error',
  from: { pathNot: [...homes, '\\.spec\\.tsx?$', '/testing/', '^node_modules/'] },
  to: { path: packages(...libraries), ...to },
});

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    ...roomRules,
    sandboxRule,
    ...featureRules,
    ...downwards('core/messages', messageRooms),
    ...downwards('core/platform', platform),
    ...downwards('core/accounts', ['sessions']),
    ...upwards('core/accounts', ['sign-in'], ['accounts.module', 'account-retention']),
    ...upwards('core/billing', ['invoices', 'operator-credits', 'top-ups'], ['billing.module', 'payment-events']),
    ...downwards('core/otp', ['guard']),
    {
      name: 'contract-needs-zod-alone',
      comment: 'The browser reads contract too: it needs zod and nothing else, not even Node.',
      severity: 'error',
      from: { path: '^contract/', pathNot: tests },
      to: { pathNot: ['^contract/', '^node_modules/zod/'] },
    },
    {
      name: 'rules-are-pure',
      comment:
        'Rules are functions of their arguments: no I/O, no framework, nothing of core but each other ' +
        'and errors. New ids alone need a clock and chance (uuid); crypto is for hashes.',
      severity: 'error',
      from: { path: '^core/rules/', pathNot: tests },
      to: {
        pathNot: [
          '^core/(rules|platform/errors)/',
          '^contract/',
          '^node_modules/(libphonenumber-js|uuid|ipaddr\\.js|linkify-it|tldts)/',
          '^(node:)?crypto$',
        ],
      },
    },
    {
      name: 'platform-below-features',
      comment: 'The platform is below all features, so it imports none of them.',
      severity: 'error',
      from: { path: `^core/(rules|platform/${oneOf(platform)})/`, pathNot: tests },
      to: {
        path: `^core/${oneOf([...Object.keys(mayUse), 'providers'])}/`,
        // The data source lists the tables.
        pathNot: '\\.entity\\.ts$',
      },
    },
    {
      name: 'platform-entities-for-the-data-source',
      comment: 'Of the platform, only the database lists entities.',
      severity: 'error',
      from: {
        path: `^core/(rules|platform/${oneOf(platform.filter((folder) => folder !== 'database'))})/`,
        pathNot: tests,
      },
      to: { path: '\\.entity\\.ts$' },
    },
    {
      name: 'features-know-ports',
      comment:
        'A feature names what it needs as a port; which maker is behind it is decided in ' +
        'server.module and worker.module.',
      severity: 'error',
      from: { path: `^core/${oneOf(Object.keys(mayUse))}/`, pathNot: tests },
      to: { path: '^core/providers/' },
    },
    {
      name: 'tables-have-one-owner',
      comment: 'An entity and its repository are for their own feature: the others ask its use cases.',
      severity: 'error',
      from: { path: '^core/([^/]+)/', pathNot: [tests, '^core/platform/database/'] },
      to: { path: '^core/.+\\.(entity|repository)\\.ts$', pathNot: '^core/$1/' },
    },
    {
      name: 'tables-stay-in-core',
      comment: 'Shells call use cases, never a repository.',
      severity: 'error',
      from: { pathNot: ['^core/', tests] },
      to: { path: '^core/.+\\.(entity|repository)\\.ts$' },
    },
    {
      name: 'core-folders-are-known',
      comment: 'A new folder of core gets its row in `mayUse` first.',
      severity: 'error',
      from: {},
      to: { path: `^core/(?!${oneOf(['rules', 'platform', ...Object.keys(mayUse), 'providers', 'testing'])}/)[^/]+/` },
    },
    {
      name: 'testing-is-for-specs',
      comment: 'What stands in a testing folder is not built, so the product cannot use it.',
      severity: 'error',
      from: { pathNot: [tests, '^e2e/'] },
      to: { path: '/testing/', pathNot: 'node_modules/' },
    },
    home(
      'typeorm-and-pg',
      'SQL and its mapping live in the database folder and in the files that are named for it.',
      ['typeorm', 'pg', '@nestjs/typeorm'],
      [
        '^core/platform/(citus|database)/',
        '^core/.+\\.(entity|repository|sql|module)\\.ts$',
        // npm start, the tests, the bench and the check of costs create databases.
        '^tools/testkit/postgres\\.ts$',
        '^tools/(bench|costs)/',
        '^e2e/resilience/',
      ],
      // `tx: EntityManager` is how a use case passes its transaction on.
      { dependencyTypesNot: ['type-only'] },
    ),
    home(
      'company-sdks',
      'An SDK is known to its provider alone; the sandbox takes the types of Stripe’s and Telnyx’s objects from it.',
      ['twilio', 'telnyx', 'stripe', 'nodemailer'],
      ['^core/providers/', '^sandbox/stripe/objects\\.ts$', '^sandbox/telnyx/(message|number)-resources?\\.ts$'],
    ),
    home(
      'smpp',
      'PDUs are read and written in one file; the SMSC of the sandbox is a server of the same package.',
      ['smpp'],
      ['^core/providers/smpp/smpp-pdus\\.ts$', '^sandbox/smsc/smsc-server\\.ts$'],
    ),
    home(
      'http-framework',
      'HTTP is the business of the shells.',
      ['fastify', '@fastify', '@nestjs/platform-fastify'],
      ['^server/', '^worker/', '^sandbox/', '^tools/bench/'],
    ),
    home(
      'bullmq',
      'Jobs are added through core/platform/queue and run by the worker; the composition roots put both together.',
      ['bullmq', '@nestjs/bullmq'],
      ['^core/platform/queue/', '^worker/', '^server/server\\.module\\.ts$', '^tools/bench/', '^e2e/resilience/'],
    ),
    home('prom-client', 'Every metric is defined in one place.', ['prom-client'], ['^core/platform/telemetry/']),
    home(
      'open-telemetry',
      'Spans are written through core/platform/telemetry, which loads the SDK when the operator wants traces.',
      ['@opentelemetry'],
      ['^core/platform/telemetry/'],
    ),
    home(
      'authenticator-apps',
      'Codes of authenticator apps and their QR codes are made in one place.',
      ['otpauth', 'uqr'],
      ['^core/totp/'],
    ),
    home('pdf', 'Invoices are the only PDF files.', ['pdfkit', 'fontkit', 'bidi-js'], ['^core/billing/invoices/']),
    home(
      'pictures',
      'Pictures of strangers are decoded in one place.',
      ['sharp', 'file-type'],
      ['^core/media/', '^tools/bench/parts/media\\.ts$', '^tools/costs/scenarios\\.ts$'],
    ),
    home('s3', 'Buckets are one of the stores of files.', ['@aws-sdk', '@smithy'], ['^core/providers/s3/']),
    home('bull-board', 'The operator’s view of the queues.', ['@bull-board'], ['^server/operator/']),
    home(
      'react',
      'Screens are in web, and in the pages of the sandbox.',
      ['react', 'react-dom'],
      ['^web/', '^sandbox/'],
    ),
    home(
      'web-libraries',
      'What the pages alone are made of.',
      ['react-router', '@tanstack', '@tabler', 'shiki', 'country-flag-icons', '@fontsource-variable'],
      ['^web/', '^sandbox/ui/'],
    ),
    {
      name: 'public-pages-are-light',
      comment: 'Public pages load no query cache; only the dashboard needs one.',
      severity: 'error',
      from: { path: '^web/src/', pathNot: [tests, dashboardCode] },
      to: { path: packages('@tanstack') },
    },
    {
      name: 'visitor-calls-are-light',
      comment: 'Public pages load these calls on demand, so they bring no query cache.',
      severity: 'error',
      from: { path: '^web/src/api/(api-failure|call|visitor-calls)\\.ts$' },
      to: { path: [packages('@tanstack'), '^web/src/api/'], pathNot: '^web/src/api/(api-failure|call)\\.ts$' },
    },
    {
      name: 'public-pages-parse-later',
      comment: 'Public pages load only the constants of contract; its zod schemas come with web/src/api, on demand.',
      severity: 'error',
      from: { path: '^web/', pathNot: [tests, dashboardCode, '\\.server\\.ts$', '^web/build/'] },
      to: {
        path: ['^contract/', '^node_modules/zod/'],
        pathNot: [
          '^contract/(delivery-errors|errors|examples|limits|otp-statuses|packs|regions|sign-in|sign-up)\\.ts$',
          '^contract/(plug-examples|plug-products|status-names)\\.ts$',
        ],
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'calls-come-later',
      comment: 'Public pages load the code that calls the server when they first call it.',
      severity: 'error',
      from: { path: '^web/', pathNot: [tests, dashboardCode] },
      to: {
        path: '^web/src/api/',
        // Failures need no schemas.
        pathNot: '^web/src/api/api-failure\\.ts$',
        dynamic: false,
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'build-time-code-stays-there',
      comment: 'What runs at build time is not for browsers: pages get its results by `usePageData`.',
      severity: 'error',
      from: {
        path: '^web/src/',
        pathNot: [
          tests,
          '\\.server\\.tsx?$',
          '^web/src/content/docs/',
          '^web/src/features/docs/(llms-text|search-index)\\.ts$',
        ],
      },
      to: { path: ['\\.server\\.tsx?$', '^web/build/'], dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'web-folders-are-known',
      comment: 'web/src has features, dashboard, ui, api and content.',
      severity: 'error',
      from: {},
      to: { path: '^web/src/(?!(features|dashboard|ui|api|content)/)[^/]+/' },
    },
    {
      name: 'web-features-are-separate',
      comment: 'A feature imports only itself, ui, api, content, dashboard, and the features that others share.',
      severity: 'error',
      from: { path: '^web/src/features/([^/]+)/' },
      to: { path: '^web/src/features/', pathNot: '^web/src/features/($1|site|composer)/' },
    },
    {
      name: 'web-dashboard-below-pages',
      comment: 'The frame of the dashboard knows no page; it shows what a purchase led to on every view.',
      severity: 'error',
      from: { path: '^web/src/dashboard/' },
      to: { path: '^web/src/features/(?!(site|purchase)/)' },
    },
    {
      name: 'web-layers-point-down',
      comment: 'ui and api know neither each other nor the features and texts above them.',
      severity: 'error',
      from: { path: '^web/src/(ui|api)/', pathNot: tests },
      to: { path: '^web/src/', pathNot: '^web/src/$1/' },
    },
    {
      name: 'web-ui-without-contract',
      comment: 'ui knows neither the domain nor the server.',
      severity: 'error',
      from: { path: '^web/src/ui/', pathNot: tests },
      to: { path: '^contract/' },
    },
    {
      name: 'no-development-packages',
      comment: 'A production install carries `dependencies` alone.',
      severity: 'error',
      from: { path: '^(contract|core|server|worker|admin)/', pathNot: tests },
      to: { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only'], pathNot: '^node_modules/@types/' },
    },
    {
      name: 'no-circles',
      comment: 'Two files that need each other, be it for a type, are one or lack a third.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'no-orphans',
      comment: 'What nothing imports and is no entry point is dead.',
      severity: 'error',
      from: {
        orphan: true,
        pathNot: [
          tests,
          '/main\\.tsx?$',
          '\\.d\\.ts$',
          '/vite\\.config\\.ts$',
          '^core/platform/database/migrations/',
          '^e2e/',
          // Jest loads this file by its name.
          '^tools/dev/test/largest-first\\.cjs$',
          // Programs for strangers, read as texts.
          '^web/src/content/samples/',
        ],
      },
      to: {},
    },
    {
      name: 'no-catch-all-folders',
      comment: 'A folder named for everything is about nothing: name it for what its files are.',
      severity: 'error',
      from: {},
      to: { path: '(^|/)(utils?|commons?|shared|helpers?|misc)/', pathNot: 'node_modules/' },
    },
    {
      name: 'sources-not-dist',
      comment: 'dist/ is what the build wrote.',
      severity: 'error',
      from: {},
      to: { path: '^dist/' },
    },
    {
      name: 'everything-resolves',
      comment: 'An import that leads nowhere. `virtual:` modules are made by the plug-ins in web/build.',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true, pathNot: '^virtual:' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: {
      // The samples are programs of customers, who have installed the client.
      path: [
        '^(sdk/typescript/)?dist/',
        '^\\.data/',
        '^e2e/results/',
        '\\.(css|svg|woff2)$',
        '/samples/.*/client\\.mjs$',
      ],
    },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    webpackConfig: { fileName: '.ci/source-resolution.cjs' },
    skipAnalysisNotInRules: true,
  },
};
