import { describe, expect, test } from 'vitest';
import { REGISTER } from '../run-app.js';
import { NEWER_NODES } from './nodes.js';
import { outcomeOf, OURS, VERDICTS } from './verdict-of.js';

const LINES: readonly string[] = ['app.mjs', 'app.cjs'];

describe.each(LINES)('an app with tracing of its own, OpenTelemetry 2, %s', (file) => {
  const app = `coexistence/otel2/${file}`;

  test.each(['node-sdk', 'node-sdk with processor', 'provider', 'langfuse', 'openinference', 'traceloop'])(
    '%s: its spans are as without us, ours are there once, the verdict is right',
    async (setup) => {
      const [plain, ours] = await Promise.all([
        outcomeOf({ app, args: [setup, 'first'], instrumented: false }),
        outcomeOf({ app, args: [setup, 'first'] }),
      ]);
      expect(plain.ours).toEqual([]);
      expect(ours.stderr).toBe(plain.stderr);
      expect(ours.printed).toEqual(plain.printed);
      expect(ours.theirs).toEqual(plain.theirs);
      // Langfuse exports what it takes for the work of a model, and so not the dispatch; the destination restates it.
      expect(ours.ours).toEqual(setup === 'langfuse' ? OURS.slice(2) : OURS);
      expect(ours.verdicts).toEqual(VERDICTS);
      // Ours stand in the application's trace, below its own span.
      const request = ours.spans.find(({ name }) => name === 'request');
      const triage = ours.spans.find(({ name }) => name === 'invoke_agent triage');
      if (request !== undefined) expect(triage?.parentSpanId).toBe(request.spanId);
    },
  );

  test('set up after a first run: what began before goes our way, what comes after goes its way', async () => {
    const late = await outcomeOf({ app, args: ['node-sdk', 'late'] });
    expect(late.ours).toEqual([...OURS, ...OURS].sort());
    expect(late.verdicts).toEqual([...VERDICTS, ...VERDICTS].sort());
    const request = late.spans.find(({ name }) => name === 'request');
    const below = late.spans.filter(({ traceId }) => traceId === request?.traceId);
    expect(below.map(({ name }) => name).sort()).toEqual([...OURS, 'request']);
  });
});

describe.each(NEWER_NODES)('OpenTelemetry 3 on %s', (_, node) => {
  const env = { SEAMTRACE_TEST_OTEL: '3' };

  test.each(LINES.flatMap((file) => ['node-sdk', 'provider', 'node-sdk with processor'].map((setup) => [file, setup])))(
    '%s, %s',
    async (file = '', setup = '') => {
      const app = `coexistence/otel3/${file}`;
      const [plain, ours] = await Promise.all([
        outcomeOf({ app, node, env, args: [setup, 'first'], instrumented: false }),
        outcomeOf({ app, node, env, args: [setup, 'first'] }),
      ]);
      expect(ours.stderr).toBe(plain.stderr);
      expect(ours.theirs).toEqual(plain.theirs);
      expect(ours.ours).toEqual(OURS);
      expect(ours.verdicts).toEqual(VERDICTS);
    },
  );

  test('set up after a first run', async () => {
    const late = await outcomeOf({
      app: 'coexistence/otel3/app.mjs',
      node,
      env: { ...env, OTEL_LOG_LEVEL: 'error' },
      args: ['node-sdk', 'late'],
    });
    expect(late.stderr).toBe('');
    expect(late.verdicts).toEqual([...VERDICTS, ...VERDICTS].sort());
    expect(late.theirs).toHaveLength(2);
  });
});

describe('beside the hooks of another copy of import-in-the-middle', () => {
  const app = 'coexistence/otel2/app.mjs';
  const own = ['--import', new URL('otel2/watch.mjs', import.meta.url).href];
  const orders: readonly (readonly [string, readonly string[], boolean])[] = [
    ['registered after ours', own, true],
    ['registered before ours', [...own, '--import', REGISTER], false],
  ];
  const nodes = [['Node 20', process.execPath] as const, ...NEWER_NODES];

  test.each(
    nodes.flatMap(([name, node]) => orders.map(([order, args, first]) => ({ name, order, node, args, first }))),
  )('$name, $order: both see the framework', async ({ node, args, first }) => {
    const result = await outcomeOf({
      app,
      node,
      nodeArgs: args,
      instrumented: first,
      args: ['node-sdk', 'first', 'lost'],
    });
    expect(result.printed.seen).toEqual(['function']);
    expect(result.ours).toEqual(OURS);
    expect(result.verdicts).toEqual(VERDICTS);
  });
});
