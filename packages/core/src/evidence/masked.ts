import { memoize } from './memo.js';

const MASK_CHARACTERS = /^[*#xX•]+$/u;
const MASK_WORD = /^[\p{P}\p{S}\s]*(?:redacted|masked|filtered|removed)[\p{P}\p{S}\s]*$/iu;

/**
 * A value that a redaction step seems to have replaced: only mask characters, or one of the usual words with nothing
 * but punctuation around it (wire contract, section 3).
 */
export function looksMasked(value: string): boolean {
  return MASK_CHARACTERS.test(value) || MASK_WORD.test(value);
}

const REWRITTEN: readonly RegExp[] = [
  /[*•…]|#{2,}|x{4,}/iu,
  /(?:^|[^\p{L}])(?:redacted|masked|filtered|removed)(?:[^\p{L}]|$)/iu,
  /^[<[{(%].*[>\]})%]$/u,
  /%[0-9a-f]{2}/iu,
  /\.{3}$/u,
  /^(?:null|undefined|none|n\/a|-)$/iu,
];

/**
 * A name that a redaction step may have rewritten in part: it holds mask characters, one of the usual words, is a template
 * (`<PERSON>`, `{{name}}`), is percent-encoded, cut with dots, or says that there is none. Wider than {@link looksMasked},
 * since it only decides whether a name is known well enough to accuse on.
 */
export const looksRewritten: (name: string) => boolean = memoize(
  4096,
  (name) => looksMasked(name) || REWRITTEN.some((pattern) => pattern.test(name)),
);
