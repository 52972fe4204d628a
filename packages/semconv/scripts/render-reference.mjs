// The reference pages: every attribute and every metric, in tables that a person can search.
const NOTICE =
  '<!-- Generated from packages/semconv/registry by `npm run generate`. Change the registry, not this file. -->';
const code = (value) => `\`${String(value).replaceAll('|', '\\|')}\``;
const outsideCode = (value) =>
  value
    .trim()
    .replaceAll(/\s+/g, ' ')
    .split('`')
    .map((part, i) => (i % 2 === 0 ? part.replaceAll('|', '\\|').replaceAll('<', '&lt;') : part.replaceAll('|', '\\|')))
    .join('`');
const prose = ({ brief, note }) => outsideCode(note === undefined ? brief : `${brief} ${note}`);
const isLabel = (a) => a.own && !a.key.includes('.');
const table = (head, rows) =>
  [`| ${head.join(' | ')} |`, `|${head.map(() => '---').join('|')}|`, ...rows.map((r) => `| ${r.join(' | ')} |`)].join(
    '\n',
  );

/** Sections of the attribute page, by the file that defines the attributes. Files not named here come last, by name. */
const SECTIONS = [
  ['handoff.yaml', 'Handoff identity', 'Stamped at span start. Wire contract, sections 2 and 3.'],
  [
    'chain-budget.yaml',
    'Chain and budget',
    'Hops, digests and budgets that travel from hop to hop. Wire contract, section 3.',
  ],
  ['contract.yaml', 'Contract', 'What each side works by. Wire contract, section 3.'],
  ['stages.yaml', 'Stage evidence', 'What was observed at source, payload and destination. Wire contract, section 3.'],
  ['payload-ingest.yaml', 'Payload, dispatch and ingest', 'Wire contract, section 3.'],
  ['verdict.yaml', 'Verdict', 'Attributes of the verdict event. Wire contract, sections 5 and 8.'],
  ['findings.yaml', 'Findings', 'Values of the findings beside a verdict. Wire contract, section 6.'],
];
const ORIGINS = {
  genai: 'GenAI conventions, pinned commit',
  semconv: 'OpenTelemetry general conventions',
  proposal: 'open proposal',
};

function typeOf(attribute) {
  if (typeof attribute.type === 'string') return attribute.type;
  return 'enum';
}

function keyOf(attribute) {
  return typeof attribute.type === 'string' && attribute.type.startsWith('template[')
    ? code(`${attribute.key}.<c>`)
    : code(attribute.key);
}

function expand(attributes, groups) {
  return attributes.flatMap((reference) =>
    reference.ref_group === undefined ? [reference] : groups.find((g) => g.id === reference.ref_group).attributes,
  );
}

function enumSection(attribute) {
  const shared = attribute.annotations?.seamtrace?.same_as;
  if (shared !== undefined)
    return `### ${attribute.key}\n\n${outsideCode(attribute.brief)} The values are those of ${code(shared)}.`;
  const rows = attribute.type.members.map((m) => [code(m.value), prose(m)]);
  return `### ${attribute.key}\n\n${outsideCode(attribute.brief)}\n\n${table(['value', 'meaning'], rows)}`;
}

function attributeSection(title, intro, attributes, sampled) {
  const rows = attributes.map((a) => [
    keyOf(a),
    typeOf(a),
    sampled.has(a.key) ? 'yes' : '',
    prose(a),
    (a.examples ?? []).map((e) => code(Array.isArray(e) ? JSON.stringify(e) : e)).join(', '),
  ]);
  const enums = attributes.filter((a) => a.type.members !== undefined).map(enumSection);
  return [`## ${title}`, intro, table(['key', 'type', 'at start', 'meaning', 'examples'], rows), ...enums]
    .filter((part) => part !== '')
    .join('\n\n');
}

function signalSection({ title, brief, note, attributes }, groups) {
  const rows = expand(attributes, groups).map((r) => [
    code(r.ref),
    r.requirement_level === 'required' ? 'required' : '',
    r.sampling_relevant === true ? 'yes' : '',
  ]);
  return `### ${title}\n\n${prose({ brief, note })}\n\n${table(['attribute', 'required', 'at start'], rows)}`;
}

