import { expect, it } from 'vitest';
import type { ToolEvidence } from '../evidence/types.js';
import { createToolCalls } from './tools.js';

function call(spanId: string, startUnixNano = '1'): ToolEvidence {
  const span = {
    traceId: 't',
    spanId,
    execution: 1,
    startUnixNano,
    endUnixNano: startUnixNano,
    failed: false,
    errorType: undefined,
  };
  return { runHandoffId: 'h', taskId: undefined, tool: 'look_up', agent: undefined, argumentsDigest: undefined, span };
}

it('orders calls by start whatever order they come in, each once', () => {
  const tools = createToolCalls({ maxPerHandoff: 10, max: 100, dropped: () => {} });
  expect(tools.add('h', call('b', '10'))).toBe('added');
  expect(tools.add('h', call('a', '9'))).toBe('added');
  expect(tools.add('h', call('a', '9'))).toBe('duplicate');
  expect(tools.of('h').map(({ span }) => span.spanId)).toEqual(['a', 'b']);
  expect(tools.of('unknown')).toEqual([]);
});

it('keeps the first calls of a handoff that makes too many, and drops the oldest handoff when all are too many', () => {
  let dropped = 0;
  const tools = createToolCalls({ maxPerHandoff: 2, max: 4, dropped: (count) => (dropped += count) });
  for (const id of ['a', 'b', 'c']) expect(tools.add('flood', call(id))).toBe(id === 'c' ? 'dropped' : 'added');
  tools.add('second', call('d'));
  tools.add('second', call('e'));
  expect(dropped).toBe(1);
  tools.add('third', call('f'));
  expect(dropped).toBe(3);
  expect(tools.of('flood')).toEqual([]);
  expect(tools.of('second')).toHaveLength(2);
  expect(tools.size).toBe(3);
  tools.remove('second');
  expect(tools.size).toBe(1);
});
