/**
 * A contract document as the readers see it, whether it came from YAML, JSON or a plain object. `offset` is where the
 * node begins in the text, -1 where there is no text.
 */
export type Tree = MapTree | ListTree | ScalarTree;

export interface MapTree {
  readonly kind: 'map';
  readonly offset: number;
  readonly entries: ReadonlyMap<string, Entry>;
}

export interface Entry {
  readonly keyOffset: number;
  readonly value: Tree;
}

interface ListTree {
  readonly kind: 'list';
  readonly offset: number;
  readonly items: readonly Tree[];
}

interface ScalarTree {
  readonly kind: 'scalar';
  readonly offset: number;
  readonly value: string | number | boolean | null;
  /** As written, so that a version `1.10` stays `1.10`. */
  readonly text: string;
}

/** The document's structure is six levels deep; whatever is deeper is no contract. */
export const MAX_DEPTH = 16;

/** What a node is, in words for a message. */
export function describeTree(tree: Tree): string {
  if (tree.kind === 'map') return 'a mapping';
  if (tree.kind === 'list') return 'a list';
  if (tree.value === null) return 'nothing';
  if (typeof tree.value === 'string') return `the text ${quote(tree.value)}`;
  return `${typeof tree.value === 'number' ? 'the number' : 'the value'} ${tree.text.slice(0, 40)}`;
}

/** A text in quotes, shortened and with control characters escaped, fit for one line of a message. */
export function quote(text: string): string {
  return JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text);
}
