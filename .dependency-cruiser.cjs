/**
 * Which room may know which. Each rule has its reason; a change here is a change of the house.
 * Folders from left to right, each knowing only what stands to its left:
 * errors, locale, search, names → plans, config → catalogue → figures, sources → database → access → log, limits → responses → http
 * → resources → mcp, site → app; publishing is another process and meets the API in the tables only.
 */
const only = (name, from, allowed, comment) => ({
  name,
  severity: 'error',
  comment,
  from: { path: `^src/${from}/` },
  to: {
    path: '^src/',
    pathNot: [
      `^src/(${[from, ...allowed].join('|')})/`,
      '^src/process/command-context\\.ts$',
      '^src/terminal/',
    ],
  },
});

module.exports = {
  forbidden: [
    {
      name: 'no-cycles',
      severity: 'error',
      comment: 'A cycle means that two rooms are one.',
      from: {},
      to: { circular: true },
    },
    only('errors-stand-alone', 'errors', [], 'Everyone reads the error table, so it reads nobody.'),
    only('locale-stands-alone', 'locale', ['errors'], 'Words must not depend on what they are about.'),
    only(
      'search-stands-alone',
      'search',
      [],
      'Import and query normalise text with the same code, so neither owns it.',
    ),
    only(
      'names-stand-alone',
      'names',
      [],
      'Import, command line and MCP treat a name alike, so none owns it.',
    ),
    only('plans-stand-alone', 'plans', [], 'The plan table is read by all and reads nothing.'),
    only(
      'config-reads-the-environment',
      'config',
      [],
      'The only reader of the environment has no business of its own.',
    ),
    only(
      'catalogue-files-before-what-they-name',
      'catalogue',
      ['locale', 'names', 'config'],
      'A file of the catalogue is read alike whatever its entries name.',
    ),
    only(
      'figures-are-pure',
      'figures',
      ['locale', 'catalogue', 'sources'],
      'Arithmetic and shape of figures need no database.',
    ),
    only(
      'sources-before-content',
      'sources',
      ['locale', 'catalogue', 'database'],
      'A source does not know what is said with it.',
    ),
    only(
      'database-below-content',
      'database',
      ['config'],
      'The database is reached the same way whatever lies in it.',
    ),
    only(
      'access-before-limits',
      'access',
      ['errors', 'locale', 'names', 'plans', 'config', 'database'],
      'Who asks is known before how much they may ask.',
    ),
    only(
      'following-is-an-accounts-own',
      'following',
      ['errors', 'figures', 'names', 'database', 'access'],
      'What an account follows is kept beside the account, whoever shows it.',
    ),
    only(
      'notifications-tell-what-the-api-tells',
      'notifications',
      [
        ...['errors', 'locale', 'names', 'config', 'figures', 'sources', 'database', 'access', 'following'],
        ...['log', 'mail', 'metrics', 'responses', 'resources'],
      ],
      'A notification describes an event as the API does, and does not know which page manages it.',
    ),
    only(
      'log-knows-keys-only',
      'log',
      ['access'],
      'The log knows what a key looks like so that none can pass, and nothing else.',
    ),
    only(
      'limits-before-http',
      'limits',
      ['errors', 'plans', 'config', 'access', 'health', 'log', 'metrics', 'names'],
      'The same limits serve every transport.',
    ),
    only(
      'mail-is-sent-for-others',
      'mail',
      [],
      'A mail server takes a text; it does not know what a mail is about.',
    ),
    only(
      'metrics-are-told',
      'metrics',
      [],
      'Whoever sees something happen tells it; figures ask nobody why.',
    ),
    only('tracing-wraps-whatever-runs', 'tracing', [], 'A span does not depend on what happens inside it.'),
    only(
      'health-is-asked-and-asks-nobody',
      'health',
      ['database'],
      'Whether an instance is fit is told from what it knows already.',
    ),
    only(
      'responses-serve-every-transport',
      'responses',
      ['errors', 'locale', 'names', 'plans', 'figures', 'sources', 'database', 'access', 'tracing'],
      'A service does not know which transport carries its result.',
    ),
    only(
      'terminals-show-anything',
      'terminal',
      ['config'],
      'A table or a question does not depend on what it is about.',
    ),
    {
      name: 'http-knows-no-resource',
      severity: 'error',
      comment: 'The envelope fits every resource, so it must not know one.',
      from: { path: '^src/http/' },
      to: { path: '^src/(resources|publishing)/' },
    },
    {
      name: 'mcp-is-a-transport',
      severity: 'error',
      comment:
        'Tools ask the services that HTTP asks: a tool with a query of its own would say something else.',
      from: { path: '^src/mcp/' },
      to: { path: '^src/(publishing|config|database/(?!heartbeat\\.ts))' },
    },
    only(
      'site-is-a-transport',
      'site',
      [
        ...['errors', 'locale', 'names', 'plans', 'config', 'figures', 'sources', 'database', 'access'],
        ...[
          'following',
          'limits',
          'log',
          'mail',
          'metrics',
          'notifications',
          'responses',
          'http',
          'resources',
        ],
      ],
      'Pages ask the services that the API asks: a page with a query of its own would say something else.',
    ),
    {
      name: 'nobody-knows-the-site',
      severity: 'error',
      comment: 'What pages show must not depend on being shown by pages.',
      from: { path: '^src/', pathNot: '^src/(site/|app\\.module\\.ts|server\\.ts)' },
      to: { path: '^src/site/' },
    },
    {
      name: 'nobody-knows-mcp',
      severity: 'error',
      comment: 'What tools serve must not depend on being served by tools.',
      from: { path: '^src/', pathNot: '^src/(mcp/|app\\.module\\.ts|server\\.ts)' },
      to: { path: '^src/mcp/' },
    },
    {
      name: 'publishing-meets-the-api-in-tables',
      severity: 'error',
      comment:
        'Importing is another process under another role: it shares the tables, not the code that serves them.',
      from: { path: '^src/publishing/' },
      to: { path: '^src/(access|following|notifications|limits|responses|http|resources|mcp|log|plans)/' },
    },
    {
      name: 'api-does-not-publish',
      severity: 'error',
      comment: 'What serves must not be able to write content, not even by import.',
      from: {
        path: '^src/(access|following|limits|responses|http|resources|database|figures|sources|locale)/',
      },
      to: { path: '^src/publishing/' },
    },
    {
      name: 'services-do-not-know-http',
      severity: 'error',
      comment: 'A service that reads requests could not answer MCP.',
      from: { path: '^src/resources/.*(service|entity|view|rows|rule)\\.ts$' },
      to: { path: '^src/http/' },
    },
    {
      name: 'packages-stand-alone',
      severity: 'error',
      comment: 'A package is built before the service and could be used without it.',
      from: { path: '^packages/' },
      to: { path: '^(src|test)/' },
    },
    {
      name: 'only-the-database-starts-one',
      severity: 'error',
      comment: 'Everything else reaches the database by its connections, wherever it runs.',
      from: { path: '^src/', pathNot: '^src/database/' },
      to: { path: '^packages/' },
    },
    {
      name: 'no-development-packages-in-what-ships',
      severity: 'error',
      comment: 'What runs must be installed where it runs.',
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
