// TypeScript sources: attribute keys, enums, metric definitions.
const NOTICE =
  '// Generated from packages/semconv/registry by `npm run generate`. Change the registry, not this file.\n';
const upper = (name) => name.toUpperCase().replaceAll('.', '_');
const quote = (value) => `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
const line = (value) => value.trim().replaceAll(/\s+/g, ' ').replaceAll('*/', '*\\/');
const excluded = (attribute) => attribute.annotations?.code_generation?.exclude === true;
const isTemplate = (attribute) => typeof attribute.type === 'string' && attribute.type.startsWith('template[');

function comment({ brief, note }, indent = '') {
  if (note === undefined) return `${indent}/** ${line(brief)} */\n`;
  return `${indent}/**\n${indent} * ${line(brief)}\n${indent} *\n${indent} * ${line(note)}\n${indent} */\n`;
}

const constantOf = (a) => `${isTemplate(a) ? 'ATTR_PREFIX' : 'ATTR'}_${upper(a.key)}`;
const enumsOf = (attributes) => attributes.filter((a) => a.annotations?.seamtrace?.type !== undefined);

/** `attributes.ts`: one constant a key, and one prefix a template. */
export function renderAttributes({ attributes, schemaUrl }) {
  // The wire speaks only of the major version: additions do not change how a span is read.
  const version = schemaUrl.split('/').at(-1).split('.')[0];
  const constants = attributes
    .filter((a) => !excluded(a))
    .map((a) => `${comment(a)}export const ${constantOf(a)} = ${quote(isTemplate(a) ? `${a.key}.` : a.key)};\n`);
  const schema = `/** Value of \`seamtrace.schema.version\` that this package describes. */\nexport const SCHEMA_VERSION = ${quote(version)};\n`;
  return [NOTICE, schema, ...constants].join('\n');
}

/** `types.ts`: what type each key of ours has, for tools that tell a user what a pipeline did to it. */
export function renderTypes({ attributes }) {
  const known = attributes.filter((a) => a.own && !excluded(a) && !isTemplate(a));
  const entries = known.map((a) => `  [${constantOf(a)}, ${quote(typeof a.type === 'string' ? a.type : 'string')}],\n`);
  return [
    NOTICE,
    `import {\n${known.map((a) => `  ${constantOf(a)},\n`).join('')}} from './attributes.js';\n`,
    "/** Type of an attribute, as the registry names it. */\nexport type AttributeType = 'string' | 'string[]' | 'int' | 'double' | 'boolean';\n",
    `/** The type of every attribute of ours; of enums it is \`string\`. Keys that end in a name of their own are left out. */\nexport const ATTRIBUTE_TYPES: ReadonlyMap<string, AttributeType> = new Map<string, AttributeType>([\n${entries.join('')}]);\n`,
  ].join('\n');
}

/** `enums.ts`: per enum a tuple of its values in the order of the registry, and the union type. */
export function renderEnums({ attributes }) {
  const blocks = enumsOf(attributes).map((a) => {
    const { type, values } = a.annotations.seamtrace;
    const members = a.type.members.map((m) => `  /** ${line(m.brief)} */\n  ${quote(m.value)},\n`).join('');
    return `${comment({ brief: `Values of \`${a.key}\`: ${a.brief}`, note: a.note })}export const ${values} = [\n${members}] as const;\n\n/** One of {@link ${values}}. */\nexport type ${type} = (typeof ${values})[number];\n`;
  });
  return [NOTICE, ...blocks].join('\n');
}

const STAGES = ['source', 'payload', 'destination'];
const camel = (name) => name.replaceAll(/_(.)/g, (_, letter) => letter.toUpperCase());

/** `stages.ts`: the keys of stage evidence by stage, for code that treats the three stages alike. */
export function renderStages({ attributes }) {
  const keys = new Map(attributes.map((a) => [a.key, a]));
  const shared = [...keys.keys()]
    .map((key) => /^seamtrace\.source\.(\w+)$/.exec(key)?.[1])
    .filter((part) => part !== undefined && STAGES.every((stage) => keys.has(`seamtrace.${stage}.${part}`)));
  const constant = (stage, part) => constantOf(keys.get(`seamtrace.${stage}.${part}`));
  const imports = STAGES.flatMap((stage) => shared.map((part) => `  ${constant(stage, part)},\n`)).join('');
  const members = shared.map((part) => `  readonly ${camel(part)}: string;\n`).join('');
  const tables = STAGES.map((stage) => {
    const entries = shared.map((part) => `    ${camel(part)}: ${constant(stage, part)},\n`).join('');
    return `  ${stage}: {\n${entries}  },\n`;
  });
  return [
    NOTICE,
    `import {\n${imports}} from './attributes.js';\n`,
    '/** The three places at which context is observed on its way (wire contract, section 3), in the order of its way. */',
    `export const STAGES = [${STAGES.map(quote).join(', ')}] as const;\n`,
    '/** One of {@link STAGES}. */\nexport type Stage = (typeof STAGES)[number];\n',
    `/** The attribute keys of the evidence of one stage. */\nexport interface StageKeys {\n${members}}\n`,
    `/** The attribute keys of each stage. */\nexport const STAGE_KEYS: Readonly<Record<Stage, StageKeys>> = {\n${tables.join('')}};\n`,
  ].join('\n');
}

/** `metrics.ts`: one constant a metric name, and all definitions as data for registration and documentation. */
export function renderMetrics({ metrics }) {
  const types = `/** How a metric is recorded. */
