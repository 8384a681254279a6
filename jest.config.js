// Jest on Node 20 cannot require ESM: our TypeScript and the ESM-only packages are turned into CommonJS by swc.
const esmPackages = ['@nestjs', '@standard-schema', '@fastify/cookie', 'cookie', 'uuid', '@seriousme'];
// CommonJS that loads a part of it by `import()`, which Jest cannot either.
const importingPackages = ['@opentelemetry/otlp-exporter-base'];

/** @type {import('jest').Config} */
const shared = {
  rootDir: import.meta.dirname,
  testEnvironment: 'node',
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
    '^#contract/(.*)\\.js$': '<rootDir>/contract/src/$1',
    '^#core/(.*)\\.js$': '<rootDir>/core/src/$1',
    '^(\\.{1,2}/.*)\\.js$': '$1',
  },
  modulePathIgnorePatterns: ['<rootDir>/dist/', '<rootDir>/.data/'],
};

/** @type {import('jest').Config} */
export default {
  projects: [
    {
      ...shared,
      displayName: 'unit',
      testMatch: ['<rootDir>/*/src/**/*.spec.ts'],
      testPathIgnorePatterns: ['/node_modules/', '\\.int\\.spec\\.ts$'],
    },
    {
      ...shared,
      displayName: 'integration',
      testMatch: ['<rootDir>/*/src/**/*.int.spec.ts'],
    },
  ],
};
