import { HANDOFF_ID_PATTERN } from '../handoff/id.js';
import type { HandoffState } from '../handoff/state.js';
import { HANDOFF_BAGGAGE_KEY, MAX_BAGGAGE_MEMBER_BYTES } from './keys.js';

/** The identity that baggage carries. It names no target, so what is known from it alone is inferred. */
export interface BaggageIdentity {
  readonly id: string;
  readonly attempt: number;
  /** 0 when the sender knew none. */
  readonly hop: number;
}

// Limits of the W3C baggage specification as OpenTelemetry's propagator applies them.
const MAX_HEADER_BYTES = 8_192;
const MAX_MEMBERS = 180;

/** The member's value, `<id>~<attempt>~<hop>`; `undefined` when the member would reach 256 bytes. */
export function formatBaggageValue(state: HandoffState): string | undefined {
  const value = `${state.id}~${state.attempt}~${state.hop?.index ?? 0}`;
  // OpenTelemetry writes values percent-encoded, so that is the length that counts.
  const bytes = HANDOFF_BAGGAGE_KEY.length + 1 + encodeURIComponent(value).length;
  return bytes < MAX_BAGGAGE_MEMBER_BYTES ? value : undefined;
}

/** Reads the member's value back; `undefined` when it is malformed. */
export function parseBaggageValue(value: string): BaggageIdentity | undefined {
  const match = /^([^~]+)~([1-9]\d{0,8})~(\d{1,9})$/.exec(value);
  const [, id, attempt, hop] = match ?? [];
  if (id === undefined || !HANDOFF_ID_PATTERN.test(id)) return undefined;
  return { id, attempt: Number(attempt), hop: Number(hop) };
}

/** The value of our member in a `baggage` header, decoded; `undefined` when it is not there. */
export function findBaggageValue(header: string): string | undefined {
  for (const member of membersOf(header)) {
    if (keyOf(member) !== HANDOFF_BAGGAGE_KEY) continue;
    const raw = member.slice(member.indexOf('=') + 1).split(';', 1)[0] ?? '';
    try {
      return decodeURIComponent(raw.trim());
    } catch {
      return raw.trim();
    }
  }
  return undefined;
}

/**
 * A `baggage` header that holds the members of several others and ours. Of members with one key the first header's
 * stays, ours apart. `undefined` when ours would break the limits of 8,192 bytes or 180 members: the application's
 * members are never pushed out by ours.
 */
export function mergeBaggage(headers: readonly string[], value: string): string | undefined {
  const merged = new Map<string, string>();
  for (const header of headers) {
    for (const member of membersOf(header)) {
      const key = keyOf(member);
      if (key !== HANDOFF_BAGGAGE_KEY && !merged.has(key)) merged.set(key, member);
    }
  }
  merged.set(HANDOFF_BAGGAGE_KEY, `${HANDOFF_BAGGAGE_KEY}=${encodeURIComponent(value)}`);
  const header = [...merged.values()].join(',');
  return merged.size <= MAX_MEMBERS && Buffer.byteLength(header) <= MAX_HEADER_BYTES ? header : undefined;
}

function membersOf(header: string): string[] {
  return header
    .split(',')
    .map((member) => member.trim())
    .filter((member) => member !== '');
}

function keyOf(member: string): string {
  return member.split(/[=;]/, 1)[0]?.trim() ?? '';
}
