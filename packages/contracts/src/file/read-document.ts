import type { DraftAgent, DraftContracts, DraftRoute } from './draft.js';
import type { Fault } from './fault.js';
import {
  checkName,
  complain,
  entriesOf,
  type Field,
  readBoolean,
  readList,
  readMap,
  readMembers,
  readText,
  reportMissing,
} from './read.js';
import { readRoute } from './read-route.js';
import { describeTree, quote, type Tree } from './tree.js';

const DOCUMENT_KEYS = ['version', 'agents', 'routes'];

function checkFormat(faults: Fault[], root: Field, members: ReadonlyMap<string, Field>): void {
  const field = members.get('version');
  if (field === undefined) {
    const message = '"version" is missing; begin the file with "version: 1"';
    reportMissing(faults, root, members, DOCUMENT_KEYS, 'version', message);
    return;
  }
  const { tree } = field;
  if (tree.kind === 'scalar' && (tree.value === 1 || tree.value === '1')) return;
  complain(
    faults,
    'shape',
    field,
    `"version" must be 1, the format that this release reads; found ${describeTree(tree)}`,
  );
}

function readAgent(faults: Fault[], name: string, entry: Field): DraftAgent | undefined {
  const label = `agent ${quote(name)}`;
  const field = { ...entry, label };
  if (checkName(faults, field, name) === undefined) return undefined;
  // `billing:` with nothing behind it declares the agent all the same.
  const bare = field.tree.kind === 'scalar' && field.tree.value === null;
  const members = bare ? new Map<string, Field>() : readMembers(faults, field, ['aliases', 'terminal']);
  const aliases = members?.get('aliases');
  const terminal = members?.get('terminal');
  return {
    field,
    aliases: (aliases && readList(faults, aliases, readText)?.value) ?? [],
    terminal: (terminal && readBoolean(faults, terminal)?.value) ?? false,
  };
}

function readAgents(faults: Fault[], field: Field): Map<string, DraftAgent> | undefined {
  const map = readMap(faults, field);
  if (map === undefined) return undefined;
  const agents = new Map<string, DraftAgent>();
  for (const [name, entry] of entriesOf(field, map, '')) {
    const agent = readAgent(faults, name, entry);
    if (agent !== undefined) agents.set(name, agent);
  }
  return agents;
}

function readRoutes(faults: Fault[], field: Field): Map<string, DraftRoute> {
  const routes = new Map<string, DraftRoute>();
  const map = readMap(faults, field);
  if (map === undefined) return routes;
  for (const [name, entry] of entriesOf(field, map, '')) {
    const labelled = { ...entry, label: `route ${quote(name)}` };
    if (checkName(faults, labelled, name) === undefined) continue;
    const route = readRoute(faults, name, labelled);
    if (route !== undefined) routes.set(name, route);
  }
  return routes;
}

/** Reads the document's shape: which keys there are, and of which type. Every fault goes to `faults`. */
export function readDocument(faults: Fault[], tree: Tree): DraftContracts {
  const root: Field = { tree, offset: tree.offset, pointer: '', label: 'the document' };
  const members = readMembers(faults, root, DOCUMENT_KEYS, '');
  if (members === undefined) return { agents: undefined, routes: new Map() };
  checkFormat(faults, root, members);
  const agents = members.get('agents');
  const routes = members.get('routes');
  if (routes === undefined) {
    const message = '"routes" is missing; a contract file declares its routes there';
    reportMissing(faults, root, members, DOCUMENT_KEYS, 'routes', message);
  }
  return {
    agents: agents && readAgents(faults, agents),
    routes: routes ? readRoutes(faults, routes) : new Map(),
  };
}
