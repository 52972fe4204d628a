import { createKit, createRecord } from './kit.mjs';
import * as scenarios from './scenarios.mjs';

// These ask for much; only where they are named.
const APART = new Set(['crowd', 'letGo']);

/** Runs the named scenarios, or all, one after another, and prints what the application saw of each. */
export async function main(lib, names) {
  lib.sdk.setTracingDisabled(true);
  // Every agent has a model of its own; old versions ask for a provider all the same.
  lib.sdk.setDefaultModelProvider({ getModel: () => undefined });
  const wanted = names.length > 0 ? names : Object.keys(scenarios).filter((name) => !APART.has(name));
  for (const name of wanted) {
    const record = createRecord();
    await scenarios[name]({ ...lib, record, ...createKit(lib, record) }, name);
    console.log(`== ${name}\n${record.lines.join('\n')}`);
  }
}
