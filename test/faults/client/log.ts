import type { Piece } from '../judge/piece.js';

/**
 * What the client knows: which pieces it sent and which of those the service acknowledged. This alone says which verdicts
 * must be there; nothing that the service stores is asked.
 */
export interface ClientLog {
  acknowledged(pieces: readonly Piece[]): void;
  /** Sent, and given up before an answer came: the service may have kept it or not. */
  unsure(pieces: readonly Piece[]): void;
  /** By family, without repetitions. */
  families(): ReadonlyMap<string, Known>;
  sizes(): { readonly acknowledged: number; readonly unsure: number };
}

export interface Known {
  readonly acknowledged: readonly Piece[];
  readonly unsure: readonly Piece[];
}

export function createClientLog(): ClientLog {
  const sure = new Map<string, Piece>();
  const doubtful = new Map<string, Piece>();
  return {
    acknowledged(pieces) {
      for (const piece of pieces) sure.set(piece.name, piece);
    },
    unsure(pieces) {
      for (const piece of pieces) doubtful.set(piece.name, piece);
    },
    families() {
      const families = new Map<string, { acknowledged: Piece[]; unsure: Piece[] }>();
      const of = ({ family }: Piece) => {
        const known = families.get(family) ?? { acknowledged: [], unsure: [] };
        families.set(family, known);
        return known;
      };
      for (const piece of sure.values()) of(piece).acknowledged.push(piece);
      for (const piece of doubtful.values()) if (!sure.has(piece.name)) of(piece).unsure.push(piece);
      return families;
    },
    sizes: () => ({ acknowledged: sure.size, unsure: [...doubtful.keys()].filter((name) => !sure.has(name)).length }),
  };
}
