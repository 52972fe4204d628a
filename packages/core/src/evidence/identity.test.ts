import { describe, expect, it } from 'vitest';
import { span } from '../../test/spans.js';
import { readIdentity } from './identity.js';

const read = (id: unknown) => readIdentity(span({ 'seamtrace.handoff.id': id as string }));

describe('readIdentity', () => {
  it.each(['REDACTED', 'xxxx', 'XXXXXXXX'])('does not join strangers under a mask: %s', (id) => {
    expect(read(id)).toContain('looks masked');
  });

  it.each(['ab', '-abc', 'a b c', 'é-123', 'a'.repeat(129), ''])('refuses what is no id: %j', (id) => {
    expect(read(id)).toContain('does not match');
  });

  it('says what stands there instead of a string', () => {
    expect(read(7n)).toContain('not a string');
    expect(readIdentity(span({}))).toBeUndefined();
  });

  it('doubts an attempt that cannot be read instead of taking it for the first', () => {
    const doubtful = readIdentity(span({ 'seamtrace.handoff.id': 'h-1', 'seamtrace.handoff.attempt': '2' }));
    expect(doubtful).toMatchObject({ attempt: 1, doubt: 'truncated' });
  });
});
