import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { type ManualClock, manualClock } from '@seamtrace/testkit';
import { destination, dispatch, setUp } from '../test/pipeline.js';
import type { Journal } from './journal/journal.js';
import { createSqliteJournal } from './journal/sqlite/journal.js';

let directory: string;
const open: Journal[] = [];
beforeEach(() => void (directory = mkdtempSync(path.join(tmpdir(), 'seamtrace-restore-'))));
afterEach(async () => {
  for (const journal of open.splice(0)) await journal.close();
  rmSync(directory, { recursive: true });
});

async function begin(restored = true, clock?: ManualClock) {
  const journal = await createSqliteJournal({ directory, durability: 'process' });
  open.push(journal);
  return setUp(100, journal, restored, clock);
}

it('grades after a restart what was pending, counted from its receipt', async () => {
  const before = await begin();
  await before.send(dispatch('h-1'));
  await before.send(destination('h-1'), dispatch('h-2'));
  await before.journal.close();

  const after = await begin();
  expect(after.pipeline.sizes().pending).toBe(2);
  after.clock.advance(5_000);
  after.pipeline.tick();
  expect(after.written).toMatchObject([{ handoff_id: 'h-1', verdict: 'passed', revision: 1 }]);
  after.clock.advance(55_000);
  after.pipeline.tick();
  expect(after.written[1]).toMatchObject({ handoff_id: 'h-2', reason: 'span_missing', revision: 1 });
});

it('does not deliver again what every sink had, and goes on with its revisions', async () => {
  const before = await begin();
  await before.send(dispatch('h-1', { payloadStage: ['customer_id'] }));
  before.clock.advance(60_000);
  before.pipeline.tick();
  expect(before.written).toMatchObject([{ verdict: 'packaging_loss', revision: 1 }]);
  await before.journal.close();

  const after = await begin();
  after.clock.advance(60_000);
  after.pipeline.tick();
  expect(after.written).toEqual([]);
  await after.send(destination('h-1', { destinationStage: ['customer_id', 'invoice_id'] }));
  after.clock.advance(5_000);
  after.pipeline.tick();
  expect(after.written).toMatchObject([{ verdict: 'packaging_loss', delivered: 'yes', revision: 2 }]);
});

it('delivers a verdict again under the same id where no sink is known to have had it', async () => {
  const before = await begin();
  const lost: Record<string, unknown>[] = [];
  before.lines.write = (line: string) => void lost.push(JSON.parse(line) as Record<string, unknown>);
  await before.send(dispatch('h-1'), destination('h-1'));
  before.clock.advance(5_000);
  before.pipeline.tick();
  // Evidence that came after the verdict must not change what is delivered a second time as its first revision.
  await before.send(destination('h-1', { destinationStage: ['customer_id'] }));
  await before.journal.close();

  const after = await begin();
  after.clock.advance(15_000);
  after.pipeline.tick();
  expect(lost).toMatchObject([{ verdict: 'passed', revision: 1 }]);
  expect(after.written.find(({ revision }) => revision === 1)).toEqual(lost[0]);
  expect(after.written.map(({ revision }) => revision)).toEqual([1, 2]);
});

it('puts senders off until it is through with its journal, and counts what they repeat', async () => {
  const before = await begin();
  const spans = [dispatch('h-1'), destination('h-1')];
  await before.send(...spans);
  await before.journal.close();

  const after = await begin(false);
  expect(await after.send(...spans)).toMatchObject({ kind: 'unavailable', retryAfterSeconds: 5 });
  await after.pipeline.restore();
  expect(await after.send(...spans)).toMatchObject({ kind: 'accepted' });
  expect(await after.series('seamtrace_analyzer_spans_total')).toEqual([
    'seamtrace_analyzer_spans_total{outcome="refused"} 2',
    expect.stringMatching(/outcome="ignored"\} 0/),
    expect.stringMatching(/outcome="rejected"\} 0/),
    'seamtrace_analyzer_spans_total{outcome="duplicate"} 2',
    expect.stringMatching(/outcome="accepted"\} 0/),
  ]);
});

it('leaves to the next start what its time has not come for', async () => {
  const before = await begin();
  await before.send(dispatch('h-1'), destination('h-1'), dispatch('h-2'));
  expect(before.pipeline.drain()).toEqual({ graded: 0, undecided: [], journaled: 2 });
  expect(before.written).toEqual([]);
});

it('keeps its deadlines where the clock was set back before the start', async () => {
  const before = await begin();
  await before.send(dispatch('h-1'));
  before.clock.advance(1_000);
  await before.send(dispatch('h-2'), destination('h-2'));
  await before.journal.close();

  const after = await begin(true, manualClock(before.clock.now() - 3_600_000));
  after.clock.advance(5_000);
  after.pipeline.tick();
  expect(after.written).toMatchObject([{ handoff_id: 'h-2', verdict: 'passed' }]);
  after.clock.advance(54_000);
  after.pipeline.tick();
  expect(after.written[1]).toMatchObject({ handoff_id: 'h-1', reason: 'span_missing' });
});

it('lets the event loop go on while it takes up a journal', async () => {
  const before = await begin();
  await Promise.all(Array.from({ length: 60 }, (_, batch) => before.send(dispatch(`h-${batch}`))));
  await before.send(...Array.from({ length: 513 }, (_, index) => dispatch(`large-${index}`)));
  await before.journal.close();

  const after = await begin(false);
  let turns = 0;
  const count = (): void => {
    turns += 1;
    next = setImmediate(count);
  };
  let next = setImmediate(count);
  const now = vi.spyOn(performance, 'now').mockImplementation(() => (slow += 20));
  let slow = 0;
  await after.pipeline.restore();
  now.mockRestore();
  clearImmediate(next);
  expect(turns).toBeGreaterThanOrEqual(63);
});

it('lets go of the journal of a service that gets no more traffic', async () => {
  const { clock, journal, pipeline, send } = await begin();
  const released: number[] = [];
  journal.release = (before) => void released.push(before);
  await send(dispatch('h-1'), destination('h-1'));
  const receivedAt = clock.now();
  for (let wake = pipeline.next(); wake !== undefined && released.length < 10_000; wake = pipeline.next()) {
    clock.advance(Math.max(0, wake - clock.now()));
    pipeline.tick();
  }
  expect(pipeline.next()).toBeUndefined();
  expect(released.at(-1)).toBeGreaterThan(receivedAt + 5_000);
});

it('gives up taking up a journal when it is told to stop, and leaves all of it to the next start', async () => {
  const before = await begin();
  await before.send(dispatch('h-1'));
  await before.send(dispatch('h-2'));
  await before.journal.close();

  const stopped = await begin(false);
  await expect(stopped.pipeline.restore(AbortSignal.abort('SIGTERM'))).rejects.toBe('SIGTERM');
  await stopped.journal.close();
  expect((await begin()).pipeline.sizes().pending).toBe(2);
});

it('states the time that its deadlines are in, so that a timer does not wait for a clock that was set back', async () => {
  const before = await begin();
  await before.send(dispatch('h-1'), destination('h-1'));
  await before.journal.close();

  const { pipeline } = await begin(true, manualClock(before.clock.now() - 3_600_000));
  expect(pipeline.next()! - pipeline.now()).toBe(5_000);
});
