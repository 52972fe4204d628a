import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

interface Report {
  readonly distinct: boolean;
  readonly counters: readonly number[];
  readonly spans: readonly { readonly name: string; readonly attributes: Readonly<Record<string, unknown>> }[];
}

it('lets the ESM and the CommonJS build of the package work as one in a process', async () => {
  const fixture = fileURLToPath(new URL('two-copies.fixture.mjs', import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, [fixture]);
  const { distinct, counters, spans } = JSON.parse(stdout) as Report;
  expect(distinct).toBe(true);
  expect(counters).toEqual([1, 1]);
  expect(spans.map((span) => span.name)).toEqual([
    'handoff billing',
    'ingest triage_to_billing',
    'invoke_agent billing',
    'invoke_agent triage',
  ]);
  const id = spans[0]?.attributes['seamtrace.handoff.id'];
  expect(spans[2]?.attributes).toMatchObject({
    'seamtrace.handoff.id': id,
    'seamtrace.handoff.role': 'destination',
    'seamtrace.handoff.execution': 1,
    'seamtrace.destination.complete': true,
  });
  expect(spans[3]?.attributes).toMatchObject({ 'seamtrace.handoff.dispatched_ids': [id] });
});
