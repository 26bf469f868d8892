// Nest 12 ships ESM only, and jest's own ESM support fails on it: SWC turns Nest and our code to CommonJS.
const esmPackages = [
  '@nestjs',
  'file-type',
  'strtok3',
  'token-types',
  'uint8array-extras',
  '@tokenizer',
  '@borewit',
  'load-esm',
  'path-to-regexp',
  '@seriousme',
  'stream-json',
  'stream-chain',
  'd3-[a-z-]+',
  'internmap',
  'openid-client',
  'oauth4webapi',
  'jose',
  'oidc-provider',
  'htmlparser2',
  'dom(handler|utils|elementtype|-serializer)',
  'entities',
  'hyparquet(-writer)?',
];

const common = {
  transform: { '^.+\\.[cm]?[jt]s$': '@swc/jest' },
  transformIgnorePatterns: [`/node_modules/(?!(${esmPackages.join('|')})/)`],
  moduleNameMapper: {
    '^(\\.{1,2}/.*)\\.js$': '$1',
    '^@tidemark/embedded-postgres$': '<rootDir>/packages/embedded-postgres/src/embedded-postgres',
    '^@tidemark/embedded-postgres/(.*)$': '<rootDir>/packages/embedded-postgres/src/$1',
  },
  testEnvironment: 'node',
  setupFiles: ['<rootDir>/test/support/property-seed.ts'],
  modulePathIgnorePatterns: ['<rootDir>/dist/', '<rootDir>/packages/.*/dist/'],
};

const SETUP = {
  globalSetup: '<rootDir>/test/support/global-setup.mjs',
  globalTeardown: '<rootDir>/test/support/global-teardown.mjs',
};
const suitesIn = (name) => [`<rootDir>/test/${name}/**/*.spec.ts`];
const PLANS = '<rootDir>/test/contract/hot-queries.spec.ts';

/** One project for each kind of test. The set-up runs only with a project that names it. */
const PROJECTS = {
  unit: { testMatch: suitesIn('unit') },
  ...Object.fromEntries(
    ['http', 'mcp', 'publishing', 'limits'].map((name) => [name, { ...SETUP, testMatch: suitesIn(name) }]),
  ),
  contract: { ...SETUP, testMatch: [...suitesIn('contract'), `!${PLANS}`] },
  // Fills a large database first.
  plans: { ...SETUP, testMatch: [PLANS] },
  faults: { ...SETUP, testMatch: [...suitesIn('faults'), '<rootDir>/packages/*/test/**/*.spec.ts'] },
};

module.exports = {
  // A machine that is busy is slow, not wrong.
  testTimeout: 60_000,
  projects: Object.entries(PROJECTS).map(([displayName, project]) => ({
    ...common,
    displayName,
    ...project,
  })),
};