/** `docs/reference/attributes.md`. */
export function renderAttributeReference({ attributes, spans, refinements, events, groups, upstream }) {
  const own = attributes.filter((a) => a.own && !isLabel(a));
  const sampled = new Set(
    [...spans, ...refinements].flatMap((s) => s.attributes.filter((r) => r.sampling_relevant).map((r) => r.ref)),
  );
  const fileOf = (a) => a.file.split('/').at(-1);
  const sections = SECTIONS.flatMap(([file, title, intro]) => {
    const found = own.filter((a) => fileOf(a) === file);
    return found.length === 0 ? [] : [attributeSection(title, intro, found, sampled)];
  });
  const signals = [
    ...spans.filter((s) => s.own).map((s) => ({ ...s, title: `Span ${code(s.name.note)}` })),
    ...refinements.map((r) => ({ ...r, title: `Span ${code(spans.find((s) => s.type === r.ref).name.note)}` })),
    ...events.map((e) => ({ ...e, title: `Event ${code(e.name)}` })),
  ].map((s) => signalSection(s, groups));
  const foreign = attributes
    .filter((a) => !a.own)
    .map((a) => [code(a.key), typeOf(a), ORIGINS[a.annotations.seamtrace.origin], prose(a)]);
  return `${[
    NOTICE,
    '# Attributes',
    'Every attribute that Seamtrace stamps or reads, from the registry. Rules that span several attributes are in the [wire contract](../wire.md). All are in development. "At start" marks attributes that are set when the span starts, so that samplers see them.',
    ...sections,
    '## Signals',
    ...signals,
    '## Keys of other conventions',
    outsideCode(upstream),
    table(['key', 'type', 'defined by', 'meaning'], foreign),
  ].join('\n\n')}\n`;
}

function labelSection(metrics, attributes) {
  const used = [...new Set(metrics.flatMap((m) => (m.attributes ?? []).map((a) => a.ref)))].sort();
  const rows = used.map((key) => [code(key), prose(attributes.find((a) => a.key === key))]);
  return `## Labels\n\nNo label carries a handoff, task, trace or conversation id; those go into exemplars. Every label's value set is capped: \`_other\` takes the rest, and what overflowed is counted in \`seamtrace.analyzer.label_overflow\`.\n\n${table(['label', 'meaning'], rows)}`;
}

function metricTable(metrics, attributes) {
  const valuesOf = (reference) => {
    const key = reference.annotations?.seamtrace?.values_of;
    if (key === undefined) return code(reference.ref);
    return `${code(reference.ref)} (${attributes
      .find((a) => a.key === key)
      .type.members.map((m) => code(m.value))
      .join(', ')})`;
  };
  const short = (reference) => {
    const key = reference.annotations?.seamtrace?.values_of;
    const members = key === undefined ? [] : attributes.find((a) => a.key === key).type.members;
    return members.length > 6 ? `${code(reference.ref)} (a ${code(key)})` : valuesOf(reference);
  };
  const rows = metrics.map((m) => [
    code(m.name),
    code(m.annotations.seamtrace.prometheus),
    m.instrument,
    code(m.unit),
    (m.attributes ?? []).map(short).join(', ') || 'none',
    prose(m),
  ]);
  return table(['OpenTelemetry name', 'Prometheus name', 'instrument', 'unit', 'labels', 'meaning'], rows);
}

/** `docs/reference/metrics.md`. */
export function renderMetricReference({ metrics, attributes }) {
  const self = metrics.filter((m) => m.name.startsWith('seamtrace.analyzer.'));
  const handoff = metrics.filter((m) => !m.name.startsWith('seamtrace.analyzer.'));
  const sets = attributes.filter(
    (a) =>
      a.own && a.type.members !== undefined && ['labels.yaml', 'self-metrics.yaml'].includes(a.file.split('/').at(-1)),
  );
  return `${[
    NOTICE,
    '# Metrics',
    'Every metric of the analyzer, from the registry. How each is measured is in the [wire contract](../wire.md), section 7.',
    '## Handoffs and tasks',
    metricTable(handoff, attributes),
    '## The analyzer about itself',
    metricTable(self, attributes),
    labelSection(metrics, attributes),
    '## Label values',
    ...sets.map(enumSection),
  ].join('\n\n')}\n`;
}
