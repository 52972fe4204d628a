import js from '@eslint/js';
import tseslint from 'typescript-eslint';

// Import directions of docs/architecture.md. Each ban says why, since the message is what a person reads.
const ban = (name, message) => ({ name, message });
const banAll = (group, message) => ({ group, message });

const io =
  'fs net http http2 https tls dgram dns child_process cluster worker_threads process os timers readline repl stream zlib'
    .split(' ')
    .flatMap((name) => [`node:${name}`, `node:${name}/*`, name]);
const pureGlobals = ['process', 'console', 'setTimeout', 'setInterval', 'setImmediate', 'fetch', 'performance'].map(
  (name) => ({
    name,
    message: 'semconv, contracts and core are pure: what they need of the world is an argument or a port.',
  }),
);
const pureProperties = [
  { object: 'Date', property: 'now', message: 'The clock is an argument (`now`), so that a test can hold it.' },
  { object: 'Math', property: 'random', message: 'Randomness is an argument; grading must repeat exactly.' },
];
const pure = {
  'no-restricted-globals': ['error', ...pureGlobals],
  'no-restricted-properties': ['error', ...pureProperties],
};
const noIo = banAll(
  io,
  'semconv, contracts and core do no I/O; take a port as an argument instead (node:crypto hashing is allowed).',
);

function direction(files, patterns, paths = []) {
  return { files, ignores: ['**/*.test.ts'], rules: { 'no-restricted-imports': ['error', { patterns, paths }] } };
}

const halves =
  'Instrumentation and analyzer meet only on the wire (design of the two halves); share through semconv or contracts.';
const deep = banAll(
  ['@seamtrace/*/dist/*', '@seamtrace/*/src/*', '../../*/src/*'],
  'Import another package by its public entry.',
);

export default tseslint.config(
  { ignores: ['**/dist/**', '**/node_modules/**', '**/generated/**', '**/testdata/**'] },
  js.configs.recommended,
  ...tseslint.configs.recommended,
  {
    rules: {
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      'no-restricted-syntax': [
        'error',
        { selector: 'ExportAllDeclaration', message: 'The public surface is an explicit list.' },
      ],
      eqeqeq: 'error',
    },
  },
  {
    files: ['**/*.mjs', '**/*.js', '**/*.cjs'],
    languageOptions: {
      globals: {
        process: 'readonly',
        console: 'readonly',
        URL: 'readonly',
        Buffer: 'readonly',
        setTimeout: 'readonly',
        setImmediate: 'readonly',
        clearTimeout: 'readonly',
        performance: 'readonly',
        fetch: 'readonly',
        AbortSignal: 'readonly',
        require: 'readonly',
        module: 'readonly',
        __dirname: 'readonly',
      },
    },
  },
  { files: ['**/*.cjs'], rules: { '@typescript-eslint/no-require-imports': 'off' } },
  direction(['packages/semconv/src/**'], [deep, noIo, banAll(['@seamtrace/*'], 'semconv depends on nothing.')]),
  direction(
    ['packages/contracts/src/**'],
    [
      deep,
      noIo,
      banAll(['@seamtrace/*', '!@seamtrace/semconv'], 'contracts may use semconv only.'),
      banAll(['ajv', 'ajv/*'], "contracts runs in users' processes: nothing heavy."),
    ],
  ),
  direction(
    ['packages/core/src/**'],
    [
      deep,
      noIo,
      banAll(
        ['@seamtrace/*', '!@seamtrace/semconv', '!@seamtrace/contracts'],
        'core may use semconv and contracts only.',
      ),
    ],
  ),
  direction(
    ['packages/instrumentation/src/**'],
    [deep, banAll(['@seamtrace/*', '!@seamtrace/semconv', '!@seamtrace/contracts'], halves)],
  ),
  direction(['packages/analyzer/src/**'], [deep, banAll(['@seamtrace/instrumentation', '@seamtrace/testkit'], halves)]),
  direction(['packages/cli/src/**'], [deep, banAll(['@seamtrace/instrumentation', '@seamtrace/testkit'], halves)]),
  { files: ['packages/{semconv,contracts,core}/src/**'], ignores: ['**/*.test.ts'], rules: pure },
  // A CI gate that runs `seamtrace grade` loads no server: only serve and demo may reach for the analyzer, lazily.
  {
    files: ['packages/cli/src/**'],
    ignores: ['packages/cli/src/serve/**', 'packages/cli/src/demo/**', '**/*.test.ts'],
    rules: {
      '@typescript-eslint/no-restricted-imports': [
        'error',
        { paths: [ban('@seamtrace/analyzer', 'Load it lazily from serve or demo; a gate must not load a server.')] },
      ],
    },
  },
);
