/** One problem of contracts built in code: where, as a JSON pointer, and what. */
export interface DefinitionProblem {
  readonly path: string;
  readonly message: string;
}

/** Contracts built in code that cannot be used. Names every problem at once. */
export class ContractDefinitionError extends Error {
  override readonly name = 'ContractDefinitionError';
  readonly code = 'SEAMTRACE_CONTRACT_INVALID';
  readonly problems: readonly DefinitionProblem[];

  constructor(problems: readonly DefinitionProblem[]) {
    const lines = problems.map(({ path, message }) => `  ${path === '' ? '/' : path}: ${message}`);
    const count = problems.length === 1 ? '1 problem' : `${problems.length} problems`;
    super(`contracts have ${count}:\n${lines.join('\n')}`);
    this.problems = problems;
  }
}
