import { guarded } from '../../runtime/report.js';
import { filterFailed, filterReturned, filterStarts } from './filter-flow.js';
import { handoffAnnounced, invokeFailed, invokeReturned, invokeStarts } from './handoff-flow.js';
import type { AnyFunction } from '../../hooks/any-function.js';
import type { AgentLike, HandoffLike } from './internal-types.js';
import { isThenable, ownData } from '../../hooks/own-data.js';
import { currentScope } from './run-scope.js';

const followers = new WeakSet<object>();
const filterFollowers = new WeakMap<object, unknown>();

/**
 * A copy of a handoff that is followed when the SDK invokes it. The application's object is never changed: the SDK's own
 * `clone` makes the copy, or a view of the original where that does not exist yet. A subclass may hold private state that
 * neither carries over, so it is returned as it is and its handoffs are not recorded.
 */
export function followHandoff(handoff: unknown, agent: AgentLike, plain: object | undefined): unknown {
  if (typeof handoff !== 'object' || handoff === null || followers.has(handoff)) return handoff;
  if (plain !== undefined && Object.getPrototypeOf(handoff) !== plain) return handoff;
  const original = handoff as HandoffLike;
  if (typeof original.onInvokeHandoff !== 'function') return handoff;
  return guarded('following a handoff', () => copyOf(original, agent), handoff);
}

function copyOf(original: HandoffLike, agent: AgentLike): HandoffLike {
  const onInvokeHandoff: AnyFunction = (...args) => invoke(original, copy, agent, args);
  const copy: HandoffLike =
    typeof original.clone === 'function'
      ? original.clone({ onInvokeHandoff })
      : (Object.create(original, { onInvokeHandoff: { value: onInvokeHandoff, enumerable: true } }) as HandoffLike);
  // Asked by the SDK when the handoff runs, which may be in a resumed run of another runner.
  Object.defineProperty(copy, 'inputFilter', {
    get: () => followFilter(original.inputFilter ?? currentScope()?.run.runner.config?.handoffInputFilter),
    enumerable: true,
    configurable: true,
  });
  followers.add(copy);
  return copy;
}

function invoke(original: HandoffLike, copy: HandoffLike, agent: AgentLike, args: unknown[]): unknown {
  const run = currentScope()?.run;
  const call = (): unknown => Reflect.apply(original.onInvokeHandoff, original, args);
  if (run === undefined || run.ended) return call();
  guarded('a handoff', () => invokeStarts(run, copy, agent, args), undefined);
  const failed = (error: unknown): never => {
    guarded('a failed handoff', () => invokeFailed(run, error), undefined);
    throw error;
  };
  const done = (next: unknown): unknown => {
    guarded('the source of a handoff', () => invokeReturned(run, next, args), undefined);
    return next;
  };
  let returned: unknown;
  try {
    returned = call();
  } catch (error) {
    return failed(error);
  }
  return isThenable(returned) ? Promise.resolve(returned).then(done, failed) : done(returned);
}

/** The same filter to every look at it (name, length, own properties), with the call followed. Never makes one up. */
function followFilter(filter: unknown): unknown {
  if (typeof filter !== 'function') return filter;
  const known = filterFollowers.get(filter);
  if (known !== undefined) return known;
  const follower = new Proxy(filter as AnyFunction, { apply: applyFilter });
  filterFollowers.set(filter, follower);
  filterFollowers.set(follower, follower);
  return follower;
}

function applyFilter(filter: AnyFunction, self: unknown, args: unknown[]): unknown {
  const run = currentScope()?.run;
  if (run?.dispatch === undefined || run.ended) return Reflect.apply(filter, self, args);
  handoffAnnounced(run, ownData(args[0], 'runContext'));
  const before = guarded('a handoff filter', () => filterStarts(run, args[0]), undefined);
  let filtered: unknown;
  try {
    filtered = Reflect.apply(filter, self, args);
  } catch (error) {
    guarded('a failed handoff filter', () => filterFailed(run, error), undefined);
    throw error;
  }
  filterReturned(run, before, args[0], filtered);
  return filtered;
}
