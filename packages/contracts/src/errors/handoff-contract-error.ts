import { sortUnique } from '../keys/order.js';
import type { OnViolation } from '../types.js';
import {
  createAskText,
  createEscalation,
  type Escalation,
  lostByApplication,
  nameRoute,
  type Refusal,
} from './escalation.js';

const BRAND = Symbol.for('seamtrace.contracts.v1.handoff-contract-error');

/** What a {@link HandoffContractError} is made of. */
export interface HandoffContractErrorOptions extends Refusal {
  /** Of `keys`, those that may be there and cannot be read without running user code. */
  readonly unreadable?: readonly string[] | undefined;
  /** The route's `on_violation`; decides what the error offers beside its code. */
  readonly onViolation?: OnViolation | undefined;
}

function describe(options: HandoffContractErrorOptions): string {
  const keys = options.keys.join(', ');
  const where = nameRoute(options);
  const unreadable = options.unreadable ?? [];
  const hidden =
    unreadable.length === 0
      ? ''
      : ` (${unreadable.join(', ')} may be there, behind an accessor or a Proxy that is not run: hand over plain data)`;
  if (options.code === 'SEAMTRACE_SOURCE_INCOMPLETE') {
    return `required source context is missing: ${keys} (${where})${hidden}; collect it before handing over`;
  }
  if (lostByApplication(options)) {
    return `the payload handed over lacks required keys: ${keys} (${where}); look at what packs or filters the payload`;
  }
  if (options.code === 'SEAMTRACE_PROJECTION_INCOMPLETE') {
    return `handoff packaging removed required keys: ${keys} (${where}); permit them, or correct the migration`;
  }
  return `required context did not arrive: ${keys} (${where}); compare what was sent with what was loaded`;
}

/**
 * A handoff that its contract refuses: before dispatch because the source lacks a key
 * (`SEAMTRACE_SOURCE_INCOMPLETE`) or what is sent lost one (`SEAMTRACE_PROJECTION_INCOMPLETE`), or at ingest where
 * the consumer side enforces (`SEAMTRACE_INGEST_REJECTED`). Names keys, never values.
 *
 * With `on_violation: ask` it carries `askText` for the source agent, with `human` an `escalation` for a person, with
 * `fail` neither.
 */
export class HandoffContractError extends Error {
  /**
   * True for an error of any loaded copy of this package: hooks may come from the CommonJS build while the application
   * imports this class as an ES module.
   */
  static override [Symbol.hasInstance](value: unknown): boolean {
    if (this !== HandoffContractError) return Function.prototype[Symbol.hasInstance].call(this, value);
    return typeof value === 'object' && value !== null && BRAND in value;
  }

  override readonly name = 'HandoffContractError';
  readonly code: Refusal['code'];
  readonly route: string;
  /** Empty where no version is known. */
  readonly version: string;
  /** Sorted by UTF-8 bytes, each once. */
  readonly keys: readonly string[];
  readonly unreadable: readonly string[];
  readonly onViolation: OnViolation | undefined;
  readonly askText: string | undefined;
  readonly escalation: Escalation | undefined;

  constructor(given: HandoffContractErrorOptions) {
    const options = { ...given, keys: sortUnique(given.keys), unreadable: sortUnique(given.unreadable ?? []) };
    super(describe(options));
    this.code = options.code;
    this.route = options.route;
    this.version = options.version;
    this.keys = options.keys;
    this.unreadable = options.unreadable;
    this.onViolation = options.onViolation;
    this.askText = options.onViolation === 'ask' ? createAskText(options) : undefined;
    this.escalation = options.onViolation === 'human' ? createEscalation(options) : undefined;
  }
}

Object.defineProperty(HandoffContractError.prototype, BRAND, { value: true });
