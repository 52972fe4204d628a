import { encodeProtobuf, traceRequest } from '@seamtrace/testkit';
import { expect, test } from 'vitest';
import { createAllowance } from '../src/receive/allowance.js';
import { destination, dispatch } from './pipeline.js';
import { PROTOBUF, send, statusOf } from './receiver.js';
import { startService } from './service.js';

const batch = (id: string) => encodeProtobuf(traceRequest([dispatch(id), destination(id)]));

test.each([
  ['full', /disk of this receiver is full/],
  ['overloaded', /more evidence than its disk takes/],
] as const)(
  'a journal that is %s: 503 with the Retry-After it asks for; once it recovers all is accepted, and counted once',
  async (mood, message) => {
    const { port, journal, pipeline, spans, requests } = await startService();
    const batches = ['h-001', 'h-002', 'h-003'].map(batch);
    journal.mood(mood);
    for (const body of batches) {
      const reply = await send(port, body);
      expect([reply.status, reply.headers['retry-after'], statusOf(reply).code]).toEqual([503, '7', 14]);
      expect(statusOf(reply).message).toMatch(message);
      expect(statusOf(reply).message).not.toContain('secret');
    }
    expect(pipeline.sizes().pending).toBe(0);
    journal.mood('fine');
    for (const body of batches) expect((await send(port, body)).status).toBe(200);
    expect(pipeline.sizes().pending).toBe(3);
    expect(await spans()).toEqual({ refused: 6, accepted: 6 });
    expect(await requests()).toEqual({ '503': 3, '200': 3 });
  },
);

test('what needs no journal is answered while there is none: foreign spans, and what it holds already', async () => {
  const { port, journal, spans } = await startService();
  expect((await send(port, batch('h-001'))).status).toBe(200);
  journal.mood('full');
  const foreign = encodeProtobuf(traceRequest([{ ...dispatch('h-002'), attributes: { 'http.route': '/a' } }]));
  expect((await send(port, foreign)).status).toBe(200);
  expect((await send(port, batch('h-001'))).status).toBe(200);
  expect((await send(port, batch('h-002'))).status).toBe(503);
  expect(await spans()).toEqual({ accepted: 2, ignored: 1, duplicate: 2, refused: 2 });
});

test('a journal that is stuck fills what may be in flight; then 503, drain, recovery, and nothing twice', async () => {
  const bytes = batch('h-000').length;
  const fits = 3;
  const allowance = createAllowance(fits * (4096 + bytes));
  const { port, journal, pipeline, spans, requests } = await startService({ allowance });
  journal.mood('stuck');
  const ids = Array.from({ length: 10 }, (_, index) => `h-00${index}`);
  const early = ids.slice(0, fits).map((id) => send(port, batch(id)));
  await journal.whenStuck(fits);
  const late = await Promise.all(ids.slice(fits).map((id) => send(port, batch(id))));
  for (const reply of late) {
    expect([reply.status, Number(reply.headers['retry-after']) >= 1]).toEqual([503, true]);
    expect(statusOf(reply).message).toContain('in flight');
  }
  journal.letThrough();
  expect((await Promise.all(early)).map(({ status }) => status)).toEqual([200, 200, 200]);
  expect(allowance.heldBytes).toBe(0);
  for (const id of ids.slice(fits)) expect((await send(port, batch(id))).status).toBe(200);
  expect(pipeline.sizes().pending).toBe(10);
  // Nobody knows what the requests held that were refused before they were decoded: they are requests, not spans.
  expect(await spans()).toEqual({ accepted: 20 });
  expect(await requests()).toEqual({ '200': 10, '503': 7 });
});

test('a sender that gave up waiting and sent again is counted as a duplicate, and heard once', async () => {
  const { port, journal, pipeline, spans } = await startService();
  journal.mood('stuck');
  const first = send(port, batch('h-001'));
  await journal.whenStuck(1);
  const again = send(port, batch('h-001'), PROTOBUF);
  await journal.whenStuck(2);
  journal.letThrough();
  expect([(await first).status, (await again).status]).toEqual([200, 200]);
  expect(pipeline.sizes().pending).toBe(1);
  expect(await spans()).toEqual({ accepted: 2, duplicate: 2 });
});

test('nothing is graded past a batch that the journal still has, also when a later one was refused at once', async () => {
  const { port, journal, pipeline, clock } = await startService();
  journal.mood('fine');
  expect((await send(port, batch('h-001'))).status).toBe(200);
  journal.mood('stuck');
  const waiting = send(port, batch('h-002'));
  await journal.whenStuck(1);
  clock.advance(10_000);
  journal.mood('overloaded');
  expect((await send(port, batch('h-003'))).status).toBe(503);
  pipeline.tick();
  // Its five seconds of settling are over by the clock, but not by what was received and offered.
  expect(pipeline.sizes().pending).toBe(1);
  journal.letThrough();
  expect((await waiting).status).toBe(200);
  clock.advance(60_000);
  pipeline.tick();
  expect(pipeline.sizes().pending).toBe(0);
});
