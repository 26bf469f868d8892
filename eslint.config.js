import js from '@eslint/js';
import tseslint from 'typescript-eslint';
import { ownMembers } from './scripts/lint/own-members.mjs';

export default tseslint.config(
  // The generated client's types are made when it is judged, by a compiler run of its own.
  {
    ignores: [
      'dist',
      'packages/*/dist',
      'packages/client/src/api.ts',
      'node_modules',
      '.tidemark',
      'test/external/client',
    ],
  },
  js.configs.recommended,
  {
    rules: {
      'no-restricted-syntax': [
        'error',
        {
          selector: ':matches(ArrayExpression, CallExpression, NewExpression) > SpreadElement > ArrayExpression',
          message: 'write the elements: a spread of a literal only defeats the formatter',
        },
        {
          selector: 'ObjectExpression > SpreadElement > ObjectExpression',
          message: 'write the members: a spread of a literal only defeats the formatter',
        },
      ],
    },
  },
  {
    files: ['**/*.ts'],
    extends: [tseslint.configs.strictTypeChecked, tseslint.configs.stylisticTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      'max-lines': ['error', { max: 250 }],
      // Nest's modules are classes that hold nothing but their decorator.
      '@typescript-eslint/no-extraneous-class': ['error', { allowWithDecorator: true, allowStaticOnly: true }],
      // Numbers print the same everywhere; what is worth catching is objects in templates.
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true, allowBoolean: true }],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      '@typescript-eslint/consistent-type-imports': ['error', { disallowTypeAnnotations: false }],
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      '@typescript-eslint/prefer-promise-reject-errors': 'error',
      // openid-client deprecates it only to warn of it; we use it for an issuer on a loopback host.
      '@typescript-eslint/no-deprecated': [
        'error',
        { allow: [{ from: 'package', package: 'openid-client', name: 'allowInsecureRequests' }] },
      ],
      // Nest declares its options as classes and takes them as literals.
      '@typescript-eslint/no-unsafe-class-instance-assignment': 'off',
      // Strict index signatures and this rule contradict each other.
      '@typescript-eslint/dot-notation': 'off',
      'no-restricted-exports': ['error', { restrictDefaultExports: { direct: true } }],
    },
  },
  {
    files: ['src/**/*.ts'],
    plugins: { tidemark: { rules: { 'own-members': ownMembers } } },
    rules: { 'tidemark/own-members': 'error' },
  },
  {
    files: ['test/**/*.ts', 'packages/*/test/**/*.ts'],
    rules: { 'max-lines': ['error', { max: 400 }], '@typescript-eslint/no-non-null-assertion': 'off' },
  },
  {
    // Importing the injected classes as types only would take their names from Nest.
    files: ['src/**/*.{controller,service,guard,interceptor,filter,module}.ts'],
    rules: { '@typescript-eslint/consistent-type-imports': 'off' },
  },
  {
    // Browsers run these.
    files: ['src/people/site/assets/*.js'],
    languageOptions: { globals: { document: 'readonly', navigator: 'readonly' } },
  },
  {
    files: ['**/*.{js,mjs,cjs}'],
    rules: { 'no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }] },
    languageOptions: {
      globals: {
        process: 'readonly',
        console: 'readonly',
        module: 'writable',
        URL: 'readonly',
        Buffer: 'readonly',
        setTimeout: 'readonly',
        clearTimeout: 'readonly',
        setInterval: 'readonly',
        clearInterval: 'readonly',
        performance: 'readonly',
        fetch: 'readonly',
        AbortController: 'readonly',
        AbortSignal: 'readonly',
      },
    },
  },
);
