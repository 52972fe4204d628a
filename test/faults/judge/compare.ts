import { type Grade, type Judgement, type Speakers, gradeAttempt, judgeFamily } from './judge.js';
import { type Piece, keyOf } from './piece.js';

/** A verdict line of `serve`, as its reader saw it. */
export type Line = Readonly<Record<string, unknown>>;

export type Fault =
  | 'missing' // no verdict, although its evidence was acknowledged
  | 'wrong' // the last verdict is not the judge's
  | 'unfounded' // an earlier revision that no part of the evidence gives
  | 'invented' // a verdict on something that was never sent
  | 'two_ids' // one revision with two verdict ids
  | 'gap'; // revisions that do not count up from 1

export interface Difference {
  readonly fault: Fault;
  readonly key: string;
  readonly detail: string;
}

export interface Comparison {
  readonly attempts: number;
  readonly lines: number;
  /** Lines that repeat a verdict, which delivery at least once allows. */
  readonly repeated: number;
  readonly verdicts: Readonly<Record<string, number>>;
  readonly differences: readonly Difference[];
}

/** What the client knows of one family. */
export interface Evidence {
  readonly acknowledged: readonly Piece[];
  /** Sent without an answer: a verdict may rest on any part of it. */
  readonly unsure: readonly Piece[];
}

/** Compares everything that was acknowledged with everything that was said. */
export function compare(families: Iterable<Evidence>, lines: readonly Line[], speakers: Speakers): Comparison {
  const differences: Difference[] = [];
  const told = new Map<string, Map<number, Line>>();
  for (const line of lines) {
    const key = keyOf({ handoffId: String(line['handoff_id']), attempt: Number(line['attempt']) });
    const revisions = told.get(key) ?? new Map<number, Line>();
    told.set(key, revisions);
    const revision = Number(line['revision']);
    const before = revisions.get(revision);
    if (before === undefined) revisions.set(revision, line);
    else if (before['verdict_id'] !== line['verdict_id']) {
      const detail = `revision ${revision} is ${words(before)} and ${words(line)}`;
      differences.push({ fault: 'two_ids', key, detail });
    }
  }

  const verdicts: Record<string, number> = {};
  const due = new Set<string>();
  for (const { acknowledged, unsure } of families) {
    const worlds = subsets(unsure).map((part) => judgeFamily([...acknowledged, ...part], speakers));
    const lasts = new Map<string, Line | undefined>();
    for (const piece of [...acknowledged, ...unsure]) {
      const key = keyOf(piece);
      if (lasts.has(key)) continue;
      due.add(key);
      const revisions = told.get(key) ?? new Map<number, Line>();
      lasts.set(key, revisions.get(Math.max(...revisions.keys())));
      const own = [...acknowledged, ...unsure].filter((other) => keyOf(other) === key);
      differences.push(...lookBack(key, revisions, own, speakers));
    }
    // All attempts of a family must fit one and the same set of what was kept.
    if (!worlds.some((world) => [...lasts].every(([key, line]) => fits(line, world.get(key))))) {
      for (const [key, line] of lasts) {
        if (worlds.some((world) => fits(line, world.get(key)))) continue;
        const expected = worlds.map((world) => words(world.get(key))).join(' or ');
        const fault = line === undefined ? 'missing' : 'wrong';
        differences.push({ fault, key, detail: `expected ${expected}; the last verdict is ${words(line)}` });
      }
      if (!differences.some(({ key }) => lasts.has(key))) {
        differences.push({
          fault: 'wrong',
          key: [...lasts.keys()].join(', '),
          detail: 'they fit no one set of evidence',
        });
      }
    }
    for (const line of lasts.values()) {
      const verdict = String(line?.['verdict']);
      if (line !== undefined) verdicts[verdict] = (verdicts[verdict] ?? 0) + 1;
    }
  }
  for (const [key, revisions] of told) {
    if (due.has(key)) continue;
    differences.push({
      fault: 'invented',
      key,
      detail: `says ${words([...revisions.values()][0])}, but nothing was sent`,
    });
  }
  const distinct = [...told.values()].reduce((sum, revisions) => sum + revisions.size, 0);
  return { attempts: due.size, lines: lines.length, repeated: lines.length - distinct, verdicts, differences };
}

/** Earlier revisions rest on a part of the evidence, and none is left out. */
function lookBack(key: string, revisions: ReadonlyMap<number, Line>, own: readonly Piece[], speakers: Speakers) {
  const differences: Difference[] = [];
  const last = Math.max(0, ...revisions.keys());
  if (last !== revisions.size) {
    const detail = `there are revisions ${[...revisions.keys()].sort((a, b) => a - b).join(', ')}`;
    differences.push({ fault: 'gap', key, detail });
  }
  const possible = subsets(own)
    .filter((part) => part.length > 0)
    .map((part) => gradeAttempt(part, speakers));
  for (const [revision, line] of revisions) {
    if (revision === last || possible.some((grade) => says(line, grade))) continue;
    differences.push({ fault: 'unfounded', key, detail: `revision ${revision} is ${words(line)}` });
  }
  return differences;
}

function fits(line: Line | undefined, expected: Judgement | undefined): boolean {
  if (line === undefined || expected === undefined) return line === undefined && expected === undefined;
  return says(line, expected) && line['recovery'] === expected.recovery;
}

function says(line: Line, { verdict, boundary, missing, reason }: Grade): boolean {
  return (
    line['verdict'] === verdict &&
    line['boundary'] === boundary &&
    line['reason'] === reason &&
    JSON.stringify(line['missing_keys']) === JSON.stringify(missing)
  );
}

/** At most a handful of pieces speak for one attempt. */
function subsets<T>(items: readonly T[]): T[][] {
  return items.reduce<T[][]>((parts, item) => [...parts, ...parts.map((part) => [...part, item])], [[]]);
}

function words(line: Line | Judgement | undefined): string {
  if (line === undefined) return 'nothing';
  const { verdict, boundary, reason, missing, missing_keys: keys, recovery } = line as Record<string, unknown>;
  return JSON.stringify([verdict, boundary, reason, missing ?? keys, recovery]);
}
