import type { Distinct } from '../evidence/distinct.js';
import type { FactName, HandoffRecord, SideRecord, StageRecord } from '../evidence/types.js';

/** What beside its texts a record takes at least. */
const BASE = 256;

/** About what a record takes, in UTF-16 units of its texts: cheap, and never 0. */
export function textUnits({ facts, sides, stages, violations, doubts }: HandoffRecord): number {
  let units = BASE + ofSide(sides.producer) + ofSide(sides.consumer) + ofFact(violations) + ofList(doubts);
  for (const name in facts) units += ofFact(facts[name as FactName]);
  return units + ofStage(stages.source) + ofStage(stages.payload) + ofStage(stages.destination);
}

function ofSide({ version, required, permitted, payloadDigest, traceIds, linkedTraceIds }: SideRecord): number {
  const contract = ofFact(version) + ofFact(required) + ofFact(permitted);
  return contract + ofFact(payloadDigest) + ofFact(traceIds) + ofFact(linkedTraceIds);
}

function ofStage({ executions }: StageRecord): number {
  let units = 0;
  for (const { complete, names, stateRef, valueDigests } of executions) {
    units += ofList(names) + ofFact(stateRef) + ofFact(valueDigests);
    for (const { keys, searched } of complete) units += ofList(keys) + ofList(searched);
  }
  return units;
}

function ofFact(fact: Distinct | undefined): number {
  return fact === undefined ? 0 : ofList(fact.values);
}

function ofList(texts: readonly string[]): number {
  let units = 0;
  for (const { length } of texts) units += length;
  return units;
}
