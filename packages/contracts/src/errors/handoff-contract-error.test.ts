import { describe, expect, it } from 'vitest';
import { HandoffContractError } from './handoff-contract-error.js';

describe('the keys of a refusal', () => {
  it('are sorted by UTF-8 bytes and each named once, in the error and in its texts', () => {
    const keys = ['zeta', '\u{ff5e}b', 'alpha', '\u{1f600}', 'Zeta', 'alpha'];
    const error = new HandoffContractError({
      code: 'SEAMTRACE_SOURCE_INCOMPLETE',
      route: 'r',
      version: '1',
      keys,
      unreadable: ['zeta', 'alpha'],
      onViolation: 'ask',
    });
    const sorted = ['Zeta', 'alpha', 'zeta', '\u{ff5e}b', '\u{1f600}'];
    expect(error.keys).toEqual(sorted);
    expect(error.unreadable).toEqual(['alpha', 'zeta']);
    expect(error.message).toContain(sorted.join(', '));
    expect(error.askText).toContain(sorted.join(', '));
    expect(keys[0]).toBe('zeta');
  });
});
