import type { AttributeValue } from '../../decode/types.js';

/** A span that carries nothing of ours, as a dialect reads it. Values are read only when asked for. */
export interface ForeignSpan {
  readonly name: string;
  /** Name of the instrumentation scope; empty when not stated. */
  readonly scope: string;
  readonly traceId: string;
  /** One of `FOREIGN_KEYS` or of the keys wanted anyway. Absent, unreadable and ambiguous values are `undefined`. */
  value(key: string): AttributeValue | undefined;
  /** {@link ForeignSpan.value} where it is a string that is not empty. */
  text(key: string): string | undefined;
  /** An attribute of the first event of this name. */
  eventText(event: string, key: string): string | undefined;
}

/** How control goes with a handoff; `undefined` where the dialect does not say. */
export type SignMode = 'transfer' | 'delegation';

/**
 * What a span of a foreign dialect says, in one form for all dialects:
 *
 * - `run`: an agent's run. `weak`: a span that may as well be a container around agents.
 * - `node`: a graph's node. Whether an agent stands behind it only the rest of the trace tells.
 * - `tool`: a call of a tool, which may turn out to hold an agent's run.
 * - `ask`: a handoff was requested.
 * - `mark`: nothing but that the trace is one of agents.
 */
export interface ForeignSign {
  readonly role: 'run' | 'node' | 'tool' | 'ask' | 'mark';
  /** Of a run or node, whose it is; of a tool call or request, who made it, where the span itself says it. */
  readonly agent?: string | undefined;
  readonly weak?: boolean | undefined;
  /** Path of the graph's node in which the span stands, outermost first: `name:id` joined by `|`. */
  readonly place?: string | undefined;
  readonly tool?: string | undefined;
  /** Keyed digest of the arguments; `undefined` where they were not captured or may have been masked. */
  readonly digest?: string | undefined;
  readonly target?: string | undefined;
  /** The target was named by an attribute made for handoffs, not derived from a tool's name. */
  readonly stated?: boolean | undefined;
  readonly mode?: SignMode | undefined;
  /** Of a run: the agent that handed over to it, as the span says. */
  readonly receivedFrom?: string | undefined;
  /** Of a run: targets of handoffs asked for in its answer, whose tools are never executed. */
  readonly asks?: readonly string[] | undefined;
  /** The dialect says that the call failed, whatever the span's status is. */
  readonly failed?: boolean | undefined;
  /** Name of the dialect, filled by `readForeign`. */
  readonly dialect?: string | undefined;
}

/** Reads the spans of one instrumentation. */
export interface Dialect {
  readonly name: string;
  /** The sign of a span of this dialect; `undefined` for a span of another one. */
  read(span: ForeignSpan): ForeignSign | undefined;
}

export const MARK: ForeignSign = { role: 'mark' };
