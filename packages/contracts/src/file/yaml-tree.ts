import { isAlias, isMap, isPair, isScalar, isSeq, LineCounter, type Node, parseDocument } from 'yaml';
import { findExcess, MAX_ALIASES } from './excess.js';
import { type Fault, pointerTo } from './fault.js';
import { type Entry, MAX_DEPTH, quote, type Tree } from './tree.js';

const MAX_BYTES = 1_048_576;
const MAX_NODES = 100_000;
// eslint-disable-next-line no-control-regex -- they are what tells a binary file from text
const CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/;

/** A text as a tree, with the faults that its text has. Without a tree the faults say why there is none. */
export interface ParsedText {
  readonly tree: Tree | undefined;
  readonly faults: readonly Fault[];
  readonly lines: LineCounter;
}

interface Walk {
  readonly faults: Fault[];
  readonly anchors: Map<string, Node>;
  /** Nodes that the walk is inside of, to see an alias that contains itself. */
  readonly open: Set<Node>;
  nodes: number;
  aliases: number;
  /** The tree is not the document any more, so that reading it would only add faults that are none. */
  broken: boolean;
}

const fault = (offset: number, message: string, pointer = ''): Fault => ({ kind: 'text', offset, pointer, message });

/** Gives up on a node: it is left out of the tree, which is not read then. */
function breakOff(walk: Walk, found?: Fault): Tree {
  walk.broken = true;
  if (found !== undefined) walk.faults.push(found);
  return { kind: 'scalar', offset: 0, value: null, text: '' };
}

/** Expands an alias where it stands. Bounded, so that aliases of aliases cannot multiply a small file into a large one. */
function expand(walk: Walk, node: { readonly source: string }, offset: number, pointer: string, depth: number): Tree {
  const target = walk.anchors.get(node.source);
  walk.aliases += 1;
  if (walk.aliases > MAX_ALIASES) {
    const found = fault(offset, `more than ${MAX_ALIASES} aliases; write the values out`, pointer);
    return breakOff(walk, walk.aliases === MAX_ALIASES + 1 ? found : undefined);
  }
  if (target === undefined || walk.open.has(target)) {
    const why = target === undefined ? 'stands for no anchor before it' : 'contains itself';
    return breakOff(walk, fault(offset, `the alias *${node.source} ${why}`, pointer));
  }
  return toTree(walk, target, offset, pointer, depth, true);
}

function toTree(walk: Walk, node: unknown, parentOffset: number, pointer: string, depth: number, copied = false): Tree {
  const range = (node as Node | null)?.range;
  const offset = copied ? parentOffset : (range?.[0] ?? parentOffset);
  walk.nodes += 1;
  if (walk.nodes > MAX_NODES) {
    const found = fault(offset, `more than ${MAX_NODES} values`, pointer);
    return breakOff(walk, walk.nodes === MAX_NODES + 1 ? found : undefined);
  }
  if (isAlias(node)) return expand(walk, node, offset, pointer, depth);
  if (isScalar(node)) {
    const anchor = node.anchor;
    if (anchor !== undefined && !copied) walk.anchors.set(anchor, node);
    const { value } = node;
    const text = node.source ?? String(value);
    if (value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') {
      return { kind: 'scalar', offset, value, text };
    }
    return { kind: 'scalar', offset, value: text, text };
  }
  if (!isMap(node) && !isSeq(node)) return { kind: 'scalar', offset, value: null, text: '' };
  if (node.anchor !== undefined && !copied) walk.anchors.set(node.anchor, node);
  if (depth >= MAX_DEPTH) {
    return breakOff(walk, fault(offset, `nested deeper than ${MAX_DEPTH} levels`, pointer));
  }
  walk.open.add(node);
  const tree: Tree = isSeq(node)
    ? {
        kind: 'list',
        offset,
        items: node.items.map((item, index) =>
          toTree(walk, item, offset, pointerTo(pointer, index), depth + 1, copied),
        ),
      }
    : { kind: 'map', offset, entries: toEntries(walk, node.items, offset, pointer, depth, copied) };
  walk.open.delete(node);
  return tree;
}

