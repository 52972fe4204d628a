import { types } from 'node:util';
import { ownData } from '../../hooks/own-data.js';

/** Entries that Mastra keeps in a request context for itself, of every version. */
const RESERVED = /^(?:__)?mastra_|^MastraMemory$/;

/**
 * The members of a request context, by name: own data of a plain object. `'unreadable'` where finding them would run code
 * of the application's; `undefined` where there is none. Entries that Mastra keeps for itself are left out.
 */
export function requestMembers(requestContext: unknown): Record<string, unknown> | 'unreadable' | undefined {
  if (requestContext === undefined || requestContext === null) return undefined;
  if (typeof requestContext !== 'object' || types.isProxy(requestContext)) return 'unreadable';
  const entries = types.isMap(requestContext) ? requestContext : ownData(requestContext, 'registry');
  if (!types.isMap(entries) || types.isProxy(entries)) return 'unreadable';
  const members = Object.create(null) as Record<string, unknown>;
  for (const [name, value] of Map.prototype.entries.call(entries) as MapIterator<[unknown, unknown]>) {
    if (typeof name === 'string' && !RESERVED.test(name)) members[name] = value;
  }
  return members;
}

/** One entry of a request context, of Mastra's own too; `undefined` where there is none or it cannot be read. */
export function requestMember(requestContext: unknown, name: string): unknown {
  const entries = types.isMap(requestContext) ? requestContext : ownData(requestContext, 'registry');
  return types.isMap(entries) && !types.isProxy(entries) ? Map.prototype.get.call(entries, name) : undefined;
}
