import { type Attributes, type Context, trace } from '@opentelemetry/api';
import { type Contracts, contractVersion, resolveAgent } from '@seamtrace/contracts';
import { routeNamed } from '../enforce/mode.js';
import type { ContractTerms, HandoffState } from '../handoff/state.js';
import { carriedTask } from '../handoff/task.js';
import { routeTerms } from '../handoff/terms.js';
import { enclosingRun } from '../processor/run.js';
import { rememberHandoff } from '../handoff/known.js';
import { considerAround } from './bind.js';
import { type AcceptFrame, frameOf, workingFrame } from './frame.js';

export interface BeginOptions {
  readonly contracts?: Contracts | undefined;
  /** Who takes it, where the application says so. */
  readonly agent?: string | undefined;
  readonly hostAgent?: string | undefined;
  /** The contract version that this side works by; the route's current one by default. */
  readonly version?: string | undefined;
  /** The producer's trace context, as the carrier brought it. */
  readonly remote?: Context | undefined;
  /** How often the message was delivered, where its carrier counts. */
  readonly delivery?: number | undefined;
  /** Further attributes of the `ingest` span. */
  readonly attributes?: Attributes | undefined;
}

/**
 * Begins to accept a handoff in a context. Accepting the same attempt again is another execution of it, whatever the
 * carrier said. The run around it is considered as destination; runs that begin inside are as they come.
 */
export function beginAccept(state: HandoffState, context: Context, options: BeginOptions = {}): AcceptFrame {
  const known = rememberHandoff(state);
  const execution = Math.max(state.execution, known.acceptedExecution + 1, options.delivery ?? 1);
  known.acceptedExecution = execution;

  const outer = frameOf(context);
  const target = state.target?.name;
  const frame: AcceptFrame = {
    state: { ...state, execution },
    terms: ownTerms(state, options) ?? state.contract,
    agent: options.agent,
    hostAgent: options.hostAgent,
    task: carriedTask(state.task, state.correlationId, state.hop),
    outer: state.leg === 'return' ? workingFrame(outer) : undefined,
    joined: outer !== undefined && joins(outer, state) ? [...outer.joined, outer] : [],
    targetNames: target === undefined ? [] : namesOf(target, options.contracts),
    firstTouch: Date.now(),
    producer: state.dispatchSpan ?? (options.remote === undefined ? undefined : trace.getSpanContext(options.remote)),
    run: undefined,
    candidates: { around: undefined, inside: undefined },
    dispatched: false,
    ingest: undefined,
    attributes: options.attributes,
  };
  considerAround(frame, enclosingRun(context));
  return frame;
}

/** All names by which an agent goes in the contract file, and the one that was used. */
function namesOf(agent: string, contracts: Contracts | undefined): readonly string[] {
  const declared = contracts === undefined ? undefined : resolveAgent(contracts, agent);
  if (declared === undefined) return [agent];
  return [agent, declared, ...(contracts?.agents.get(declared)?.aliases ?? [])];
}

/** The version that this side works by: its own file's current one for the route that the handoff names. */
function ownTerms(state: HandoffState, { contracts, version }: BeginOptions): ContractTerms | undefined {
  const route = routeNamed(contracts, state.route);
  const current = route === undefined ? undefined : contractVersion(route, version);
  return route === undefined || current === undefined ? undefined : routeTerms(route, current);
}

/** Two accepts with nothing between them wait for one run: it was started by both. */
function joins(outer: AcceptFrame, inner: HandoffState): boolean {
  const same = outer.state.id === inner.id && outer.state.attempt === inner.attempt;
  const waiting = outer.run === undefined && outer.candidates.inside === undefined && outer.ingest === undefined;
  return waiting && !same && !outer.dispatched && inner.leg !== 'return' && outer.state.leg !== 'return';
}
