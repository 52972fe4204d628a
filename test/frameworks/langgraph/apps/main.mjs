// Runs the scenarios that are named by the arguments, `group` or `group.scenario`, one after the other, and prints what
// each came to as one line of JSON. The ids that LangGraph makes up are all the same.
import { crowdScenarios } from './crowd.mjs';
import { flowScenarios } from './flows.mjs';
import { peopleScenarios } from './people.mjs';
import { reportScenarios } from './reports.mjs';
import { troubleScenarios } from './troubles.mjs';
import { verdictScenarios } from './verdicts.mjs';

export async function main(lib) {
  const groups = {
    crowd: crowdScenarios,
    flows: flowScenarios,
    people: peopleScenarios,
    reports: reportScenarios,
    troubles: troubleScenarios,
    verdicts: verdictScenarios,
  };
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

const MADE_UP = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

function plain(value) {
  return JSON.parse((JSON.stringify(value) ?? 'null').replace(MADE_UP, 'id'));
}
