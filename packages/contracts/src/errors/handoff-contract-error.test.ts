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

describe('a payload that lacks what the source had', () => {
  const refusal = {
    code: 'SEAMTRACE_PROJECTION_INCOMPLETE',
    route: 'r',
    version: '1',
    keys: ['invoice_id'],
    to: 'billing',
  } as const;
  const texts = (payloadBy?: 'application' | 'contract') => {
    const ask = new HandoffContractError({ ...refusal, payloadBy, onViolation: 'ask' });
    const human = new HandoffContractError({ ...refusal, payloadBy, onViolation: 'human' });
    const { decision, options, facts } = human.escalation ?? { decision: '', options: [], facts: [] };
    return [ask.message, ask.askText, [decision, ...options, ...facts].join(' ')];
  };

  it('is not blamed on the contract where the application made the payload', () => {
    for (const text of texts('application')) {
      expect(text).toContain('invoice_id');
      expect(text).toContain('what packs or filters the payload');
      expect(text).not.toMatch(/contract (itself )?drops|correct the (contract|migration)|needs correction/i);
    }
    expect(texts('application')[1]).toContain('The handoff to billing was not made: the payload handed over lacks');
  });

  it('is the contract contradicting itself where the projection dropped the key', () => {
    for (const payloadBy of [undefined, 'contract'] as const) {
      const [message, ask] = texts(payloadBy);
      expect(message).toMatch(/permit them, or correct the migration$/);
      expect(ask).toMatch(/its contract drops invoice_id, which it also requires/);
    }
  });
});
