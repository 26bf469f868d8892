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
];

const common = {
  transform: { '^.+\\.[cm]?[jt]s$': '@swc/jest' },
  transformIgnorePatterns: [`/node_modules/(?!(${esmPackages.join('|')})/)`],
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
  testEnvironment: 'node',
  setupFiles: ['<rootDir>/test/support/property-seed.ts'],
  modulePathIgnorePatterns: ['<rootDir>/dist/'],
};

/** One project a kind of test; `test/run.mjs` says which run on which engine. */
module.exports = {
  // A machine that is busy is slow, not wrong.
  testTimeout: 60_000,
  projects: ['unit', 'http', 'mcp', 'publishing', 'contract', 'limits', 'faults'].map((name) => ({
    ...common,
    displayName: name,
    testMatch: [`<rootDir>/test/${name}/**/*.spec.ts`],
  })),
};
