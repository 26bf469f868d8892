export default {
  extends: ['@commitlint/config-conventional'],
  rules: {
    // The folders of the house, and what stands beside them.
    'scope-enum': [
      2,
      'always',
      [
        'access',
        'answers',
        'bench',
        'ci',
        'cli',
        'config',
        'database',
        'deps',
        'docs',
        'errors',
        'figures',
        'http',
      ].concat([
        'limits',
        'locale',
        'log',
        'mcp',
        'plans',
        'publishing',
        'release',
        'resources',
        'sources',
        'starter',
        'test',
      ]),
    ],
    'body-max-line-length': [0],
    // Names keep their capitals, also at the beginning.
    'subject-case': [0],
  },
};
