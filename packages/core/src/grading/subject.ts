import type { Stage } from '@seamtrace/semconv';
import { type Route, routesBetween } from '@seamtrace/contracts';
import { isInferred } from '../evidence/whole.js';
import type { Reason } from '@seamtrace/semconv';
import { agreed } from '../evidence/distinct.js';
import { foldName } from '../evidence/fold-name.js';
import type { FactName, HandoffRecord } from '../evidence/types.js';
import { type StageView, viewStage } from './capture.js';
import type { GradeContext } from './context.js';
import { type ContractResolution, declaredRoute, resolveContracts } from './contract.js';
import { oneAgent, spellingsOf } from './names.js';

/** A record with everything derived from it that rows and findings look at, worked out once. */
export interface Subject {
  readonly record: HandoffRecord;
  readonly context: GradeContext;
  /** The declared route that the spans name. */
  readonly route: Route | undefined;
  readonly source: string | undefined;
  readonly target: string | undefined;
  readonly destination: string | undefined;
  readonly contract: ContractResolution;
  readonly stages: Readonly<Record<Stage, StageView>>;
  /** The producer refused to dispatch, or the framework never ran the dispatch. */
  readonly notDispatched: boolean;
}

/** The agreed value of a fact; `undefined` when nobody stated it or statements differ. */
export function fact(record: HandoffRecord, name: FactName): string | undefined {
  return agreed(record.facts[name]);
}

/** Some span says that it is a return leg, to which what is asked of forward legs does not apply. */
export function mayReturn({ facts }: HandoffRecord): boolean {
  return facts.leg !== undefined && (facts.leg.more || facts.leg.values.includes('return'));
}

/** A numeric fact. */
export function numericFact(record: HandoffRecord, name: FactName): number | undefined {
  const value = fact(record, name);
  return value === undefined ? undefined : Number(value);
}

/** Size of the payload in bytes: the sender's own, else as the destination measured it. */
export function payloadBytes(record: HandoffRecord): number | undefined {
  return numericFact(record, 'payloadSize') ?? numericFact(record, 'payloadSizeByDestination');
}

/** Works out who, under which contract, and what each stage saw. */
export function subjectOf(record: HandoffRecord, context: GradeContext): Subject {
  const route = declaredRoute(record, context.contracts) ?? inferredRoute(record, context);
  const source = nameFact(record, 'source', context) ?? route?.from;
  const target = nameFact(record, 'target', context) ?? nameFact(record, 'targetGuess', context) ?? route?.to;
  const destination = destinationOf(record, context);
  const outcome = fact(record, 'dispatchOutcome');
  const view = (stage: Stage, agent: string | undefined): StageView =>
    viewStage(record.stages[stage], () => silenceOf(agent, context));
  return {
    record,
    context,
    route,
    source,
    target,
    destination,
    contract: resolveContracts(record, route),
    stages: {
      source: view('source', source),
      payload: view('payload', source),
      destination: view('destination', destination ?? target),
    },
    notDispatched: outcome === 'prevented' || outcome === 'dropped',
  };
}

/** The one declared route between the agents of a handoff that no span names a route of. */
function inferredRoute(record: HandoffRecord, context: GradeContext): Route | undefined {
  const { contracts } = context;
  const source = nameFact(record, 'source', context);
  const target = nameFact(record, 'target', context) ?? destinationOf(record, context);
  if (!isInferred(record) || contracts === undefined || source === undefined || target === undefined) return undefined;
  const routes = routesBetween(contracts, source, target);
  return routes.length === 1 ? routes[0] : undefined;
}

/** Who took it: as stated, else the agent whose span the destination's is. */
function destinationOf(record: HandoffRecord, context: GradeContext): string | undefined {
  return record.facts.destination === undefined
    ? nameFact(record, 'destinationAgent', context)
    : nameFact(record, 'destination', context);
}

/** A name that all statements agree on, where spellings of one agent agree. */
function nameFact(record: HandoffRecord, name: FactName, context: GradeContext): string | undefined {
  const stated = record.facts[name];
  return stated !== undefined && oneAgent(stated, context.contracts) ? stated.values[0] : undefined;
}

/** Why nothing is heard of a stage: its agent never spoke at all, or one of its spans is missing. */
function silenceOf(agent: string | undefined, context: GradeContext): Reason {
  return agent === undefined || isInstrumented(agent, context) ? 'span_missing' : 'uninstrumented';
}

/** Whether the agent has spoken under any of its names. */
export function isInstrumented(agent: string, { contracts, isInstrumented: spoke }: GradeContext): boolean {
  return spellingsOf(agent, contracts).some((name) => spoke(foldName(name)));
}
