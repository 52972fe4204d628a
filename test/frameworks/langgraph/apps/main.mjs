// Runs the scenarios that are named by the arguments, `group` or `group.scenario`, one after the other, and prints what
// each came to as one line of JSON. Ids of messages are left out, since LangGraph makes them up.
import { verdictScenarios } from './verdicts.mjs';

export async function main(lib) {
  const groups = { verdicts: verdictScenarios };
  for (const argument of process.argv.slice(2)) {
    const [group, only] = argument.split('.');
    for (const [name, run] of Object.entries(groups[group](lib))) {
      if (only !== undefined && only !== name) continue;
      let outcome;
      try {
        outcome = plain(await run());
      } catch (error) {
        outcome = { threw: error?.name, message: error?.message, code: error?.code };
      }
      console.log(JSON.stringify({ scenario: `${group}.${name}`, outcome }));
    }
  }
}

function plain(value) {
  return JSON.parse(
    JSON.stringify(value, (key, inner) =>
      key === 'id' && typeof inner === 'string' && /^[0-9a-f-]{32,}$/.test(inner) ? undefined : inner,
    ) ?? 'null',
  );
}
