import { createKit, createRecord } from './kit.mjs';
import * as scenarios from './scenarios.mjs';

// These ask for much, or for something of the whole process; only where they are named.
const APART = new Set(['crowd', 'letGo', 'ownTraces']);

/** Runs the named scenarios, or all, one after another, and prints what the application saw of each. */
export async function main(adk, names) {
  adk.setLogLevel?.(adk.LogLevel.ERROR + 1);
  const wanted = names.length > 0 ? names : Object.keys(scenarios).filter((name) => !APART.has(name));
  for (const name of wanted) {
    const record = createRecord();
    await scenarios[name]({ adk, record, ...createKit(adk, record) }, name);
    console.log(`== ${name}\n${record.lines.join('\n')}`);
  }
}
