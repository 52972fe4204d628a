/** Where JSON text stops being JSON. `offset` counts characters from 0; `line` and `column` start at 1. */
export interface SyntaxFault {
  readonly offset: number;
  readonly line: number;
  readonly column: number;
  readonly expected: string;
}

const SPACE = /[ \t\n\r]*/y;
const NUMBER = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;
const WORD = /true|false|null/y;
// One run of plain characters or one escape at a time, so that a long string costs no backtracking.
// eslint-disable-next-line no-control-regex -- JSON forbids raw control characters in strings
const PLAIN = /[^"\\\u0000-\u001f]+/y;
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;

/**
 * Finds the first fault in text that `JSON.parse` refused, since the engine's own message holds no position on every
 * version and quotes the text, which may be a prompt. `undefined` when the text is sound. Iterative: depth costs heap.
 */
export function findSyntaxFault(text: string): SyntaxFault | undefined {
  let at = 0;
  const open: string[] = [];
  let state: 'value' | 'first' | 'member' | 'first-member' | 'after' = 'value';

  const skip = (pattern: RegExp): boolean => {
    pattern.lastIndex = at;
    const matched = pattern.test(text);
    if (matched) at = pattern.lastIndex;
    return matched;
  };
  const string = (): string | undefined => {
    at += 1;
    while (skip(PLAIN) || skip(ESCAPE));
    if (text[at] !== '"') return at < text.length ? 'a valid string character or escape' : 'the end of a string';
    at += 1;
    return undefined;
  };
  const fault = (expected: string): SyntaxFault => ({ offset: at, ...lineAndColumn(text, at), expected });

  for (;;) {
    skip(SPACE);
    const next = text[at];
    const top = open.at(-1);
    if (state === 'after') {
      if (top === undefined) return next === undefined ? undefined : fault('the end of the document');
      if (next === ',') state = top === '{' ? 'member' : 'value';
      else if (next === (top === '{' ? '}' : ']')) open.pop();
      else return fault(top === '{' ? "',' or '}'" : "',' or ']'");
      at += 1;
    } else if (state === 'member' || state === 'first-member') {
      if (next === '}' && state === 'first-member') {
        at += 1;
        open.pop();
        state = 'after';
        continue;
      }
      if (next !== '"') return fault('a member name in double quotes');
      const wrong = string();
      if (wrong !== undefined) return fault(wrong);
      skip(SPACE);
      if (text[at] !== ':') return fault("':'");
      at += 1;
      state = 'value';
    } else if (next === ']' && state === 'first') {
      at += 1;
      open.pop();
      state = 'after';
    } else if (next === '{' || next === '[') {
      at += 1;
      open.push(next);
      state = next === '{' ? 'first-member' : 'first';
    } else if (next === '"') {
      const wrong = string();
      if (wrong !== undefined) return fault(wrong);
      state = 'after';
    } else {
      if (!skip(WORD) && !skip(NUMBER)) return fault('a JSON value');
      state = 'after';
    }
  }
}

function lineAndColumn(text: string, offset: number): { line: number; column: number } {
  let line = 1;
  let lineStart = 0;
  for (let at = text.indexOf('\n'); at >= 0 && at < offset; at = text.indexOf('\n', at + 1)) {
    line += 1;
    lineStart = at + 1;
  }
  return { line, column: offset - lineStart + 1 };
}
