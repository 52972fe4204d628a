import { foldName } from '../../evidence/fold-name.js';

/** The form in which names of agents are compared within a trace: tools are named after agents with and without the word. */
export function agentKey(name: string): string {
  const folded = foldName(name);
  const short = folded.replace(/^agent|agent$/, '');
  return short === '' ? folded : short;
}
