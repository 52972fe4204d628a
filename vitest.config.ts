import { defineConfig } from 'vitest/config';

// Three projects: `unit` stands beside the sources, `app` crosses packages and needs nothing but npm, `integration`
// needs tools from outside npm (Debian packages, Go modules) and says plainly which one is missing, or, in test/faults,
// minutes: it kills and feeds garbage to the service.
export default defineConfig({
  test: {
    // One for each core: most tests wait for processes that they start, and vitest's default leaves a core idle.
    maxWorkers: '100%',
    projects: [
      {
        test: {
          name: 'unit',
          include: ['packages/*/src/**/*.test.ts', 'packages/*/test/**/*.test.ts'],
          testTimeout: 30_000,
        },
      },
      {
        test: {
          name: 'app',
          include: ['test/{scenarios,wire,e2e,packaging,frameworks}/**/*.test.ts'],
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
      {
        test: {
          name: 'integration',
          include: ['test/{integration,faults}/**/*.test.ts'],
          testTimeout: 300_000,
          hookTimeout: 300_000,
        },
      },
    ],
  },
});
