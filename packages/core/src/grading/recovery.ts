import type { Contracts } from '@seamtrace/contracts';
import type { Recovery, RecoveryBy, Verdict } from '@seamtrace/semconv';
import type { HandoffRecord } from '../evidence/types.js';
import { deliveredOf } from './delivered.js';
import type { Ruling } from './rows.js';
import { rule } from './rows.js';
import { fact, subjectOf, type Subject } from './subject.js';

/** What became of a handoff afterwards, and by whom. */
export interface RecoveryGrade {
  readonly recovery: Recovery;
  readonly by: RecoveryBy | null;
}

const NONE: RecoveryGrade = { recovery: 'none_needed', by: null };

/**
 * Whether what was lost arrived after all: by a later attempt or a handoff that retries this one, by a person, or
 * because the destination found it itself. A later attempt never rewrites the earlier verdict.
 */
export function recoveryOf(subject: Subject, ruling: Ruling): RecoveryGrade {
  if (ruling.verdict === 'passed') return NONE;
  const later = laterTries(subject);
  const rescue = later.find((record) => verdictOf(record, subject) === 'passed');
  if (rescue !== undefined) return { recovery: 'recovered', by: byPerson(rescue) ? 'person' : 'retry' };
  if (ruling.verdict === 'packaging_loss' || ruling.verdict === 'upstream_context_missing') {
    const found = !subject.notDispatched && deliveredOf(subject) === 'yes' && subject.destination !== undefined;
    if (found) return { recovery: 'recovered', by: 'destination_lookup' };
  }
  if (ruling.verdict === 'insufficient_evidence') return { recovery: 'unknown', by: null };
  const undecided = later.some((record) => verdictOf(record, subject) === 'insufficient_evidence');
  return { recovery: undecided ? 'unknown' : 'not_recovered', by: null };
}

/** Later attempts of this id, and handoffs that retry it, directly or through others. */
function laterTries({ record, context }: Subject): readonly HandoffRecord[] {
  const ids = new Set([record.handoffId]);
  for (let grown = true; grown;) {
    const before = ids.size;
    for (const sibling of context.siblings) {
      if (ids.has(fact(sibling, 'retryOf') ?? '')) ids.add(sibling.handoffId);
    }
    grown = ids.size > before;
  }
  return context.siblings.filter((sibling) =>
    sibling.handoffId === record.handoffId ? sibling.attempt > record.attempt : ids.has(sibling.handoffId),
  );
}

// A verdict depends on the record and the contract file alone, and records never change: a chain of retries would
// otherwise be ruled once for each of its members.
const verdicts = new WeakMap<HandoffRecord, { readonly contracts: Contracts | undefined; readonly verdict: Verdict }>();

function verdictOf(record: HandoffRecord, { context }: Subject): Verdict {
  const known = verdicts.get(record);
  if (known !== undefined && known.contracts === context.contracts) return known.verdict;
  const { verdict } = rule(subjectOf(record, { ...context, tools: [], siblings: [], evicted: false }));
  verdicts.set(record, { contracts: context.contracts, verdict });
  return verdict;
}

function byPerson(record: HandoffRecord): boolean {
  const kind = fact(record, 'kind');
  return kind === 'human_to_agent' || kind === 'agent_to_human';
}
