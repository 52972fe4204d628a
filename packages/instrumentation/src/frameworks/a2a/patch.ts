import type { AnyFunction } from '../../hooks/any-function.js';
import type { Wiring } from '../../hooks/wiring.js';
import { type Unwrap, wrapMethod } from '../../hooks/wrap-method.js';
import { wrapInterceptAfter, wrapInterceptBefore } from './client-hooks.js';
import type { A2AModule } from './internal-types.js';
import { wrapOldSend, wrapOldStream } from './old-client.js';
import { wrapHandle, wrapPublish } from './server-hooks.js';
import type { A2AConfig } from './types.js';

/** One loaded copy of the SDK's client or server, patched. */
export interface PatchedCopy {
  readonly wiring: Wiring;
  readonly config: () => A2AConfig;
  /** False after `disable`; a wrapper that had to stay then only passes through. */
  active: boolean;
}

const PATCHED = Symbol.for('seamtrace.instrumentation.a2a.v1.patched');

type Patches = Readonly<Record<string, (original: AnyFunction) => AnyFunction>>;

/**
 * Patches the prototypes of one copy, once, whoever asks and from whichever build of this package. Returns what takes the
 * patches away again, or `undefined` where the copy is patched already or is none.
 */
export function patchCopy(module: A2AModule, wiring: Wiring, config: () => A2AConfig): (() => void) | undefined {
  const copy: PatchedCopy = { wiring, config, active: true };
  const wrapped = [
    ...patchPrototype(module.Client?.prototype, {
      interceptBefore: wrapInterceptBefore(copy),
      interceptAfter: wrapInterceptAfter(copy),
    }),
    ...patchPrototype(module.A2AClient?.prototype, {
      sendMessage: wrapOldSend(copy),
      sendMessageStream: wrapOldStream(copy),
    }),
    ...patchPrototype(module.DefaultRequestHandler?.prototype, {
      sendMessage: wrapHandle(copy),
      sendMessageStream: wrapHandle(copy),
    }),
    ...patchPrototype(module.DefaultExecutionEventBus?.prototype, { publish: wrapPublish(copy) }),
  ];
  if (wrapped.length === 0) return undefined;
  return () => {
    copy.active = false;
    for (const unwrap of wrapped) unwrap();
  };
}

function patchPrototype(prototype: object | undefined, patches: Patches): Unwrap[] {
  const marked = prototype as Record<symbol, unknown> | undefined;
  if (marked === undefined || Object.hasOwn(marked, PATCHED)) return [];
  Object.defineProperty(marked, PATCHED, { value: true, configurable: true });
  const wrapped = Object.entries(patches).map(([name, wrap]) => wrapMethod(marked, name, wrap));
  const unmark: Unwrap = () => delete marked[PATCHED];
  return [unmark, ...wrapped.filter((unwrap): unwrap is Unwrap => unwrap !== undefined)];
}
