import type { ReadableLogRecord } from '@opentelemetry/sdk-logs';
import { expect, it, vi } from 'vitest';
import { createPersistentExporter } from './persistent-exporter.js';
import type { Sent } from './post.js';

const RECORDS = [{}, {}] as ReadableLogRecord[];

/** Answers each attempt with the next outcome; beyond the list nothing is answered at all. */
function setUp(...answers: Sent[]) {
  const said: string[] = [];
  const persistent = createPersistentExporter({
    post: () => (answers.length === 0 ? new Promise(() => {}) : Promise.resolve(answers.shift()!)),
    pauseMs: 1,
    maxPauseMs: 3,
    maxRetryAfterMs: 5,
    finished: (outcome, count) => said.push(`${outcome} ${count}`),
    settled: () => {},
    postponed: (_why, pauseMs) => said.push(`postponed ${pauseMs}`),
  });
  const done = vi.fn();
  persistent.export(RECORDS, done);
  return { persistent, said, done };
}

const taken: Sent = { kind: 'taken', rejected: 0, message: '' };
const refused: Sent = { kind: 'refused', status: 400 };
const later = (retryAfterMs?: number): Sent => ({ kind: 'later', status: 503, reason: 'status 503', retryAfterMs });

it('tries again until the endpoint takes the batch, less and less often', async () => {
  const { said, done } = setUp(later(), later(), later(), later(), taken);
  await vi.waitFor(() => expect(done).toHaveBeenCalledWith({ code: 0 }));
  expect(said).toEqual(['postponed 1', 'postponed 2', 'postponed 3', 'postponed 3', 'delivered 2']);
  expect(done).toHaveBeenCalledTimes(1);
});

it('waits as long as the endpoint asks for, within a limit', async () => {
  const { said, done } = setUp(later(4), later(3_600_000), taken);
  await vi.waitFor(() => expect(done).toHaveBeenCalled());
  expect(said).toEqual(['postponed 4', 'postponed 5', 'delivered 2']);
});

it('takes a refusal for good as one', async () => {
  const { said, done } = setUp(refused);
  await vi.waitFor(() => expect(done).toHaveBeenCalled());
  expect(said).toEqual(['failed 2']);
});

it('counts apart what the endpoint rejected of a batch that it took', async () => {
  const { said, done } = setUp({ ...taken, rejected: 1 });
  await vi.waitFor(() => expect(done).toHaveBeenCalled());
  expect(said).toEqual(['delivered 1', 'failed 1']);
});

it('ends what is under way when it is abandoned, once', () => {
  const { persistent, said, done } = setUp();
  persistent.abandon();
  persistent.abandon();
  expect(said).toEqual(['failed 2']);
  expect(done).toHaveBeenCalledTimes(1);
});

it('does not try again what was abandoned while it waited', async () => {
  vi.useFakeTimers();
  const { persistent, said } = setUp(later(5), taken);
  await vi.advanceTimersByTimeAsync(0);
  expect(said).toEqual(['postponed 5']);
  persistent.abandon();
  await vi.advanceTimersByTimeAsync(1_000);
  vi.useRealTimers();
  expect(said).toEqual(['postponed 5', 'failed 2']);
});

it('takes nothing on once it is abandoned', async () => {
  const { persistent, said, done } = setUp(taken);
  await vi.waitFor(() => expect(done).toHaveBeenCalled());
  persistent.abandon();
  persistent.export(RECORDS, () => {});
  expect(said).toEqual(['delivered 2', 'failed 2']);
});
