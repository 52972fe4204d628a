import { SCENARIOS } from './list.mjs';

/** Runs the scenarios that are named on the command line, one after the other, and prints what each gave as JSON. */
export async function main(lib) {
  const names = process.argv.slice(2);
  const results = {};
  for (const name of names) {
    const scenario = SCENARIOS[name];
    if (scenario === undefined) throw new Error(`no scenario ${name}`);
    try {
      results[name] = await scenario({ ...lib, scenario: name });
    } catch (error) {
      results[name] = { thrown: error?.code ?? error?.id ?? error?.name, message: error?.message };
    }
  }
  process.stdout.write(JSON.stringify(results));
}
