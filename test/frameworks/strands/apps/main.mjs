import { createKit, createRecord } from './kit.mjs';
import * as scenarios from './scenarios.mjs';

// This asks for much; only where it is named.
const APART = new Set(['crowd', 'letGo']);

/** Runs the named scenarios, or all, one after another, and prints what the application saw of each. */
export async function main(strands, names) {
  strands.configureLogging({ debug() {}, info() {}, warn() {}, error() {} });
  const wanted = names.length > 0 ? names : Object.keys(scenarios).filter((name) => !APART.has(name));
  for (const name of wanted) {
    const record = createRecord();
    await scenarios[name]({ strands, record, ...createKit(strands, record) }, name);
    console.log(`== ${name}\n${record.lines.join('\n')}`);
  }
}
