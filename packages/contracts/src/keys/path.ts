/** One step of a key path: into a named member, or into every element of a list. */
export type PathStep = { readonly name: string } | { readonly every: true };

/** A parsed key path, or why it is none. */
export type ParsedKeyPath =
  { readonly ok: true; readonly steps: readonly PathStep[] } | { readonly ok: false; readonly message: string };

/** The characters and the length that a key in a contract may have (wire contract, section 3). */
export const CONTRACT_KEY_PATTERN = /^[A-Za-z_$][A-Za-z0-9_$.\-\\[\]]{0,127}$/;

/**
 * Whether a text can stand as a key in a contract: it matches {@link CONTRACT_KEY_PATTERN} and is a well-formed path.
 * `items[].sku` and `billing\.email` can; `a..b`, `items[0]` and `a.` match the pattern and cannot.
 */
export function isContractKey(key: string): boolean {
  return CONTRACT_KEY_PATTERN.test(key) && parseKeyPath(key).ok;
}

const EVERY: PathStep = Object.freeze({ every: true });

/**
 * Reads a key path (wire contract, section 3): `.` separates member names, `\.` is a dot within a name, `[]` after a
 * name stands for every element of the list there. A path begins with a name. A malformed path is a value with a
 * message that says what is wrong and at which character (from 1), not an exception.
 *
 * Parsing and {@link formatKeyPath} are inverse: a well-formed path has one spelling.
 */
export function parseKeyPath(path: string): ParsedKeyPath {
  const steps: PathStep[] = [];
  let name = '';
  let afterList = false;
  const bad = (message: string, index: number): ParsedKeyPath => ({
    ok: false,
    message: `${message} at character ${index + 1}`,
  });

  for (let index = 0; index < path.length; index += 1) {
    const char = path[index];
    if (char === '.') {
      if (name === '' && !afterList) return bad('a member name is missing before "."', index);
      if (name !== '') steps.push({ name });
      name = '';
      afterList = false;
      if (index === path.length - 1) return bad('the path ends with "."', index);
    } else if (char === '[') {
      if (path[index + 1] !== ']') return bad('"[" must be followed by "]", which stands for every element', index);
      if (name === '' && !afterList) return bad('"[]" must follow a member name', index);
      if (name !== '') steps.push({ name });
      steps.push(EVERY);
      name = '';
      afterList = true;
      index += 1;
    } else if (char === ']') {
      return bad('"]" without "["', index);
    } else {
      if (afterList) return bad('"[]" must be followed by ".", "[]" or the end', index);
      if (char === '\\' && path[index + 1] !== '.') return bad('"\\" may only stand before "."', index);
      if (char === '\\') index += 1;
      name += path[index];
    }
  }
  if (name !== '') steps.push({ name });
  if (steps.length === 0) return { ok: false, message: 'the path is empty' };
  return { ok: true, steps };
}

/** A member name as it stands in a key path: its dots escaped. */
export function escapeName(name: string): string {
  return name.includes('.') ? name.replaceAll('.', '\\.') : name;
}

/** Writes steps as a key path, the inverse of {@link parseKeyPath}. No steps give the empty text, which is no path. */
export function formatKeyPath(steps: readonly PathStep[]): string {
  let path = '';
  for (const step of steps) {
    if ('every' in step) path += '[]';
    else path += (path === '' ? '' : '.') + escapeName(step.name);
  }
  return path;
}

/**
 * The first member name of a path, spelled as a capture lists it (dots escaped): `items` for `items[].sku`. A malformed
 * path is taken as one name and returned as it is.
 */
export function firstName(path: string): string {
  const parsed = parseKeyPath(path);
  const first = parsed.ok ? parsed.steps[0] : undefined;
  return first !== undefined && 'name' in first ? escapeName(first.name) : path;
}
