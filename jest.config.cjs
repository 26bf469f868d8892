const common = {
  transform: { '^.+\\.[cm]?[jt]s$': '@swc/jest' },
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
  testEnvironment: '<rootDir>/test/support/worker/environment.cjs',
  runtime: '<rootDir>/test/support/worker/runtime.cjs',
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
  // Jest knows <rootDir> at the beginning of a pattern only, not behind an exclamation mark.
  contract: { ...SETUP, testMatch: suitesIn('contract'), testPathIgnorePatterns: [PLANS] },
  // Fills a large database first.
  plans: { ...SETUP, testMatch: [PLANS] },
  faults: { ...SETUP, testMatch: [...suitesIn('faults'), '<rootDir>/packages/*/test/**/*.spec.ts'] },
};

module.exports = {
  // A machine that is busy is slow, not wrong.
  testTimeout: 300_000,
  workerIdleMemoryLimit: '300MB',
  projects: Object.entries(PROJECTS).map(([displayName, project]) => ({ ...common, displayName, ...project })),
};
