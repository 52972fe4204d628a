import { CST, Lexer } from 'yaml';
import type { Fault } from './fault.js';

/** Aliases that a file may use, counted as written and again as expanded. */
export const MAX_ALIASES = 256;

const MAX_TOKENS = 400_000;
const MAX_ANCHORS = 1_000;
const MAX_OPEN = 64;

/**
 * Looks for text that is far too deep or too much to be a contract, on its tokens alone: the composer behind them
 * recurses, and works for seconds on what this refuses at once.
 */
export function findExcess(text: string): Fault | undefined {
  const counts = { tokens: 0, anchors: 0, aliases: 0, open: 0, inLine: 0 };
  let offset = 0;
  let scalarNext = false;
  for (const token of new Lexer().lex(text)) {
    // The text of a scalar follows a marker token, and may look like anything.
    const type: string | null = scalarNext ? 'text' : CST.tokenType(token);
    scalarNext = type === 'scalar';
    counts.tokens += 1;
    if (type === 'flow-seq-start' || type === 'flow-map-start') counts.open += 1;
    else if (type === 'flow-seq-end' || type === 'flow-map-end') counts.open -= 1;
    else if (type === 'newline') counts.inLine = 0;
    else if (type === 'seq-item-ind' || type === 'explicit-key-ind') counts.inLine += 1;
    else if (type === 'anchor') counts.anchors += 1;
    else if (type === 'alias') counts.aliases += 1;

    let message: string | undefined;
    if (counts.open > MAX_OPEN || counts.inLine > MAX_OPEN) message = 'nested too deeply to be a contract';
    else if (counts.aliases > MAX_ALIASES) message = `more than ${MAX_ALIASES} aliases; write the values out`;
    else if (counts.anchors > MAX_ANCHORS) message = `more than ${MAX_ANCHORS} anchors`;
    else if (counts.tokens > MAX_TOKENS) message = 'too many values for a contract file';
    if (message !== undefined) return { kind: 'text', offset, pointer: '', message };
    // Markers are the lexer's own, not part of the text.
    if (type !== 'scalar' && type !== 'doc-mode' && type !== 'flow-error-end') offset += token.length;
  }
  return undefined;
}
