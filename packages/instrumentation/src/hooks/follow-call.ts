import { guarded } from '../runtime/report.js';
import { isThenable } from './own-data.js';

/** What is told of a call that is followed. */
export interface Follower {
  readonly done: (result: unknown) => void;
  readonly failed: (error: unknown) => void;
}

/**
 * Calls `work` and tells how it ended, with the same result, error and order of both. A promise that nobody handles still
 * counts as unhandled, since what is returned is one that settles like it.
 */
export function follow(work: () => unknown, { done, failed }: Follower): unknown {
  const told = (result: unknown): unknown => {
    guarded('the end of a call', () => done(result), undefined);
    return result;
  };
  const threw = (error: unknown): never => {
    guarded('a failed call', () => failed(error), undefined);
    throw error;
  };
  let returned: unknown;
  try {
    returned = work();
  } catch (error) {
    return threw(error);
  }
  return isThenable(returned) ? Promise.resolve(returned).then(told, threw) : told(returned);
}
