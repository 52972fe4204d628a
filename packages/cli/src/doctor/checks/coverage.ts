import { ATTR_ERROR_TYPE, ATTR_GEN_AI_OPERATION_NAME } from '@seamtrace/semconv';
import { agentNamed, agentWork } from '../foreign-agents.js';
import { createTally } from '../diagnosis.js';
import { UNNAMED } from '../gather.js';
import type { Check, Diagnosis } from '../types.js';

/** Services that run agents and say nothing of handoffs, and services that cannot be told apart. */
export const coverage: Check = ({ services }) => {
  const found: Diagnosis[] = [];
  for (const { name, own, foreign } of services) {
    const runs = foreign.filter((span) => agentWork(span) === 'run');
    if (own.length === 0 && runs.length > 0) {
      const agents = [...new Set(runs.flatMap((span) => agentNamed(span) ?? []))];
      found.push({
        id: 'not_instrumented',
        severity: 'problem',
        service: name,
        count: runs.length,
        what: `runs agents${agents.length > 0 ? ` (${agents.slice(0, 5).join(', ')})` : ''} and says nothing of its handoffs`,
        fix: 'start it with `node --import @seamtrace/instrumentation/register`; for what no hook covers, and in other languages, stamp the spans as the wire contract says',
        examples: runs.slice(0, 3).map((span) => span.name),
      });
    }
    if (name === UNNAMED || /^unknown_service/.test(name)) {
      if (own.length + foreign.length === 0) continue;
      found.push({
        id: 'service_unnamed',
        severity: 'advice',
        service: name,
        count: own.length + foreign.length,
        what: 'has no service.name, so nobody can say which service a loss belongs to',
        fix: 'set OTEL_SERVICE_NAME',
        examples: own.slice(0, 3).map(({ span }) => span.name),
      });
    }
  }
  return found;
};

/** Tool calls that cannot be compared, and work that belongs to no task: what replans and hops are told from. */
export const comparability: Check = ({ services }) => {
  const tally = createTally();
  for (const { name, own } of services) {
    for (const { span, evidence } of own) {
      const tool = evidence?.tool;
      const isTool = span.attributes.get(ATTR_GEN_AI_OPERATION_NAME) === 'execute_tool';
      if (isTool && tool !== undefined && tool.argumentsDigest === undefined) {
        tally.add(name, span.name, {
          id: 'tool_arguments_unknown',
          severity: 'advice',
          what: 'tool calls carry no digest of their arguments, so nobody can tell whether work was done again',
          fix: 'set SEAMTRACE_SECRET, the same in all services; without a secret no digest is written',
        });
      }
      if (span.attributes.get(ATTR_ERROR_TYPE) === 'MISSING_CHECKPOINTER') {
        tally.add(name, span.name, {
          id: 'interrupt_without_checkpointer',
          severity: 'problem',
          what: 'a graph asks a person and has no checkpointer, so that nothing can go on with the answer',
          fix: 'compile the graph with a checkpointer, and run it with a thread_id',
        });
      }
      const handoff = evidence?.handoff;
      if (handoff === undefined) continue;
      if (handoff.facts.task === undefined) {
        tally.add(name, handoff.handoffId, {
          id: 'task_unknown',
          severity: 'advice',
          what: 'handoffs name no task, so hops, loops and repeated work cannot be told',
          fix: 'stamp seamtrace.task.id, the same for the whole chain',
        });
      }
      if (handoff.facts.hopIndex === undefined && handoff.facts.leg === undefined) {
        tally.add(name, handoff.handoffId, {
          id: 'hop_unknown',
          severity: 'advice',
          what: 'handoffs carry no hop index, so the depth of a chain can only be told from whole traces',
          fix: 'stamp seamtrace.hop.index: 1 for the first handoff of a task, one more for each that follows',
        });
      }
    }
  }
  return tally.diagnoses();
};
