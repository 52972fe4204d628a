import type { GradedHandoff } from '@seamtrace/core';
import { createTally, type Tally } from '../diagnosis.js';
import type { CaseView, Check } from '../types.js';

/** What keeps handoffs undecided although their spans arrived: a side that is silent, contracts and names unknown. */
export const handoffs: Check = (view) => {
  const tally = createTally();
  for (const graded of view.graded) {
    // What is only inferred comes from services that are not instrumented, which `coverage` says.
    if (graded.evidence === 'inferred') continue;
    if (graded.verdict === 'insufficient_evidence') undecided(view, graded, tally);
    if (graded.findings.some(({ id }) => id === 'trace_broken')) {
      tally.add(view.serviceOf(graded.destination) ?? null, graded.handoff_id, {
        id: 'trace_broken',
        severity: 'advice',
        what: 'handoffs arrive in a trace of their own, so no view of traces shows both sides',
        fix: 'carry the W3C trace context with the message: inject() and extract() do, as do the hooks of A2A and MCP',
      });
    }
    if (view.hasContracts && graded.findings.some(({ id }) => id === 'undeclared_route')) {
      tally.add(view.serviceOf(graded.source) ?? null, `${graded.source ?? '?'} → ${graded.target ?? '?'}`, {
        id: 'route_undeclared',
        severity: 'problem',
        what: 'handoffs take a way that the contract file does not declare, so nothing is required of them',
        fix: 'declare the route, or add the names in use to the aliases of its agents',
      });
    }
  }
  return tally.diagnoses();
};

function undecided(view: CaseView, graded: GradedHandoff, tally: Tally): void {
  const { boundary, reason, source, target, destination, handoff_id: id } = graded;
  const producer = view.serviceOf(source);
  const consumer = view.serviceOf(destination ?? target);
  const silent = reason === 'span_missing' || reason === 'uninstrumented';
  if (silent && (boundary === 'source_capture' || boundary === 'payload_capture')) {
    tally.add(producer ?? null, id, {
      id: 'dispatch_missing',
      severity: 'problem',
      what: `handoffs from ${source ?? 'an unknown agent'} to ${target ?? destination ?? 'an unknown agent'} arrive, and nobody says what was sent`,
      fix: `instrument the service that runs ${source ?? 'the source'} and let its spans reach this pipeline; where it is instrumented, a filter or sampler drops its \`handoff\` spans`,
    });
  } else if (silent && boundary === 'destination_capture') {
    tally.add(consumer ?? null, id, {
      id: 'ingest_missing',
      severity: 'problem',
      what: `handoffs to ${target ?? 'an unknown agent'} are sent, and nobody says what it could read`,
      fix: `instrument the service that runs ${target ?? 'the target'}; between processes carry the handoff with the message (inject, extract, accept), and call ingested() before the first model call where no hook does`,
    });
  } else if (reason === 'no_contract') {
    tally.add(producer ?? consumer ?? null, `${source ?? '?'} → ${target ?? '?'}`, {
      id: 'contract_unknown',
      severity: 'problem',
      what: view.hasContracts
        ? 'nothing says which keys these handoffs require'
        : 'nothing says which keys handoffs require: the spans state none, and no contract file was given',
      fix: 'declare the route with its required keys in seamtrace.contracts.yaml, and give that file to the services, to the analyzer and to this command (--contracts)',
    });
  } else if (reason === 'version_mismatch') {
    tally.add(producer ?? consumer ?? null, id, {
      id: 'contract_version',
      severity: 'problem',
      what: 'the two sides, or the spans and the contract file, hold different versions of a contract',
      fix: 'deploy one contract file to both sides, or declare a migration between the versions',
    });
  } else if (reason === 'target_unknown' || reason === 'name_unresolved') {
    tally.add(producer ?? consumer ?? null, id, {
      id: 'name_unknown',
      severity: 'problem',
      what:
        reason === 'target_unknown'
          ? 'nobody says to whom handoffs were meant to go'
          : 'it is not certain who took handoffs: the names are inferred, or not those of the contract file',
      fix: 'stamp seamtrace.handoff.target.name and the name of the agent that takes it, and declare both agents, with their aliases, in the contract file',
    });
  } else if (reason === 'identity_conflict') {
    tally.add(producer ?? consumer ?? null, id, {
      id: 'id_reused',
      severity: 'problem',
      what: 'one handoff id stands for different handoffs',
      fix: 'give each dispatch to each target an id of its own; call ids of models repeat, so join them with the id of the run',
    });
  } else if (reason === 'contradiction') {
    tally.add(producer ?? consumer ?? null, id, {
      id: 'captures_contradict',
      severity: 'problem',
      what: 'spans say different things of one stage of one attempt',
      fix: 'let one instrumentation alone stamp a service; raise seamtrace.handoff.attempt where an envelope is built again',
    });
  }
}
