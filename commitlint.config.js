export default {
  extends: ['@commitlint/config-conventional'],
  rules: {
    // The folders of the house, and what stands beside them.
    'scope-enum': [
      2,
      'always',
      ['access', 'bench', 'ci', 'cli', 'config', 'database', 'deps', 'docs', 'errors', 'figures', 'http'].concat([
        'limits',
        'locale',
        'log',
        'mail',
        'mcp',
        'names',
        'plans',
        'publishing',
        'release',
        'process',
        'resources',
        'responses',
        'site',
        'sources',
        'starter',
        'test',
        // Of commits before the folder became responses.
        'answers',
        // The halls of src/.
        'domain',
        'store',
        'publish',
        'serve',
        'assistants',
        'people',
        'commands',
      ]),
    ],
    'body-max-line-length': [0],
    // Names keep their capitals, also at the beginning.
    'subject-case': [0],
  },
};
