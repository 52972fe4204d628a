// A grader of its own. It knows the published reference order (route, then source, payload and destination: is the capture
// complete, what does it lack) and the rules of the wire contract, sections 4 and 5, for what is not complete. It imports
// nothing of the packages, so that no fault of theirs can hide in it.
import { type Capture, type Damage, type Piece, keyOf } from './piece.js';

export interface Grade {
  readonly verdict: string;
  readonly boundary: string;
  readonly missing: readonly string[];
  readonly reason: string | null;
}

/** A grade and what became of the handoff afterwards. */
export interface Judgement extends Grade {
  readonly recovery: string;
}

type StageName = 'source' | 'payload' | 'destination';

/** Agents of whom some span was seen at all. */
export type Speakers = ReadonlySet<string>;

const REASON_ORDER = ['redacted', 'truncated', 'sampled', 'unsupported', 'error', 'capture_incomplete'];
const REASON_OF: Readonly<Record<Damage, string>> = {
  redacted: 'redacted',
  truncated: 'truncated',
  sampled: 'sampled',
  unsupported: 'unsupported',
  error: 'error',
  unstated: 'capture_incomplete',
  masked: 'redacted',
  shortened: 'truncated',
};

/** Judges every attempt that the pieces of one family speak of. Order and repetitions make no difference. */
export function judgeFamily(pieces: readonly Piece[], speakers: Speakers): ReadonlyMap<string, Judgement> {
  const byKey = new Map<string, Piece[]>();
  for (const piece of pieces) byKey.set(keyOf(piece), [...(byKey.get(keyOf(piece)) ?? []), piece]);
  const grades = new Map([...byKey].map(([key, own]) => [key, gradeAttempt(own, speakers)]));
  return new Map(
    [...byKey].map(([key, own]) => [key, { ...grades.get(key)!, recovery: recoveryOf(own, pieces, grades) }]),
  );
}

/** Grades one attempt from all of its pieces. */
export function gradeAttempt(pieces: readonly Piece[], speakers: Speakers): Grade {
  const targets = stated(pieces, (piece) => piece.target);
  const destinations = stated(pieces, (piece) => piece.destination);
  if (targets.length > 1 || destinations.length > 1 || payloadOfAnother(pieces)) {
    return insufficient('identity', 'identity_conflict');
  }
  const [target] = targets;
  const [destination] = destinations;
  if (target === undefined) return insufficient('route', 'target_unknown');
  if (destination !== undefined && destination !== target) return graded('routing_mismatch', 'route');

  const required = stated(pieces, (piece) => piece.required && JSON.stringify([...piece.required].sort()));
  if (required.length === 0) return insufficient('contract', 'no_contract');
  const versions = stated(pieces, (piece) => piece.version);
  if (required.length > 1 || versions.length > 1) return insufficient('contract_version', 'version_mismatch');
  const keys = JSON.parse(required[0]!) as string[];

  const silence = (agent: string | undefined): string =>
    agent === undefined || speakers.has(agent) ? 'span_missing' : 'uninstrumented';
  const [source] = stated(pieces, (piece) => piece.source);
  const producer = silence(source);
  return (
    check('source', 'source_capture', 'upstream_context_missing', 'before_handoff', producer) ??
    check('payload', 'payload_capture', 'packaging_loss', 'source_to_payload', producer) ??
    (pieces.some((piece) => piece.prevented === true)
      ? insufficient('destination_capture', 'not_dispatched')
      : check('destination', 'destination_capture', 'ingestion_loss', 'payload_to_destination', silence(target))) ??
    graded('passed', 'none')
  );

  function check(stage: StageName, capture: string, verdict: string, boundary: string, silent: string) {
    const view = viewOf(pieces, stage);
    if (view.keys === undefined) return insufficient(capture, view.reason ?? silent);
    const missing = lacking(keys, view.keys);
    return missing.length > 0 ? graded(verdict, boundary, missing) : undefined;
  }
}

interface View {
  /** Of the capture that counts; `undefined` where none does. */
  readonly keys: readonly string[] | undefined;
  /** Why none counts; `undefined` where no span spoke. */
  readonly reason: string | undefined;
  /** Every name that some capture of the stage showed. */
  readonly names: readonly string[];
}

