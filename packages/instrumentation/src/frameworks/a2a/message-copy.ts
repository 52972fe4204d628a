import { types } from 'node:util';
import type { CarriedHandoff } from '../../propagation/encode.js';
import { elements, memberOf, ownData, text } from '../../hooks/own-data.js';
import { A2A_HANDOFF_KEY } from '../../propagation/keys.js';

/** The URI by which the extension is named in messages and headers. It is also the key of its entry in metadata. */
export const EXTENSION_URI = A2A_HANDOFF_KEY;

/**
 * The parameters of a call with the handoff in the message's metadata, and the extension named in the message. New objects
 * where something is changed, with the members that the application's have and in their order; its own stay as they are.
 *
 * @returns `undefined` where that cannot be done without running code of the application's, as for a Proxy.
 */
export function withHandoff(params: unknown, carried: CarriedHandoff | undefined): object | undefined {
  const message = ownData(params, 'message');
  const metadata = ownData(message, 'metadata');
  const extensions = ownData(message, 'extensions');
  const extended = carried === undefined ? metadata : copy(metadata ?? {}, { [A2A_HANDOFF_KEY]: carried });
  const named = elements(extensions).includes(EXTENSION_URI) ? extensions : [...elements(extensions), EXTENSION_URI];
  if (carried !== undefined && extended === undefined) return undefined;
  const changed = copy(message, { metadata: extended, extensions: named });
  return changed === undefined ? undefined : copy(params, { message: changed });
}

/** Whether a handoff can be put into the message: it and its metadata can be copied without running code of the application's. */
export function canCarry(params: unknown): boolean {
  const message = ownData(params, 'message');
  const metadata = memberOf(message, 'metadata');
  const empty = metadata.value === undefined || metadata.value === null;
  return isCopyable(params) && isCopyable(message) && metadata.readable && (empty || isCopyable(metadata.value));
}

function isCopyable(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !types.isProxy(value);
}

/** A copy of an object with some members set: descriptors are copied, so no accessor is run. */
function copy(original: unknown, members: Readonly<Record<string, unknown>>): object | undefined {
  if (!isCopyable(original)) return undefined;
  const descriptors = Object.getOwnPropertyDescriptors(original);
  for (const [name, value] of Object.entries(members)) {
    descriptors[name] = { value, writable: true, enumerable: true, configurable: true };
  }
  return Object.create(Object.getPrototypeOf(original) as object | null, descriptors) as object;
}

/**
 * Options of a call that also name the extension in the header which the protocol has for it: `A2A-Extensions`, up to 0.3
 * `X-A2A-Extensions`. 1.x says the protocol's version among the same parameters before.
 */
export function withExtensionHeader(options: object | undefined): object {
  const given = ownData(options, 'serviceParameters');
  const parameters: Record<string, unknown> =
    typeof given === 'object' && given !== null ? { ...(given as Record<string, unknown>) } : {};
  const version = text(parameters['A2A-Version']);
  const legacy = version === undefined || version.startsWith('0.');
  const spelled = Object.keys(parameters).find((name) => /^(x-)?a2a-extensions$/i.test(name));
  const header = spelled ?? (legacy ? 'X-A2A-Extensions' : 'A2A-Extensions');
  const before = text(parameters[header]);
  const listed = before?.split(',').some((each) => each.trim() === EXTENSION_URI) === true;
  if (!listed) parameters[header] = before === undefined ? EXTENSION_URI : `${before},${EXTENSION_URI}`;
  return { ...options, serviceParameters: parameters };
}
