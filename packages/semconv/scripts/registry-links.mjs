// What must hold between definitions: unique names, references that resolve, Prometheus names that a scraper accepts.
const IDENTITY = { attribute: 'key', metric: 'name', span: 'type', event: 'name', group: 'id', refinement: 'id' };
const PROMETHEUS = /^[a-z][a-z0-9_]*$/;
const BASE_UNITS = { s: 'seconds', By: 'bytes' };

/** The name that the OpenTelemetry unit and instrument give a metric at a Prometheus scrape. */
export function prometheusNameOf({ name, unit, instrument }) {
  const words = [name.replaceAll('.', '_')];
  if (BASE_UNITS[unit] !== undefined) words.push(BASE_UNITS[unit]);
  if (instrument === 'counter') words.push('total');
  return words.join('_');
}

function duplicates(definitions) {
  const seen = new Map();
  return definitions.flatMap((d) => {
    const id = `${d.kind} ${d.value[IDENTITY[d.kind]]}`;
    const first = seen.get(id);
    if (first === undefined) {
      seen.set(id, d);
      return [];
    }
    return [
      { file: d.file, line: d.line(), message: `${id} is defined twice, first at ${first.file}:${first.line()}` },
    ];
  });
}

function enumFaults(d) {
  const members = d.value.type.members;
  if (members === undefined) return [];
  return ['id', 'value'].flatMap((name) =>
    members.flatMap((member, i) =>
      members.findIndex((other) => other[name] === member[name]) === i
        ? []
        : [
            {
              file: d.file,
              line: d.line(['type', 'members', i]),
              message: `${d.value.key} has two members of ${name} \`${member[name]}\``,
            },
          ],
    ),
  );
}

function referenceFaults(d, attributes, groups) {
  return (d.value.attributes ?? []).flatMap((reference, i) => {
    const fail = (message) => [{ file: d.file, line: d.line(['attributes', i]), message }];
    if ((reference.ref === undefined) === (reference.ref_group === undefined))
      return fail('a reference has either `ref` or `ref_group`');
    if (reference.sampling_relevant !== undefined && d.kind !== 'span' && d.kind !== 'refinement')
      return fail('`sampling_relevant` is for spans only');
    if (reference.ref_group !== undefined)
      return groups.has(reference.ref_group) ? [] : fail(`no attribute group \`${reference.ref_group}\``);
    return attributes.has(reference.ref)
      ? valuesFault(reference, attributes, fail)
      : fail(`no attribute \`${reference.ref}\``);
  });
}

function valuesFault(holder, attributes, fail) {
  const key = holder.annotations?.seamtrace?.values_of;
  if (key === undefined) return [];
  return attributes.get(key)?.type.members === undefined
    ? fail(`\`values_of\` names \`${key}\`, which is no enum attribute`)
    : [];
}

function metricFaults(d) {
  const fail = (message) => [{ file: d.file, line: d.line(['annotations']), message }];
  const stated = d.value.annotations?.seamtrace?.prometheus;
  if (typeof stated !== 'string' || !PROMETHEUS.test(stated))
    return fail('a metric states its Prometheus name in `annotations.seamtrace.prometheus`');
  const expected = prometheusNameOf(d.value);
  return stated === expected
    ? []
    : fail(`Prometheus name \`${stated}\` does not follow from name, unit and instrument, which give \`${expected}\``);
}

/** `same_as`: an enum without constants of its own must keep the values of the one that has them. */
function sameAsFaults(d, attributes) {
  const key = d.value.annotations?.seamtrace?.same_as;
  if (key === undefined) return [];
  const values = (attribute) => (attribute?.type.members ?? []).map((member) => member.value).join(', ');
  const [own, other] = [values(d.value), values(attributes.get(key))];
  if (own !== '' && own === other) return [];
  return [
    {
      file: d.file,
      line: d.line(['annotations']),
      message: `values (${own}) differ from those of \`${key}\` (${other})`,
    },
  ];
}

function refinementFaults(d, spans) {
  if (d.kind !== 'refinement' || spans.has(d.value.ref)) return [];
  return [{ file: d.file, line: d.line(['ref']), message: `no span \`${d.value.ref}\` to refine` }];
}

/** All faults between definitions, in the order of the definitions. */
export function crossFaults(definitions) {
  const attributes = new Map(definitions.filter((d) => d.kind === 'attribute').map((d) => [d.value.key, d.value]));
  const groups = new Set(definitions.filter((d) => d.kind === 'group').map((d) => d.value.id));
  const spans = new Set(definitions.filter((d) => d.kind === 'span').map((d) => d.value.type));
  return [
    ...duplicates(definitions),
    ...definitions.flatMap((d) => refinementFaults(d, spans)),
    ...definitions.flatMap((d) => {
      if (d.kind !== 'attribute')
        return [...referenceFaults(d, attributes, groups), ...(d.kind === 'metric' ? metricFaults(d) : [])];
      const fail = (message) => [{ file: d.file, line: d.line(['annotations']), message }];
      return [...enumFaults(d), ...valuesFault(d.value, attributes, fail), ...sameAsFaults(d, attributes)];
    }),
  ];
}
