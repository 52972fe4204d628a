import type { LogRecordExporter, ReadableLogRecord } from '@opentelemetry/sdk-logs';
import { expect, it, vi } from 'vitest';
import { createPersistentExporter } from './persistent-exporter.js';

const RECORDS = [{}, {}] as ReadableLogRecord[];

/** Answers each attempt with the next error; `undefined` is success, and beyond the list nothing is answered at all. */
function setUp(...answers: (Error | undefined)[]) {
  const said: string[] = [];
  const exporter: LogRecordExporter = {
    export(_records, done) {
      if (answers.length === 0) return;
      const error = answers.shift();
      done(error === undefined ? { code: 0 } : { code: 1, error });
    },
    forceFlush: () => Promise.resolve(),
    shutdown: () => Promise.resolve(),
  };
  const persistent = createPersistentExporter({
    exporter,
    pauseMs: 0,
    finished: (outcome, count) => said.push(`${outcome} ${count}`),
    postponed: () => said.push('postponed'),
  });
  const done = vi.fn();
  persistent.export(RECORDS, done);
  return { persistent, said, done };
}

const temporary = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
const final = Object.assign(new Error('Bad Request'), { code: 400 });

it('tries again until the endpoint takes the batch', async () => {
  const { said, done } = setUp(temporary, temporary, undefined);
  await vi.waitFor(() => expect(done).toHaveBeenCalledWith({ code: 0 }));
  expect(said).toEqual(['postponed', 'postponed', 'delivered 2']);
  expect(done).toHaveBeenCalledTimes(1);
});

it('takes a refusal for good as one', () => {
  const { said, done } = setUp(final);
  expect(done).toHaveBeenCalledWith({ code: 1, error: final });
  expect(said).toEqual(['failed 2']);
});

it('ends what is under way when it is abandoned, once', () => {
  const { persistent, said, done } = setUp();
  persistent.abandon();
  persistent.abandon();
  expect(said).toEqual(['failed 2']);
  expect(done).toHaveBeenCalledTimes(1);
});

it('does not try again what was abandoned while it waited', () => {
  const { persistent, said } = setUp(temporary, undefined);
  persistent.abandon();
  expect(said).toEqual(['postponed', 'failed 2']);
});

it('takes nothing on once it is abandoned', () => {
  const { persistent, said } = setUp(undefined);
  persistent.abandon();
  persistent.export(RECORDS, () => {});
  expect(said).toEqual(['delivered 2', 'failed 2']);
});
