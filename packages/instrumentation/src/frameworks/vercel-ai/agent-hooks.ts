import { types } from 'node:util';
import type { AnyFunction } from '../../hooks/any-function.js';
import { errorTypeOf } from '../../hooks/error-type.js';
import { ownData } from '../../hooks/own-data.js';
import { within } from '../../hooks/scope.js';
import { guarded } from '../../runtime/report.js';
import { settingsOf } from './agent-names.js';
import { boundMembers, withMembers } from './bind-call.js';
import { follow } from './follow-call.js';
import type { PatchedCopy } from './patch.js';
import type { AgentRun } from './run.js';
import { beginRun, endRun } from './run-flow.js';
import { currentScope, inScope } from './run-scope.js';
import { whenStreamEnds } from './stream-end.js';

type Wrap = (original: AnyFunction) => AnyFunction;

/** `generate` and `stream`: an agent's run. */
export function wrapCall(copy: PatchedCopy, ending: 'result' | 'stream'): Wrap {
  return (original) =>
    function call(this: unknown, ...args: unknown[]): unknown {
      const plain = (): unknown => Reflect.apply(original, this, args);
      if (!copy.active || typeof this !== 'object' || this === null || types.isProxy(this)) return plain();
      const begun = guarded('an agent run', () => beginRun(copy.wiring, this, args[0]), undefined);
      if (begun === undefined) return plain();
      if (begun.refused !== undefined) return refuse(begun.refused, copy, ending);
      const { run } = begun;
      const given = copy.prepares ? args : guarded('an agent run', () => boundArgs(run, this, args), args);
      return follow(
        () =>
          inScope({ run, work: undefined }, () =>
            within(run.followed.context, () => Reflect.apply(original, this, given)),
          ),
        {
          done: (result) => {
            if (run.delegation !== undefined) run.delegation.result = result;
            if (ending === 'stream' && whenStreamEnds(result, (errorType) => endRun(run, errorType))) return;
            endRun(run);
          },
          failed: (error) => endRun(run, errorTypeOf(error)),
        },
      );
    };
}

/** `prepareCall`, from version 6: what it gives goes to the model's loop. */
export function wrapPrepareCall(copy: PatchedCopy): Wrap {
  return (original) =>
    function prepareCall(this: unknown, ...args: unknown[]): unknown {
      const call = (): unknown => Reflect.apply(original, this, args);
      const scope = copy.active ? currentScope() : undefined;
      const { run } = scope ?? {};
      if (run === undefined || run.agent !== this || scope?.work !== undefined) return call();
      return Promise.resolve(call()).then((prepared) =>
        guarded('a prepared call', () => boundTo(run, prepared), prepared),
      );
    };
}

function boundTo(run: AgentRun, prepared: unknown): unknown {
  if (typeof prepared !== 'object' || prepared === null) return prepared;
  return withMembers(
    prepared,
    boundMembers(run, (name) => ownData(prepared, name)),
  );
}

/** Version 5 has settings, and options that come before them. */
function boundArgs(run: AgentRun, agent: object, args: readonly unknown[]): readonly unknown[] {
  const [options, ...others] = args;
  if (typeof options !== 'object' || options === null || types.isProxy(options)) return args;
  const settings = settingsOf(agent);
  const members = boundMembers(run, (name) =>
    Object.hasOwn(options, name) ? ownData(options, name) : ownData(settings, name),
  );
  return [withMembers(options, members), ...others];
}

/** `stream` of version 5 gives its result at once, so it fails at once. */
function refuse(error: Error, copy: PatchedCopy, ending: 'result' | 'stream'): Promise<never> {
  if (ending === 'stream' && !copy.prepares) throw error;
  return Promise.reject(error);
}
