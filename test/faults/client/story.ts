import { type Capture, DAMAGES, type Piece } from '../judge/piece.js';
import type { Random } from '../random.js';

/** When a piece is ready to be sent, in milliseconds from the start of its story. */
export interface Planned {
  readonly afterMs: number;
  readonly piece: Piece;
}

export interface Pace {
  readonly settleMs: number;
  readonly deadlineMs: number;
}

const KEYS = ['customer_id', 'invoice_id', 'locale', 'order_id', 'tier'];
const SOURCES = ['triage', 'router'];
const TARGETS = ['billing', 'support', 'refunds'];
/** An agent that no span ever comes from. */
const GHOST = 'archive';

/** Agents that speak in {@link firstWords}, before anything is graded for their silence. */
export const SPEAKERS: ReadonlySet<string> = new Set([...SOURCES, ...TARGETS]);

/** One plain handoff for every agent, so that all but the ghost have been heard of. */
export function firstWords(): Piece[] {
  return TARGETS.map((target, index) => {
    const keys = { keys: KEYS };
    return {
      name: `first-${target}`,
      family: `first-${target}`,
      handoffId: `first-${target}`,
      attempt: 1,
      role: 'destination',
      source: SOURCES[index % SOURCES.length]!,
      target,
      destination: target,
      required: KEYS,
      stages: { source: keys, payload: keys, destination: keys },
    } satisfies Piece;
  }).flatMap(
    (piece) =>
      [
        piece,
        {
          ...piece,
          name: `${piece.name}/dispatch`,
          role: 'dispatch',
          destination: undefined,
          stages: { source: piece.stages.source, payload: piece.stages.payload },
        },
      ] as Piece[],
  );
}

interface Draft {
  readonly dispatch: Piece;
  readonly ingest: Piece;
}

type Turn = (draft: Draft, random: Random) => readonly Piece[];

const both: Turn = ({ dispatch, ingest }) => [dispatch, ingest];

/** What can happen to the spans of one attempt, each with its weight. */
const TURNS: readonly (readonly [weight: number, turn: Turn])[] = [
  [40, both],
  [12, ({ dispatch, ingest }) => [whole(dispatch, ingest)]],
  [10, ({ dispatch, ingest }) => [dispatch, ingest, whole(dispatch, ingest)]],
  [6, ({ dispatch, ingest }, random) => [random.pick([dispatch, ingest])]],
  [3, ({ dispatch }) => [{ ...dispatch, target: GHOST }]],
  [4, ({ dispatch, ingest }, random) => [dispatch, { ...ingest, destination: random.pick(TARGETS) }]],
  [3, ({ dispatch, ingest }) => [without(dispatch, 'target'), without(ingest, 'target')]],
  [3, ({ dispatch, ingest }) => [without(dispatch, 'required'), without(ingest, 'required')]],
  [
    3,
    ({ dispatch, ingest }) => [
      { ...dispatch, version: '1' },
      { ...ingest, version: '2' },
    ],
  ],
  [3, ({ dispatch, ingest }) => [dispatch, { ...ingest, required: [...KEYS] }]],
  [3, ({ dispatch }) => [{ ...dispatch, prevented: true }]],
  // The id was used for another payload.
  [3, ({ dispatch, ingest }) => [dispatch, { ...whole(dispatch, ingest), stages: another(dispatch, ingest) }]],
  // The same attempt executed again: the lowest execution with a complete capture counts.
  [6, ({ dispatch, ingest }, random) => [dispatch, ingest, again(ingest, random)]],
  // Two ingests under one execution that may have seen different keys.
  [4, ({ dispatch, ingest }, random) => [dispatch, ingest, { ...again(ingest, random), execution: 1 }]],
];
const TOTAL = TURNS.reduce((sum, [weight]) => sum + weight, 0);

/** One family of handoffs: mostly a single attempt, sometimes a retry under the same id or under a new one. */
export function tellStory(family: string, random: Random, { settleMs, deadlineMs }: Pace): Planned[] {
  const tries = random.chance(0.12) ? 2 + random.below(2) : 1;
  const planned: Planned[] = [];
  let handoffId = family;
  let attempt = 1;
  for (let round = 0; round < tries; round += 1) {
    const retryOf = round > 0 && random.chance(0.4) ? handoffId : undefined;
    if (retryOf !== undefined) [handoffId, attempt] = [`${family}.${round}`, 1];
    else if (round > 0) attempt += 1;
    const draft = draftOf({ family, handoffId, attempt, ...(retryOf === undefined ? {} : { retryOf }) }, random);
    const pieces = turn(random)(draft, random).map((piece, index) => ({ ...piece, name: `${nameOf(piece)}/${index}` }));
    const spread = random.chance(0.5) ? 0 : random.chance(0.8) ? settleMs * 3 : deadlineMs;
    const base = round * random.below(deadlineMs);
    const late = random.chance(0.08) ? random.below(pieces.length) : -1;
    random.shuffled(pieces).forEach((piece, index) => {
      const afterMs = base + random.below(spread + 1) + (index === late ? deadlineMs + 2 * settleMs : 0);
      planned.push({ afterMs, piece });
      // The protocol delivers at least once, and a repetition may come at any time.
      if (random.chance(0.1)) planned.push({ afterMs: afterMs + random.below(deadlineMs * 2), piece });
    });
  }
  return planned;
}

function turn(random: Random): Turn {
  let left = random.below(TOTAL);
  for (const [weight, chosen] of TURNS) if ((left -= weight) < 0) return chosen;
  return both;
}

function draftOf(identity: Pick<Piece, 'family' | 'handoffId' | 'attempt' | 'retryOf'>, random: Random): Draft {
  const target = random.pick(TARGETS);
  const shared = {
    ...identity,
    name: '',
    source: random.pick(SOURCES),
    target,
    version: '1',
    required: random.some(KEYS, 0.5),
  };
  // Each stage mostly passes on what it got, so that every verdict is common.
  const source = random.some(KEYS, 0.93);
  const payload = random.some(source, 0.93);
  const destination = random.some(payload, 0.93);
  const capture = (keys: readonly string[]): Capture =>
    random.chance(0.06) ? { keys, damage: random.pick(DAMAGES.filter((damage) => fits(damage, keys))) } : { keys };
  return {
    dispatch: { ...shared, role: 'dispatch', stages: { source: capture(source), payload: capture(payload) } },
    ingest: { ...shared, role: 'ingest', destination: target, stages: { destination: capture(destination) } },
  };
}

/** A list of nothing cannot lose a key, and a mask over nothing hides nothing. */
function fits(damage: string, keys: readonly string[]): boolean {
  return keys.length > 0 || (damage !== 'shortened' && damage !== 'masked');
}

/** In one process one span tells everything. */
function whole(dispatch: Piece, ingest: Piece): Piece {
  return { ...ingest, role: 'destination', stages: { ...dispatch.stages, ...ingest.stages } };
}

function another(dispatch: Piece, ingest: Piece): Piece['stages'] {
  return { ...dispatch.stages, payload: { keys: [...dispatch.stages.payload!.keys, 'other'] }, ...ingest.stages };
}

function again(ingest: Piece, random: Random): Piece {
  return { ...ingest, execution: 2, stages: { destination: { keys: random.some(KEYS, 0.8) } } };
}

function without<K extends 'target' | 'required'>(piece: Piece, member: K): Piece {
  const { [member]: _left, ...rest } = piece;
  return rest as Piece;
}

function nameOf({ handoffId, attempt, role, execution = 1 }: Piece): string {
  return `${handoffId}/${attempt}/${role}/${execution}`;
}
