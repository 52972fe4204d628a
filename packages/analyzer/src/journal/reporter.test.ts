import pino from 'pino';
import { expect, it } from 'vitest';
import { createJournalReporter } from './reporter.js';

it('says each kind of trouble once a minute, its end once, and how a long replay goes', () => {
  const lines: { msg: string; reason?: string; batches?: number }[] = [];
  const logger = pino(
    { base: null },
    { write: (line: string) => void lines.push(JSON.parse(line) as (typeof lines)[0]) },
  );
  let clock = 1_000_000;
  const { fault, recovered, replayed } = createJournalReporter(logger, () => clock);
  recovered!();
  replayed!(10, 100);
  expect(lines).toEqual([]);
  clock += 2_000;
  replayed!(20, 100);
  fault!('full', 'database or disk is full');
  recovered!();
  fault!('full', 'again');
  recovered!();
  fault!('locked', 'database is locked');
  clock += 59_999;
  fault!('full', 'still within the minute');
  clock += 1;
  fault!('full', 'a minute later');
  recovered!();
  expect(lines.map(({ reason, batches, msg }) => reason ?? batches ?? msg)).toEqual([
    20,
    'full',
    'the journal keeps evidence again',
    'locked',
    'full',
    'the journal keeps evidence again',
  ]);
});