function toEntries(
  walk: Walk,
  pairs: readonly unknown[],
  parentOffset: number,
  pointer: string,
  depth: number,
  copied: boolean,
): Map<string, Entry> {
  const entries = new Map<string, Entry>();
  for (const pair of pairs) {
    if (!isPair(pair)) continue;
    const keyNode = pair.key;
    const keyOffset = copied ? parentOffset : ((keyNode as Node | null)?.range?.[0] ?? parentOffset);
    if (!isScalar(keyNode) || keyNode.value === null) {
      walk.faults.push(fault(keyOffset, 'a key must be plain text', pointer));
      continue;
    }
    const key = typeof keyNode.value === 'string' ? keyNode.value : (keyNode.source ?? String(keyNode.value));
    const inner = pointerTo(pointer, key);
    const value = toTree(walk, pair.value, keyOffset, inner, depth + 1, copied);
    if (entries.has(key)) {
      walk.faults.push(fault(keyOffset, `the key ${quote(key)} stands here a second time; remove one of them`, inner));
    } else entries.set(key, { keyOffset, value });
  }
  return entries;
}

/** Faults of a `.json` file that YAML would forgive: comments, trailing commas, unquoted text. */
function jsonFault(text: string): Fault | undefined {
  try {
    JSON.parse(text.replace(/^\uFEFF/, ''));
    return undefined;
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const position = /at position (\d+)/.exec(message)?.[1];
    const what = message.replace(/ in JSON at position .*| at position .*|, .* is not valid JSON/s, '');
    return fault(position === undefined ? 0 : Number(position), `not valid JSON: ${what.slice(0, 120)}`);
  }
}

/**
 * Reads YAML or JSON text into a tree. Bounded: 1,048,576 UTF-8 bytes, 16 levels, 100,000 values and 256 aliases.
 * A file whose name ends in `.json` must be JSON. Never throws.
 */
export function parseText(text: string, name: string): ParsedText {
  const lines = new LineCounter();
  lines.addNewLine(0);
  const refuse = (found: Fault): ParsedText => ({ tree: undefined, faults: [found], lines });

  const bytes = Buffer.byteLength(text);
  if (bytes > MAX_BYTES) return refuse(fault(0, `${bytes} bytes; a contract file may have ${MAX_BYTES}`));
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) lines.addNewLine(at + 1);
  const control = CONTROL.exec(text);
  if (control !== null) {
    const code = control[0].charCodeAt(0).toString(16).toUpperCase().padStart(4, '0');
    return refuse(fault(control.index, `not a text file: it holds the control character U+${code}`));
  }
  if (text.trim() === '') return refuse(fault(0, 'the file is empty; it needs at least "version: 1" and "routes:"'));
  if (name.endsWith('.json')) {
    const found = jsonFault(text);
    if (found !== undefined) return refuse(found);
  }

  const excess = findExcess(text);
  if (excess !== undefined) return refuse(excess);
  try {
    // With a log level of `silent` the library would drop every document after the first without a word.
    const document = parseDocument(text, { uniqueKeys: false, prettyErrors: false, logLevel: 'error', merge: false });
    const errors = [...document.errors, ...document.warnings];
    if (errors.length > 0) {
      // One slip often makes the rest unreadable; what follows it is noise.
      const faults = errors
        .slice(0, 20)
        .map((error) => fault(error.pos[0], `not valid YAML: ${error.message.slice(0, 200)}`));
      return { tree: undefined, faults, lines };
    }
    const walk: Walk = { faults: [], anchors: new Map(), open: new Set(), nodes: 0, aliases: 0, broken: false };
    const tree = toTree(walk, document.contents, 0, '', 0);
    return { tree: walk.broken ? undefined : tree, faults: walk.faults, lines };
  } catch {
    return refuse(fault(0, 'cannot be read as YAML'));
  }
}
