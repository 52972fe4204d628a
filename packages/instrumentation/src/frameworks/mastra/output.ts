import type { AnyFunction } from '../../hooks/any-function.js';
import { errorTypeOf } from '../../hooks/error-type.js';
import { type Unwrap, wrapMethod } from '../../hooks/wrap-method.js';
import { guarded } from '../../runtime/report.js';
import { classPrototype } from './model-call.js';
import { endRun } from './run-flow.js';
import { asksPerson } from './people.js';
import type { MastraRun } from './run.js';
import { currentScope } from './run-scope.js';

// The end of a run is the end of its output, which Mastra reads to the end by one method, whoever asked for it: for
// `generate`, for each promise of a stream and for each of its readers. Nothing is read here, and nothing read earlier.

const LLM_CLASS: ReadonlySet<unknown> = new Set(['MastraLLMVNext']);
const OUTPUT_CLASS: ReadonlySet<unknown> = new Set(['MastraModelOutput']);
const PATCHED = Symbol.for('seamtrace.instrumentation.mastra.v1.output');

const SELF = Symbol('seamtrace.output');

const runs = new WeakMap<object, MastraRun>();
const watched = new WeakSet<object>();

/** Patches the class of a resolved language model, and of what it answers with, once. */
export function patchLlmClass(llm: unknown, active: () => boolean, keep: (unwraps: readonly Unwrap[]) => void): void {
  const wrapStream = (original: AnyFunction): AnyFunction =>
    function stream(this: unknown, ...args: unknown[]): unknown {
      const output = Reflect.apply(original, this, args);
      guarded(
        'the output of a run',
        () => {
          const scope = active() ? currentScope() : undefined;
          if (scope?.run === undefined || scope.call !== undefined || scope.run.output !== undefined) return;
          const unwraps = patchClass(output, OUTPUT_CLASS, 'consumeStream', wrapConsume);
          if (unwraps === undefined) return;
          keep(unwraps);
          // What is given out is a Proxy of Mastra's, whose methods are bound to the output behind it.
          const self = (output as { [SELF](): object })[SELF]();
          scope.run.output = self;
          runs.set(self, scope.run);
        },
        undefined,
      );
      return output;
    };
  keep(patchClass(llm, LLM_CLASS, 'stream', wrapStream) ?? []);
}

/** `undefined` where the object is none of the class. */
function patchClass(
  value: unknown,
  names: ReadonlySet<unknown>,
  method: string,
  wrap: (original: AnyFunction) => AnyFunction,
): readonly Unwrap[] | undefined {
  const prototype = classPrototype(value, names);
  if (prototype === undefined) return undefined;
  if (Object.hasOwn(prototype, PATCHED)) return [];
  const unwrap = wrapMethod(prototype, method, wrap);
  if (unwrap === undefined) return undefined;
  Object.defineProperty(prototype, PATCHED, { value: true, configurable: true });
  Object.defineProperty(prototype, SELF, { value: self, configurable: true });
  return [unwrap, () => Reflect.deleteProperty(prototype, PATCHED)];
}

function self(this: unknown): unknown {
  return this;
}

function wrapConsume(original: AnyFunction): AnyFunction {
  return function consumeStream(this: unknown, ...args: unknown[]): unknown {
    const promise = Reflect.apply(original, this, args);
    guarded('the end of a run', () => watch(this as object, promise), undefined);
    return promise;
  };
}

function watch(output: object, promise: unknown): void {
  const run = runs.get(output);
  if (run === undefined || watched.has(output) || !(promise instanceof Promise)) return;
  watched.add(output);
  const over = (): void => guarded('the end of a run', () => outputEnds(run, output), undefined);
  // Mastra's own method keeps every error of the stream to itself, so that nothing here hides a rejection.
  promise.then(over, over);
}

interface Output {
  readonly status?: unknown;
  readonly error?: unknown;
  readonly suspendPayload?: unknown;
}

function outputEnds(run: MastraRun, output: Output): void {
  const { status } = output;
  if (status !== 'suspended') {
    return endRun(
      run,
      status === 'failed' ? errorTypeOf(output.error) : status === 'canceled' ? 'cancelled' : undefined,
    );
  }
  // The output has been read to its end, so that this promise is settled, and asking for it reads nothing.
  const suspended = (payload: unknown): void =>
    guarded(
      'a suspended run',
      () => {
        asksPerson(run, payload);
        endRun(run);
      },
      undefined,
    );
  Promise.resolve(output.suspendPayload).then(suspended, () => suspended(undefined));
}
