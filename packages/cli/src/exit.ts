/** Exit codes of the command line (wire contract, section 10). */
export const EXIT = {
  ok: 0,
  /** A route with `gate: required` failed; `contracts lint` found something to refuse; the demo differed. */
  failed: 1,
  /** Bad usage, or input that cannot be read. */
  usage: 2,
  /** A route with `gate: required` has no graded handoff, or one that could not be decided. */
  undecided: 3,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];
