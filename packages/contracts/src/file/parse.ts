import type { ParseContractsResult } from '../types.js';
import { buildContracts } from './build.js';
import { checkDocument } from './check-document.js';
import { locateFaults } from './fault.js';
import { readDocument } from './read-document.js';
import { parseText } from './yaml-tree.js';

/**
 * Reads the text of a contract file (wire contract, section 11): YAML, or JSON where the name ends in `.json`.
 * The caller reads the file; `name` is what problems call it.
 *
 * Reports every problem at once, in the order of the text, each with line, column, JSON pointer and what to do; nothing
 * is repaired in silence. Only text that is no YAML or JSON at all, or is over a limit (1,048,576 bytes, 16 levels,
 * 100,000 values, 256 aliases), stops the reading there. The contracts are deeply frozen. Never throws.
 */
export function parseContracts(text: string, name: string): ParseContractsResult {
  const { tree, faults: textFaults, lines } = parseText(text, name);
  const faults = [...textFaults];
  if (tree !== undefined) {
    const draft = readDocument(faults, tree);
    checkDocument(faults, draft);
    if (faults.length === 0) return { ok: true, contracts: buildContracts(draft) };
  }
  return { ok: false, problems: locateFaults(faults, name, lines) };
}
