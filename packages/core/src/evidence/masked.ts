const MASK_CHARACTERS = /^[*#xX•]+$/u;
const MASK_WORD = /^[\p{P}\p{S}\s]*(?:redacted|masked|filtered|removed)[\p{P}\p{S}\s]*$/iu;

/**
 * A value that a redaction step seems to have replaced: only mask characters, or one of the usual words with nothing
 * but punctuation around it (wire contract, section 3).
 */
export function looksMasked(value: string): boolean {
  return MASK_CHARACTERS.test(value) || MASK_WORD.test(value);
}
