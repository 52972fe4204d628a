import { Packr } from 'msgpackr/pack';
import { Unpackr } from 'msgpackr/unpack';
import type { GradedHandoff } from '../grading/types.js';

/** Packs verdicts for memory only: the bytes mean nothing to another process. */
export interface VerdictBytes {
  pack(graded: GradedHandoff): Uint8Array;
  unpack(packed: Uint8Array): GradedHandoff;
}

/** Lists of members that are written as a number; all verdicts of one grader have the same ones. */
const MAX_SHAPES = 16;
const OPTIONS = { useRecords: false, mapsAsObjects: true, int64AsType: 'number' } as const;

/** Equal verdicts with their members in one order are equal bytes. Verdicts are plain JSON. */
export function createVerdictBytes(): VerdictBytes {
  const packr = new Packr(OPTIONS);
  const unpackr = new Unpackr(OPTIONS);
  const shapes: string[][] = [];
  const numbers = new Map<string, number>();

  function shapeOf(members: string[]): number | string[] {
    const name = members.join('\n');
    const known = numbers.get(name);
    if (known !== undefined) return known;
    if (shapes.length >= MAX_SHAPES) return members;
    numbers.set(name, shapes.length);
    return shapes.push(members) - 1;
  }

  return {
    pack: (graded) => packr.pack([shapeOf(Object.keys(graded)), Object.values(graded)]),
    unpack(packed) {
      const [shape, values] = unpackr.unpack(packed) as [number | string[], unknown[]];
      const members = typeof shape === 'number' ? shapes[shape]! : shape;
      return Object.fromEntries(members.map((member, at) => [member, values[at]])) as unknown as GradedHandoff;
    },
  };
}
