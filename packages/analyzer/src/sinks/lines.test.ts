import { Writable } from 'node:stream';
import { pino } from 'pino';
import { expect, it } from 'vitest';
import { createLineSink } from './lines.js';

const unheard = (): void => {};

/** A reader that takes a line only when told to. */
function slowReader() {
  const read: string[] = [];
  const held: (() => void)[] = [];
  const stream = new Writable({
    highWaterMark: 8,
    write(chunk, _encoding, done) {
      read.push(String(chunk));
      held.push(done);
    },
  });
  const step = async () => {
    held.shift()?.();
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { stream, read, step };
}

function setUp(stream: Writable, highWater?: number) {
  const outcomes: Record<string, number> = {};
  const logger = pino({ level: 'silent' });
  const record = (outcome: string, count: number) => (outcomes[outcome] = (outcomes[outcome] ?? 0) + count);
  return {
    outcomes,
    lines: createLineSink({ stream, logger, record, ...(highWater === undefined ? {} : { highWater }) }),
  };
}

it('waits for a slow reader, says when it is too far behind, and loses nothing', async () => {
  const { stream, read, step } = slowReader();
  const { lines, outcomes } = setUp(stream, 3);
  for (let line = 0; line < 6; line += 1) lines.write(`line ${line}, long enough\n`, unheard);
  expect(stream.writableLength).toBeLessThan(30);
  expect(lines.congested).toBe(true);
  const flushed = lines.flush(60_000);
  for (let line = 0; line < 6; line += 1) await step();
  expect(await flushed).toBe(0);
  expect(read).toHaveLength(6);
  expect(lines.congested).toBe(false);
  expect(outcomes).toEqual({ delivered: 6 });
});

it('gives up at the time limit and says how many lines are left, those included that the stream still holds', async () => {
  const { stream, step } = slowReader();
  const { lines, outcomes } = setUp(stream);
  for (let line = 0; line < 4; line += 1) lines.write(`line ${line}, long enough\n`, unheard);
  expect(await lines.flush(0)).toBe(4);
  await step();
  expect(outcomes).toEqual({ dropped: 4 });
});

it('goes on without lines when the reader has gone away', async () => {
  const stream = new Writable({
    highWaterMark: 1,
    write(_chunk, _encoding, done) {
      setImmediate(() => done(Object.assign(new Error('write EPIPE'), { code: 'EPIPE' })));
    },
  });
  const { lines, outcomes } = setUp(stream);
  lines.write('first\n', unheard);
  lines.write('second\n', unheard);
  const flushed = lines.flush(60_000);
  expect(await flushed).toBe(0);
  lines.write('third\n', unheard);
  expect(outcomes).toEqual({ dropped: 3 });
});

it('says which lines are settled: written, or left by a reader that is gone; not those that a stop leaves behind', async () => {
  const { stream, step } = slowReader();
  const { lines } = setUp(stream);
  const said: string[] = [];
  lines.write('first, long enough\n', () => said.push('first'));
  lines.write('second\n', () => said.push('second'));
  await step();
  expect(said).toEqual(['first']);
  await lines.flush(0);
  await step();
  expect(said).toEqual(['first']);

  const gone = new Writable({ highWaterMark: 1, write: (_chunk, _encoding, done) => done(new Error('EPIPE')) });
  const unread = setUp(gone).lines;
  for (const line of ['third', 'fourth']) unread.write(`${line}\n`, () => said.push(line));
  await unread.flush(60_000);
  unread.write('fifth\n', () => said.push('fifth'));
  expect(said.slice(1).sort()).toEqual(['fifth', 'fourth', 'third']);
});
