import { elements, ownData, text } from '../../hooks/own-data.js';
import type { CommandLike } from './internal-types.js';
import type { NodeRun } from './runs.js';
import type { GraphState } from './state.js';

// A transfer is a tool that returns a `Command` for the graph around its agent's. The command leaves that graph as an
// error, which is how LangGraph moves it: no failure. Of several in one turn the framework runs one.

/** One transfer that a tool of an agent asked for. */
export interface TransferRequest {
  readonly callId: string | undefined;
  readonly args: unknown;
  readonly command: CommandLike;
  /** Nodes that it names. */
  readonly targets: readonly string[];
  /** The state of the agent's own graph as the tool returned. */
  readonly state: GraphState;
  /** `won` is what left the agent's graph; it is `settled` once its handoffs are on record. */
  outcome: 'asked' | 'won' | 'settled';
}

/** A `Command`, as a tool returns it alone. */
export function commandOf(value: unknown): CommandLike | undefined {
  return ownData(value, 'lg_name') === 'Command' ? (value as CommandLike) : undefined;
}

/** The command that left a graph, where that is why its run rejected. */
export function parentCommand(error: unknown): CommandLike | undefined {
  return ownData(error, 'name') === 'ParentCommand' ? (ownData(error, 'command') as CommandLike) : undefined;
}

/** The nodes that a command goes to. */
export function targetsOf({ goto }: CommandLike): readonly string[] {
  const all = Array.isArray(goto) ? elements(goto) : [goto];
  return all.flatMap((each) => text(each) ?? text(ownData(each, 'node')) ?? []);
}

/** Marks which of the requests left the agent's graph with the command: the same update and way, by identity. */
export function markWinners(node: NodeRun, command: CommandLike): void {
  const packets = new Set<unknown>(elements(command.goto).filter((each) => typeof each === 'object'));
  const merged = node.requests.filter(({ command: { goto } }) => elements(goto).some((each) => packets.has(each)));
  const same = node.requests.filter(
    ({ command: { goto, update } }) => update === command.update && sameWay(goto, command.goto),
  );
  for (const request of merged.length > 0 ? merged : same.slice(0, 1)) request.outcome = 'won';
}

function sameWay(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  const [left, right] = [elements(a), elements(b)];
  return left.length > 0 && left.length === right.length && left.every((each, index) => each === right[index]);
}
