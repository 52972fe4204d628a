import { manualClock } from '@seamtrace/testkit';
import { pino } from 'pino';
import { expect, it } from 'vitest';
import { createOverLimitNotice } from './over-limit.js';

it('names the id and the limit, once a minute', () => {
  const said: string[] = [];
  const clock = manualClock();
  const notice = createOverLimitNotice(pino({}, { write: (line) => void said.push(line) }), clock.now);
  for (let span = 0; span < 3; span += 1) notice('h-1', 256);
  expect(said).toHaveLength(1);
  expect(JSON.parse(said[0]!)).toMatchObject({ level: 40, handoffId: 'h-1', maxAttempts: 256 });
  clock.advance(60_000);
  notice('h-2', 256);
  expect(said).toHaveLength(2);
});
