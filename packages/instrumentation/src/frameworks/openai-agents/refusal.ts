import { refusalOf } from '../../enforce/judge.js';
import { guarded } from '../../runtime/report.js';
import type { AgentRun } from './agent-run.js';
import { type Dispatch, endDispatch } from './dispatch.js';

/**
 * Where the producer side of the route is enforced and a required key is proven absent, ends the dispatch as `prevented`
 * and throws: `onInvokeHandoff` must return an agent and a filter its input, so there is no gentler way out of a run.
 * What was not completely observed refuses nothing.
 */
export function refuseDispatch(run: AgentRun, dispatch: Dispatch, stage: 'source' | 'payload'): void {
  const error = guarded(
    'the check of a handoff',
    () => refusalOf({ ...dispatch, wiring: run.wiring }, stage),
    undefined,
  );
  if (error === undefined) return;
  guarded(
    'a refused handoff',
    () => {
      endDispatch(dispatch, 'prevented', run.now(), error.code);
      run.dispatch = undefined;
    },
    undefined,
  );
  throw error;
}
