import { expect, it } from 'vitest';
import { runApp } from '../run-app.js';

it('adds the ids of the work at hand to lines of pino, winston and console, after those of the application', async () => {
  const { code, stdout, stderr } = await runApp({ app: 'loggers/newest/app.mjs' });
  expect([code, stderr]).toEqual([0, expect.not.stringContaining('Error')]);
  const { lines, written, table, untouched, first, handoff_id } = JSON.parse(stdout) as {
    lines: Record<string, unknown>[];
    written: unknown[][];
    table: string;
    untouched: boolean;
    first: { correlation_id: string; task_id: string };
    handoff_id: string;
  };
  expect(first.correlation_id).toBe(first.task_id);
  const of = (message: string) =>
    lines
      .filter(({ msg, message: text }) => (msg ?? text) === message)
      .map(({ level: _, msg: __, message: ___, ...ids }) => ids);
  const own = { task_id: 'of the application' };

  expect(of('outside')).toEqual([{}, { own: 1, ...own }, {}, own]);
  expect(of('first')).toEqual([first, { ...first, own: 1, ...own }, first, { ...first, ...own }]);
  const second = { ...first, handoff_id };
  expect(of('second')).toEqual([second, { ...second, own: 1, ...own }, second, { ...second, ...own }]);
  const ids = [`correlation_id=${first.correlation_id}`, `handoff_id=${handoff_id}`, `task_id=${first.task_id}`];
  expect(written).toEqual([
    ['%s', 'outside'],
    ['%s', 'first', ids[0], ids[2]],
    ['%s', 'second', ...ids],
  ]);
  expect([table, untouched]).toEqual(['a table', true]);
});