export type MetricInstrument = 'counter' | 'histogram' | 'gauge';

/** One metric of the wire contract, section 7, or of the analyzer about itself. */
export interface MetricDefinition {
  /** OpenTelemetry name. */
  readonly name: string;
  /** Name at a Prometheus scrape: of the counter with \`_total\`, of the histogram without its suffixes. */
  readonly prometheusName: string;
  readonly instrument: MetricInstrument;
  /** UCUM unit. */
  readonly unit: string;
  readonly brief: string;
  /** Label names in the order of the wire contract; empty where the metric has none. */
  readonly attributes: readonly string[];
}
`;
  const constants = metrics.map((m) => `${comment(m)}export const METRIC_${upper(m.name)} = ${quote(m.name)};\n`);
  const entries = metrics.map((m) => {
    const labels = (m.attributes ?? []).map((a) => quote(a.ref)).join(', ');
    return `  {
    name: METRIC_${upper(m.name)},
    prometheusName: ${quote(m.annotations.seamtrace.prometheus)},
    instrument: ${quote(m.instrument)},
    unit: ${quote(m.unit)},
    brief: ${quote(line(m.brief))},
    attributes: [${labels}],
  },\n`;
  });
  const table = `/** Every metric, in the order of the registry. */\nexport const METRICS: readonly MetricDefinition[] = [\n${entries.join('')}];\n`;
  return [NOTICE, types, ...constants, table].join('\n');
}

/** `index.ts`: the public surface, name by name. */
export function renderIndex({ attributes, metrics }) {
  const block = (names, from, kind = '') => {
    const short = `export ${kind}{ ${names.join(', ')} } from './generated/${from}.js';\n`;
    // As the formatter would write it, since this file is checked like any other.
    if (short.length <= 120) return short;
    return `export ${kind}{\n${names.map((n) => `  ${n},\n`).join('')}} from './generated/${from}.js';\n`;
  };
  const enums = enumsOf(attributes).map((a) => a.annotations.seamtrace);
  return [
    NOTICE,
    block(['SCHEMA_VERSION', ...attributes.filter((a) => !excluded(a)).map(constantOf)], 'attributes'),
    block(
      enums.map((e) => e.values),
      'enums',
    ),
    block(
      enums.map((e) => e.type),
      'enums',
      'type ',
    ),
    block(['METRICS', ...metrics.map((m) => `METRIC_${upper(m.name)}`)], 'metrics'),
    "export type { MetricDefinition, MetricInstrument } from './generated/metrics.js';\n",
    block(['STAGES', 'STAGE_KEYS'], 'stages'),
    block(['Stage', 'StageKeys'], 'stages', 'type '),
    block(['ATTRIBUTE_TYPES'], 'types'),
    block(['AttributeType'], 'types', 'type '),
  ].join('');
}