/** Of the lowest execution with a complete capture, that capture, if nothing seen in that execution contradicts it. */
function viewOf(pieces: readonly Piece[], stage: StageName): View {
  const captures = pieces.flatMap((piece) => {
    const capture = piece.stages[stage];
    return capture === undefined ? [] : [{ execution: piece.execution ?? 1, capture }];
  });
  const names = captures.flatMap(({ capture }) => shown(capture));
  const complete = captures.filter(({ capture }) => capture.damage === undefined);
  if (complete.length === 0) {
    const reasons = captures.map(({ capture }) => REASON_OF[capture.damage!]);
    return { keys: undefined, reason: REASON_ORDER.find((reason) => reasons.includes(reason)), names };
  }
  const lowest = Math.min(...complete.map(({ execution }) => execution));
  const seen = captures.filter(({ execution }) => execution === lowest).map(({ capture }) => capture);
  const whole = seen.filter(({ damage }) => damage === undefined);
  const [first] = whole;
  const contradicted =
    whole.some((other) => !sameKeys(other, first!)) || lacking(seen.flatMap(shown), first!.keys).length > 0;
  return contradicted
    ? { keys: undefined, reason: 'contradiction', names }
    : { keys: first!.keys, reason: undefined, names };
}

/** The names that were still readable on the span. */
function shown({ keys, damage }: Capture): readonly string[] {
  if (damage === 'masked') return [];
  return damage === 'shortened' ? [...keys].sort().slice(0, -1) : keys;
}

/** A consumer restates a payload that the producer never sent under this id. */
function payloadOfAnother(pieces: readonly Piece[]): boolean {
  const digests = (producer: boolean): string[] =>
    pieces
      .filter(({ role }) => (role === 'dispatch') === producer)
      .flatMap(({ stages: { payload } }) => (payload === undefined ? [] : [JSON.stringify([...payload.keys].sort())]));
  const sent = digests(true);
  return sent.length > 0 && digests(false).some((digest) => !sent.includes(digest));
}

/** A later try never rewrites a verdict; it says whether what was lost arrived after all. */
function recoveryOf(own: readonly Piece[], family: readonly Piece[], grades: ReadonlyMap<string, Grade>): string {
  const key = keyOf(own[0]!);
  const { verdict } = grades.get(key)!;
  if (verdict === 'passed') return 'none_needed';
  const later = [...laterTries(own[0]!, family)].map((other) => grades.get(other)!.verdict);
  if (later.includes('passed')) return 'recovered';
  if ((verdict === 'packaging_loss' || verdict === 'upstream_context_missing') && arrived(own)) return 'recovered';
  if (verdict === 'insufficient_evidence' || later.includes('insufficient_evidence')) return 'unknown';
  return 'not_recovered';
}

/** Later attempts of the same handoff, and handoffs that retry it, directly or through others. */
function laterTries({ handoffId, attempt }: Piece, family: readonly Piece[]): ReadonlySet<string> {
  const ids = new Set([handoffId]);
  for (let before = -1; before < ids.size;) {
    before = ids.size;
    for (const piece of family) {
      const originals = stated(
        family.filter((one) => one.handoffId === piece.handoffId),
        (one) => one.retryOf,
      );
      if (originals.length === 1 && ids.has(originals[0]!)) ids.add(piece.handoffId);
    }
  }
  return new Set(
    family
      .filter((piece) => (piece.handoffId === handoffId ? piece.attempt > attempt : ids.has(piece.handoffId)))
      .map(keyOf),
  );
}

/** Every required key was at the destination, wherever it came from. */
function arrived(pieces: readonly Piece[]): boolean {
  if (pieces.some((piece) => piece.prevented === true)) return false;
  if (stated(pieces, (piece) => piece.destination).length === 0) return false;
  const required = pieces.flatMap((piece) => piece.required ?? []);
  const { keys, reason, names } = viewOf(pieces, 'destination');
  if (keys !== undefined) return lacking(required, keys).length === 0;
  return reason !== undefined && reason !== 'contradiction' && lacking(required, names).length === 0;
}

function stated(pieces: readonly Piece[], of: (piece: Piece) => string | undefined): string[] {
  return [...new Set(pieces.map(of).filter((value) => value !== undefined))];
}

function lacking(required: readonly string[], observed: readonly string[]): string[] {
  return [...new Set(required)].filter((key) => !observed.includes(key)).sort();
}

function sameKeys(a: Capture, b: Capture): boolean {
  return lacking(a.keys, b.keys).length === 0 && lacking(b.keys, a.keys).length === 0;
}

function graded(verdict: string, boundary: string, missing: readonly string[] = []): Grade {
  return { verdict, boundary, missing, reason: null };
}

function insufficient(boundary: string, reason: string): Grade {
  return { verdict: 'insufficient_evidence', boundary, missing: [], reason };
}
