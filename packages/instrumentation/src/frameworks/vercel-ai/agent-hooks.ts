import { types } from 'node:util';
import type { AnyFunction } from '../../hooks/any-function.js';
import { errorTypeOf } from '../../hooks/error-type.js';
import { ownData } from '../../hooks/own-data.js';
import { within } from '../../hooks/scope.js';
import { guarded } from '../../runtime/report.js';
import { settingsOf } from './agent-names.js';
import { boundMembers, withMembers } from './bind-call.js';
import { follow } from '../../hooks/follow-call.js';
import type { PatchedCopy } from './patch.js';
import type { AgentRun } from './run.js';
import { beginRun, endRun, runGives } from './run-flow.js';
import { currentScope, inScope } from './run-scope.js';
import { whenStreamEnds } from './stream-end.js';

type Wrap = (original: AnyFunction) => AnyFunction;

/** When a run is over: with its result, or with the stream that its result gives. */
export type Ending = 'result' | 'stream';

/** `generate` and `stream`: an agent's run. */
export function wrapCall(copy: PatchedCopy, ending: Ending): Wrap {
  return (original) =>
    function call(this: unknown, ...args: unknown[]): unknown {
      if (!copy.active || typeof this !== 'object' || this === null || types.isProxy(this)) {
        return Reflect.apply(original, this, args);
      }
      return callAgent(
        { copy, ending, agent: this, binds: !copy.prepares },
        (given) => Reflect.apply(original, this, given),
        args,
      );
    };
}

/** `generateText` and `streamText`: a run of an agent that is nothing but the call, named by its `functionId`. */
export function wrapFunction(copy: PatchedCopy, ending: Ending): Wrap {
  return (original) =>
    function call(this: unknown, ...args: unknown[]): unknown {
      if (!copy.active) return Reflect.apply(original, this, args);
      return callAgent({ copy, ending, agent: {}, binds: true }, (given) => Reflect.apply(original, this, given), args);
    };
}

interface AgentCall {
  readonly copy: PatchedCopy;
  readonly ending: Ending;
  readonly agent: object;
  /** The stand-ins go in with the options of the call. */
  readonly binds: boolean;
}

function callAgent(
  { copy, ending, agent, binds }: AgentCall,
  call: (args: readonly unknown[]) => unknown,
  args: readonly unknown[],
): unknown {
  const begun = guarded('an agent run', () => beginRun(copy.wiring, agent, args[0]), undefined);
  if (begun === undefined) return call(args);
  if (begun.refused !== undefined) return refuse(begun.refused, binds && ending === 'stream');
  const { run } = begun;
  const given = binds ? guarded('an agent run', () => boundArgs(run, agent, args), args) : args;
  return follow(() => inScope({ run, work: undefined }, () => within(run.followed.context, () => call(given))), {
    done: (result) => {
      if (ending === 'stream' && followStream(run, result)) return;
      runGives(run, ownData(result, 'steps'));
      endRun(run);
    },
    failed: (error) => endRun(run, errorTypeOf(error)),
  });
}

function followStream(run: AgentRun, result: unknown): boolean {
  const signal = ownData(run.options, 'abortSignal');
  return whenStreamEnds(result, {
    done: (steps) => {
      runGives(run, steps);
      // What a stream that was called off had given until then counts as its steps.
      endRun(run, signal instanceof AbortSignal && signal.aborted ? 'AbortError' : undefined);
    },
    failed: (error) => endRun(run, errorTypeOf(error)),
  });
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

/** What gives its result at once also fails at once. */
function refuse(error: Error, atOnce: boolean): Promise<never> {
  if (atOnce) throw error;
  return Promise.reject(error);
}
