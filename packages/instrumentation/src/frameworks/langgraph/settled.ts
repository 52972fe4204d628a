import { isThenable } from '../../hooks/own-data.js';
import { apart } from './apart.js';

/**
 * Tells how a call of the framework's comes out, and leaves the promise as it is: its callers wait for that very one, in
 * the order in which they would without us.
 */
export function settled(
  running: unknown,
  { done, failed }: { readonly done: (result: unknown) => void; readonly failed: (error: unknown) => void },
): void {
  if (running instanceof Promise)
    running.then(
      (result) => apart(() => done(result)),
      (error: unknown) => apart(() => failed(error)),
    );
  else if (!isThenable(running)) apart(() => done(running));
}
