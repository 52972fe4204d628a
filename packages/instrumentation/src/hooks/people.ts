import type { HandoffState } from '../handoff/state.js';
import { unseenStage } from '../capture/stage-capture.js';
import { ingestBeside, type WorkingAgent } from './ingest.js';

/** What a person is called in the routes of a contract file, where a framework names none. */
export const PERSON = 'human';

/** Who answers has taken the question. What that person could read, no span says. */
export function personTook(agent: WorkingAgent, question: Pick<HandoffState, 'id'> & Partial<HandoffState>): void {
  const state: HandoffState = { attempt: 1, execution: 1, kind: 'agent_to_human', ...question };
  const asked = { wiring: agent.wiring, state, route: undefined, terms: undefined };
  ingestBeside({ ...agent, agent: PERSON }, asked, unseenStage('unsupported'));
}
