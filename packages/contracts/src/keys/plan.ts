import { escapeName, isContractKey, parseKeyPath, type PathStep } from './path.js';

/** One contract path, ready to be looked up. */
interface PlannedPath {
  readonly path: string;
  readonly steps: readonly PathStep[];
}

/** The contract paths that a capture looks for. */
export interface CapturePlan {
  readonly paths: readonly PlannedPath[];
  /** The paths, and the first name of each: names that are never masked and stay when the list is cut. */
  readonly listed: ReadonlySet<string>;
  /** The first names as they stand in the object, not escaped. */
  readonly firstNames: ReadonlySet<string>;
  /** A path is malformed, so it cannot be searched for. */
  readonly malformed: boolean;
}

// Contract lists are frozen, so their plans are made once; a list that can still change is read each time.
const plans = new WeakMap<readonly string[], CapturePlan>();

function createPlan(paths: readonly string[]): CapturePlan {
  const planned: PlannedPath[] = [];
  const listed = new Set<string>();
  const firstNames = new Set<string>();
  let malformed = false;
  for (const path of new Set(paths)) {
    const parsed = typeof path === 'string' && isContractKey(path) ? parseKeyPath(path) : undefined;
    const first = parsed?.ok === true ? parsed.steps[0] : undefined;
    if (parsed?.ok !== true || first === undefined || !('name' in first)) {
      malformed = true;
      continue;
    }
    planned.push({ path, steps: parsed.steps });
    listed.add(path).add(escapeName(first.name));
    firstNames.add(first.name);
  }
  return { paths: planned, listed, firstNames, malformed };
}

/** The plan for a list of contract paths; kept for lists that are frozen. */
export function planFor(paths: readonly string[]): CapturePlan {
  const known = plans.get(paths);
  if (known !== undefined) return known;
  const plan = createPlan(paths);
  if (Object.isFrozen(paths)) plans.set(paths, plan);
  return plan;
}
