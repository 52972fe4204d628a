import { isThenable } from '../../hooks/own-data.js';
import { guarded } from '../../runtime/report.js';

/**
 * Calls `work` and tells how it ended, with the same result, error and order of both. A promise that nobody handles still
 * counts as unhandled, since what is returned is one that settles like it.
 */
export function follow(
  work: () => unknown,
  done: (result: unknown) => void,
  failed: (error: unknown) => void,
): unknown {
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
