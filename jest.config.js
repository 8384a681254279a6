// Jest on Node 20 cannot require ESM: our TypeScript and the ESM-only packages are turned into
// CommonJS by swc.
const esmPackages = [
  '@nestjs',
  '@standard-schema',
  '@fastify/cookie',
  'cookie',
  'uuid',
  '@seriousme',
  'file-type',
  'strtok3',
  'token-types',
  '@tokenizer',
  'uint8array-extras',
  '@borewit',
];
// CommonJS that loads a part of it by `import()`, which Jest cannot either.
const importingPackages = ['@opentelemetry/otlp-exporter-base'];

/** @type {import('jest').Config} */
const shared = {
  rootDir: import.meta.dirname,
  testEnvironment: 'node',
  // package.json's `imports` lead to the sources under this condition.
  testEnvironmentOptions: { customExportConditions: ['source', 'node', 'node-addons', 'require', 'default'] },
  transform: {
    '^.+\\.[jt]s$': [
      '@swc/jest',
      {
        jsc: {
          target: 'es2023',
          parser: { syntax: 'typescript', decorators: true },
          transform: { legacyDecorator: true, decoratorMetadata: true },
          keepClassNames: true,
        },
        module: { type: 'commonjs' },
      },
    ],
  },
  transformIgnorePatterns: [`/node_modules/(?!(${[...esmPackages, ...importingPackages].join('|')})/)`],
  moduleNameMapper: {
    '^(\\.{1,2}/.*)\\.js$': '$1',
  },
  modulePathIgnorePatterns: [
    '<rootDir>/dist/',
    '<rootDir>/sdk/typescript/dist/',
    '<rootDir>/sdk/typescript/package.json',
    '<rootDir>/.data/',
  ],
};

/** @type {import('jest').Config} */
export default {
  projects: [
    {
      ...shared,
      displayName: 'unit',
      testMatch: ['<rootDir>/**/*.spec.ts'],
      // Playwright runs these; unit tests of their parts are in subfolders.
      testPathIgnorePatterns: ['/node_modules/', '\\.int\\.spec\\.ts$', '<rootDir>/e2e/[^/]+/[^/]+\\.spec\\.ts$'],
    },
    {
      ...shared,
      displayName: 'integration',
      testMatch: ['<rootDir>/**/*.int.spec.ts'],
    },
  ],
};
