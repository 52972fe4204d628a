import { ContractDefinitionError } from '../errors/contract-definition-error.js';
import type { Contracts } from '../types.js';
import { buildContracts } from './build.js';
import { checkDocument } from './check-document.js';
import type { Fault } from './fault.js';
import type { ContractsInput } from './input.js';
import { plainTree } from './plain-tree.js';
import { readDocument } from './read-document.js';

/**
 * Builds contracts from a plain object in the shape of the contract file, by the same rules and with the same defaults.
 *
 * One rule of the file is not applied: a required key may lie outside the permitted list. A file is reviewed and can be
 * refused as a whole; in code the contradiction shows where it matters, as `SEAMTRACE_PROJECTION_INCOMPLETE` from the
 * builder.
 *
 * @throws ContractDefinitionError naming every problem, since what is wrong is in the program.
 */
export function createContracts(input: ContractsInput): Contracts {
  const faults: Fault[] = [];
  const tree = plainTree({ version: 1, ...input }, faults);
  const draft = readDocument(faults, tree);
  checkDocument(faults, draft);
  const problems = faults.filter((fault) => fault.kind !== 'projection');
  if (problems.length > 0) {
    throw new ContractDefinitionError(problems.map(({ pointer, message }) => ({ path: pointer, message })));
  }
  return buildContracts(draft);
}
