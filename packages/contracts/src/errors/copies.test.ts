import { createRequire } from 'node:module';
import { expect, test } from 'vitest';
import { HandoffContractError } from './handoff-contract-error.js';

test('an error of another copy of the class is one, another error and a subclass of it are not', () => {
  const options = { code: 'SEAMTRACE_INGEST_REJECTED', route: 'r', version: '1', keys: ['a'] } as const;
  const required = createRequire(import.meta.url)('../../dist/cjs/index.js') as {
    HandoffContractError: typeof HandoffContractError;
  };
  const theirs = new required.HandoffContractError(options);
  expect(Object.getPrototypeOf(theirs)).not.toBe(HandoffContractError.prototype);
  expect(theirs instanceof HandoffContractError).toBe(true);
  expect(new HandoffContractError(options) instanceof required.HandoffContractError).toBe(true);
  expect(new Error('x') instanceof HandoffContractError).toBe(false);
  class Narrower extends HandoffContractError {}
  expect(theirs instanceof Narrower).toBe(false);
  expect(new Narrower(options) instanceof Narrower).toBe(true);
  expect(new Narrower(options) instanceof HandoffContractError).toBe(true);
});
