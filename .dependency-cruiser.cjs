/**
 * Which hall of src/ may import which. `test/contract/halls.spec.ts` computes the same order, and the rooms of each hall,
 * from the imports, and compares them with docs/explanation/architecture.md.
 */
const HALLS = {
  domain: [],
  store: ['domain'],
  publish: ['domain', 'store'],
  serve: ['domain', 'store'],
  assistants: ['domain', 'store', 'serve'],
  people: ['domain', 'store', 'serve'],
  commands: ['domain', 'store', 'publish', 'serve'],
};

const REASONS = {
  domain: 'Rules of figures, languages, plans and errors need neither a database nor a request.',
  store: 'The database is reached the same way whatever it contains.',
  publish: 'Publishing is another process under another role: it shares the tables with the API, not the code.',
  serve: 'The API reads what is published and does not depend on who displays it.',
  assistants: 'Tools call the services that HTTP calls, so that both give the same figures.',
  people: 'Pages call the services that the API calls, so that both give the same figures.',
  commands: 'The command line is the only hall that imports both publish and serve.',
};

module.exports = {
  forbidden: [
    {
      name: 'no-cycles',
      severity: 'error',
      comment: 'Files that import each other are one file.',
      from: {},
      to: { circular: true },
    },
    ...Object.entries(HALLS).map(([hall, allowed]) => ({
      name: `${hall}-imports-halls-below`,
      severity: 'error',
      comment: REASONS[hall],
      from: { path: `^src/${hall}/` },
      to: { path: '^src/', pathNot: `^src/(${[hall, ...allowed].join('|')})/` },
    })),
    {
      name: 'tools-and-pages-have-no-queries',
      severity: 'error',
      comment: 'A tool with a query of its own could give another figure than the API.',
      from: { path: '^src/assistants/' },
      to: { path: '^src/store/(?!heartbeat\\.ts)' },
    },
    {
      name: 'services-do-not-know-http',
      severity: 'error',
      comment: 'A service that reads HTTP requests could not serve MCP.',
      from: { path: '^src/serve/resources/.*(service|entity|view|rows|rule)\\.ts$' },
      to: { path: '^src/serve/http/' },
    },
    {
      name: 'http-imports-no-resource',
      severity: 'error',
      comment: 'The envelope fits every resource.',
      from: { path: '^src/serve/http/' },
      to: { path: '^src/serve/resources/' },
    },
    {
      name: 'packages-import-no-service',
      severity: 'error',
      comment: 'A package is built before the service and can be used without it.',
      from: { path: '^packages/' },
      to: { path: '^(src|test)/' },
    },
    {
      name: 'only-the-store-starts-a-database',
      severity: 'error',
      comment: 'All other halls reach the database by its connections.',
      from: { path: '^src/', pathNot: '^src/store/' },
      to: { path: '^packages/' },
    },
    {
      name: 'no-development-packages-in-what-ships',
      severity: 'error',
      comment: 'An installation without development packages must run.',
      from: { path: '^(src|packages/[^/]+/src)/' },
      to: { dependencyTypes: ['npm-dev'] },
    },
  ],
  options: {
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.build.json' },
    doNotFollow: { path: 'node_modules' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default'],
      extensions: ['.ts', '.js', '.json'],
    },
  },
};
