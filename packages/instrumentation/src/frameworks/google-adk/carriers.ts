import { types } from 'node:util';
import { ownData } from '../../hooks/own-data.js';

// What carries keys from one agent to the next in this framework: (a) the state of the session, which all agents of an
// invocation share and an `AgentTool` copies; (b) the arguments of the call by which the model hands over; (c) a message
// of the user, or of the agent that delegates, that is a JSON object; (d) what a delegate's tool call gives back. Names
// of (a) with one of the framework's scopes before them stand for the key without it. Prose carries no keys.

const SCOPE = /^(?:app|user|temp):(?=.)/;

/** The members of an object but some, without running an accessor. */
export function without(value: unknown, names: readonly string[]): unknown {
  if (!isObject(value) || types.isProxy(value) || Array.isArray(value)) return value;
  const members = Object.getOwnPropertyDescriptors(value) as PropertyDescriptorMap;
  return Object.create(
    Object.prototype,
    Object.fromEntries(Object.entries(members).filter(([name]) => !names.includes(name))),
  );
}

/** A state in which `user:locale` is `locale`, unless there is one. The state itself where no name has a scope. */
export function withoutScopes(state: object): object {
  if (types.isProxy(state)) return state;
  const names = Object.keys(state);
  if (!names.some((name) => SCOPE.test(name))) return state;
  const view = Object.create(
    Object.getPrototypeOf(state) as object | null,
    Object.getOwnPropertyDescriptors(state),
  ) as object;
  for (const name of names) {
    if (!SCOPE.test(name)) continue;
    const member = Object.getOwnPropertyDescriptor(state, name) as PropertyDescriptor;
    const bare = name.replace(SCOPE, '');
    // A member without a value is none, and does not stand before one that has.
    if (ownData(view, bare) === undefined) Object.defineProperty(view, bare, { ...member, configurable: true });
    delete (view as Record<string, unknown>)[name];
  }
  return view;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
