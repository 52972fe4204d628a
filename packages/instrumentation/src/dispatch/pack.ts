import { buildEnvelopeContext, type ContractVersion, permittedFor, type Route } from '@seamtrace/contracts';

const unchecked = new WeakMap<ContractVersion, Route>();

/**
 * The payload that the builder makes of the source state: what the version permits, or what it requires where no
 * permitted list is written. Keys that are missing are not refused here: whether a dispatch may go on is judged on the
 * evidence, and in observe mode it goes on with what there is.
 */
export function packPayload(source: unknown, route: Route, version: ContractVersion): unknown {
  let lenient = unchecked.get(version);
  if (lenient === undefined) {
    const open: ContractVersion = { ...version, required: [], permitted: permittedFor(version) };
    lenient = { ...route, versions: new Map([[version.version, open]]) };
    unchecked.set(version, lenient);
  }
  const built = buildEnvelopeContext({ route: lenient, version: version.version, source: asRecord(source) });
  return built.ok ? built.context : {};
}

/** JSON text is packed as the record that it holds. */
function asRecord(source: unknown): unknown {
  if (typeof source !== 'string') return source;
  try {
    return JSON.parse(source) as unknown;
  } catch {
    return source;
  }
}
