import { type PlainRecord, setMember } from '../contract/plain-record.js';
import { readElement, readList, readMember } from '../keys/member.js';
import { parseKeyPath, type PathStep } from '../keys/path.js';

/** The permitted paths as a tree: what may be taken at each place. */
interface Shape {
  /** Everything from here on is permitted. */
  whole: boolean;
  /** `null` is a value here, not an absence. */
  nullable: boolean;
  every: Shape | undefined;
  readonly members: Map<string, Shape>;
}

const createShape = (): Shape => ({ whole: false, nullable: false, every: undefined, members: new Map() });

function shapeAt(root: Shape, steps: readonly PathStep[]): Shape {
  let shape = root;
  for (const step of steps) {
    if ('every' in step) {
      shape.every ??= createShape();
      shape = shape.every;
    } else {
      const known = shape.members.get(step.name);
      const next = known ?? createShape();
      if (known === undefined) shape.members.set(step.name, next);
      shape = next;
    }
  }
  return shape;
}

const NOTHING = Symbol('nothing');

function take(value: unknown, shape: Shape): unknown {
  if (value === undefined) return NOTHING;
  if (value === null) return shape.nullable ? null : NOTHING;
  if (shape.whole) return value;
  if (shape.every !== undefined) {
    const { every } = shape;
    const read = readList(value);
    if (read.kind === 'list') {
      // An element keeps its place, so that the others keep theirs, and never seems to have what it lacks.
      return Array.from({ length: read.list.length }, (_, index) => {
        const element = readElement(read.list, index);
        if (element.kind !== 'value') return undefined;
        const taken = take(element.value, every);
        if (taken !== NOTHING) return taken;
        return typeof element.value === 'object' && element.value !== null ? {} : undefined;
      });
    }
  }
  const record: PlainRecord = {};
  let any = false;
  for (const [name, inner] of shape.members) {
    const member = readMember(value, name);
    const taken = member.kind === 'value' ? take(member.value, inner) : NOTHING;
    if (taken === NOTHING) continue;
    setMember(record, name, taken);
    any = true;
  }
  return any ? record : NOTHING;
}

/**
 * Copies what lies under the given paths, and nothing else, into a new record. Values under a permitted path are taken
 * as they are, by reference. Reads own data members, Map entries and list elements only; what an accessor or a Proxy
 * would give is left out. `undefined` is left out, and `null` unless its path is nullable. Lists keep their length.
 */
export function project(source: unknown, permitted: readonly string[], nullable: readonly string[]): PlainRecord {
  const root = createShape();
  for (const path of permitted) {
    const parsed = parseKeyPath(path);
    if (parsed.ok) shapeAt(root, parsed.steps).whole = true;
  }
  for (const path of nullable) {
    const parsed = parseKeyPath(path);
    if (parsed.ok && permitted.includes(path)) shapeAt(root, parsed.steps).nullable = true;
  }
  const taken = take(source, root);
  return taken === NOTHING ? {} : (taken as PlainRecord);
}
