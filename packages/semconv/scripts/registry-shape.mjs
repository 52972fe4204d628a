// The part of Weaver's `definition/2` syntax that our registry uses: which members each definition may and must have.
const text = (value) => typeof value === 'string' && value.trim() !== '';
const list = (value) => Array.isArray(value) && value.length > 0;
const map = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);
const oneOf = (...values) => ({ test: (value) => values.includes(value), want: `one of ${values.join(', ')}` });

const stability = oneOf('development', 'alpha', 'beta', 'release_candidate', 'stable');
const prose = { test: text, want: 'text that is not empty' };
const lowerName = {
  test: (v) => typeof v === 'string' && /^[a-z][a-z0-9_]*(\.[a-z][a-z0-9_]*)*$/.test(v),
  want: 'a dotted lower-case name',
};
const primitive = /^(string|int|double|boolean|any)(\[\])?$/;
const template = /^template\[(string|int|double|boolean|any)(\[\])?\]$/;
const attributeType = {
  test: (v) =>
    (typeof v === 'string' && v !== 'any[]' && (primitive.test(v) || template.test(v))) || (map(v) && list(v.members)),
  want: 'a type of the definition syntax, or a map with a list of `members`',
};
const annotations = { test: map, want: 'a map' };
const listOf = { test: list, want: 'a list that is not empty' };
const flag = { test: (v) => typeof v === 'boolean', want: 'true or false' };
const signalLevel = oneOf('recommended', 'opt_in');
const requirementLevel = {
  test: (v) =>
    ['required', 'recommended', 'opt_in'].includes(v) ||
    (map(v) && Object.keys(v).every((k) => /^(conditionally_required|recommended|opt_in)$/.test(k))),
  want: 'a requirement level',
};

/** Member name → rule, per kind of definition; `required` names those that may not be absent. */
export const SHAPES = {
  attribute: {
    required: ['key', 'type', 'brief', 'stability'],
    members: {
      key: lowerName,
      type: attributeType,
      brief: prose,
      note: prose,
      stability,
      examples: listOf,
      annotations,
    },
  },
  member: {
    required: ['id', 'value', 'brief', 'stability'],
    members: { id: prose, value: prose, brief: prose, note: prose, stability, annotations },
  },
  metric: {
    required: ['name', 'instrument', 'unit', 'brief', 'stability', 'requirement_level', 'annotations'],
    members: {
      name: lowerName,
      instrument: oneOf('counter', 'histogram', 'gauge'),
      unit: prose,
      brief: prose,
      note: prose,
      stability,
      requirement_level: signalLevel,
      annotations,
      attributes: listOf,
    },
  },
  span: {
    required: ['type', 'kind', 'name', 'brief', 'stability', 'requirement_level', 'attributes'],
    members: {
      type: lowerName,
      kind: oneOf('internal', 'client', 'server', 'producer', 'consumer'),
      name: { test: (v) => map(v) && text(v.note), want: 'a map with a `note`' },
      brief: prose,
      note: prose,
      stability,
      requirement_level: signalLevel,
      annotations,
      attributes: listOf,
    },
  },
  event: {
    required: ['name', 'brief', 'stability', 'requirement_level', 'attributes'],
    members: {
      name: lowerName,
      brief: prose,
      note: prose,
      stability,
      requirement_level: signalLevel,
      annotations,
      attributes: listOf,
    },
  },
  group: {
    required: ['id', 'visibility', 'attributes'],
    members: {
      id: lowerName,
      visibility: oneOf('internal', 'public'),
      brief: prose,
      note: prose,
      stability,
      annotations,
      attributes: listOf,
    },
  },
  refinement: {
    required: ['id', 'ref', 'brief', 'stability', 'attributes'],
    members: { id: lowerName, ref: lowerName, brief: prose, note: prose, stability, annotations, attributes: listOf },
  },
  reference: {
    required: [],
    members: {
      ref: lowerName,
      ref_group: lowerName,
      requirement_level: requirementLevel,
      sampling_relevant: flag,
      brief: prose,
      note: prose,
      examples: listOf,
      annotations,
    },
  },
};

/** Every fault of `value` against its shape, as `{ path, message }` with the path below the definition. */
export function shapeFaults(kind, value) {
  if (!map(value)) return [{ path: [], message: `${kind} must be a map` }];
  const { required, members } = SHAPES[kind];
  const missing = required
    .filter((name) => !(name in value))
    .map((name) => ({ path: [], message: `${kind} has no \`${name}\`` }));
  const wrong = Object.entries(value).flatMap(([name, member]) => {
    const rule = Object.hasOwn(members, name) ? members[name] : undefined;
    if (rule === undefined)
      return [
        { path: [name], message: `${kind} has no member \`${name}\`; known are ${Object.keys(members).join(', ')}` },
      ];
    return rule.test(member) ? [] : [{ path: [name], message: `\`${name}\` of ${kind} must be ${rule.want}` }];
  });
  return [...missing, ...wrong];
}
