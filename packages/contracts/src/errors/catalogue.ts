/** What an error code means and what to do about it. */
export interface ErrorEntry {
  /** When it is raised. */
  readonly meaning: string;
  /** What the reader should do. */
  readonly action: string;
}

/**
 * Every `SEAMTRACE_*` error code that user code can meet. The error reference in the docs lists the same, and a test
 * holds the two equal.
 */
export const ERROR_CATALOGUE = Object.freeze({
  SEAMTRACE_CONTRACT_INVALID: {
    meaning: 'Contracts built in code break the rules of the contract file.',
    action: 'Fix every problem that the message lists; each names its place as a JSON pointer.',
  },
  SEAMTRACE_SOURCE_INCOMPLETE: {
    meaning: 'A key that the route requires is not in the source state, so the handoff was refused before dispatch.',
    action: 'Collect the named keys before handing over. The handoff itself is not at fault.',
  },
  SEAMTRACE_PROJECTION_INCOMPLETE: {
    meaning:
      'What was to be sent lacks a required key that the source is not known to lack: the application packed or filtered it away, or the projection onto the contract dropped it.',
    action:
      'Look at what packs or filters the payload. Where it was built from the contract, permit the named keys, or correct the migration that drops or renames them.',
  },
  SEAMTRACE_INGEST_REJECTED: {
    meaning:
      'A key that the route requires did not arrive at the destination, where the consumer side enforces the contract.',
    action: 'Compare what was sent with what the destination loaded: a wrong state record, a filter, an input schema.',
  },
} satisfies Record<`SEAMTRACE_${string}`, ErrorEntry>);

/** A code of {@link ERROR_CATALOGUE}: what `code` of an error of ours can be. */
export type ErrorCode = keyof typeof ERROR_CATALOGUE;
