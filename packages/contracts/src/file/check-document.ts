import { checkVersions } from './check-versions.js';
import type { DraftContracts } from './draft.js';
import type { Fault } from './fault.js';
import { complain, type Read } from './read.js';
import { quote } from './tree.js';

type Agents = NonNullable<DraftContracts['agents']>;

/** Every alias stands for one agent, and is no agent's name. Returns alias → agent. */
function checkAliases(faults: Fault[], agents: Agents): ReadonlyMap<string, string> {
  const owners = new Map<string, string>();
  for (const [name, agent] of agents) {
    for (const alias of agent.aliases) {
      const other = owners.get(alias.value);
      const label = `the alias ${quote(alias.value)} of agent ${quote(name)}`;
      if (alias.value === name) complain(faults, 'meaning', alias.field, `${label} is the agent's own name; remove it`);
      else if (agents.has(alias.value)) {
        complain(faults, 'meaning', alias.field, `${label} is the name of another agent; a name stands for one agent`);
      } else if (other !== undefined && other !== name) {
        complain(faults, 'meaning', alias.field, `${label} is an alias of agent ${quote(other)} too; keep one`);
      } else owners.set(alias.value, name);
    }
  }
  return owners;
}

/** A route names agents, not aliases: under two names one agent would be two in every report. */
function checkEnd(faults: Fault[], aliases: ReadonlyMap<string, string>, end: Read<string> | undefined): void {
  const agent = end && aliases.get(end.value);
  if (end === undefined || agent === undefined) return;
  const message = `${end.field.label} is ${quote(end.value)}, an alias of agent ${quote(agent)}; write ${quote(agent)}`;
  complain(faults, 'meaning', end.field, message);
}

/** Rules that compare parts of the document with each other. */
export function checkDocument(faults: Fault[], draft: DraftContracts): void {
  const aliases = checkAliases(faults, draft.agents ?? new Map());
  for (const route of draft.routes.values()) {
    checkEnd(faults, aliases, route.from);
    checkEnd(faults, aliases, route.to);
    checkVersions(faults, route);
  }
}
