import { escapeName } from './path.js';

/** What stands in a capture for every name that does not look like an identifier. */
export const MASKED_NAME = '*';

const WORDS = /^[A-Za-z_$][A-Za-z0-9_$-]*(?:\.[A-Za-z0-9_$-]+)*$/;
const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/i;
const LONG_NUMBER = /\d(?:[-_.]?\d){6}/;
const HEX_ID = /(?=[0-9a-f]*\d)[0-9a-f]{16}/i;
const RUN = /[A-Za-z0-9]{16,}/g;
const ALTERNATING = /\d[A-Za-z]+\d+[A-Za-z]+\d+[A-Za-z]/;
const MAX_BYTES = 128;

/**
 * Whether a member name looks like one that a programmer wrote, so that a capture may show it. Everything else may be
 * data used as a name (a customer number, an e-mail address) and is masked to {@link MASKED_NAME}, except where a
 * contract lists it.
 *
 * Shown are names of ASCII letters, digits, `_`, `$`, `-` and inner dots that begin with a letter, `_` or `$`, up to
 * 128 bytes as written in a key path: `customerId`, `customer_id`, `customer-id`, `$ref`, `gen_ai.agent.name`.
 * Of these, masked are names that hold a UUID, seven or more digits in a row (separators between digits not counted),
 * 16 or more hex digits in a row, or a token of 16 or more characters in which letters and digits alternate three
 * times. A person's name or a code word that is spelled like an identifier cannot be told from one, and is shown.
 */
export function looksLikeIdentifier(name: string): boolean {
  if (name.length > MAX_BYTES || !WORDS.test(name)) return false;
  if (escapeName(name).length > MAX_BYTES) return false;
  if (UUID.test(name) || LONG_NUMBER.test(name) || HEX_ID.test(name)) return false;
  return !name.match(RUN)?.some((run) => ALTERNATING.test(run));
}
