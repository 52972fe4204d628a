// Loads and validates the registry: the shape of each definition, then what holds between definitions.
import { readRegistryFolder } from './registry-source.mjs';
import { crossFaults } from './registry-links.mjs';
import { shapeFaults } from './registry-shape.mjs';

const SECTIONS = {
  attributes: 'attribute',
  metrics: 'metric',
  spans: 'span',
  events: 'event',
  attribute_groups: 'group',
  span_refinements: 'refinement',
};

/** Definitions of one file, each with the file and a function that gives the line of a path below it. */
function definitionsOf(source, own, problems) {
  const found = [];
  const fail = (where, message) => problems.push({ file: source.file, line: source.at(where), message });
  if (source.value?.file_format !== 'definition/2')
    fail(['file_format'], 'the file must begin with `file_format: definition/2`');
  for (const [section, values] of Object.entries(source.value ?? {})) {
    if (section === 'file_format') continue;
    const kind = SECTIONS[section];
    if (kind === undefined) {
      fail([section], `unknown section \`${section}\`; known are ${Object.keys(SECTIONS).join(', ')}`);
      continue;
    }
    if (!Array.isArray(values)) {
      fail([section], `\`${section}\` must be a list`);
      continue;
    }
    values.forEach((value, index) => {
      const base = [section, index];
      const before = problems.length;
      for (const fault of shapeFaults(kind, value)) fail([...base, ...fault.path], fault.message);
      const nested = kind === 'attribute' ? [['type', 'members', 'member']] : [['attributes', undefined, 'reference']];
      for (const [outer, inner, nestedKind] of nested) {
        const items = inner === undefined ? value?.[outer] : value?.[outer]?.[inner];
        const path = inner === undefined ? [...base, outer] : [...base, outer, inner];
        if (!Array.isArray(items)) continue;
        items.forEach((item, i) => {
          for (const fault of shapeFaults(nestedKind, item)) fail([...path, i, ...fault.path], fault.message);
        });
      }
      if (problems.length > before) return;
      found.push({ kind, value, own, file: source.file, line: (path = []) => source.at([...base, ...path]) });
    });
  }
  return found;
}

/**
 * The registry under `root` with everything it depends on, or all problems of it.
 * Definitions keep the order of files and lines; `own` tells ours from those of the upstream subset.
 */
export function loadRegistry(root, folders) {
  const problems = [];
  const definitions = [];
  const manifests = [];
  for (const { folder, own } of folders) {
    const { manifest, definitions: sources } = readRegistryFolder(root, folder);
    if (manifest === undefined)
      problems.push({ file: `${folder}/manifest.yaml`, line: 1, message: 'the registry has no manifest' });
    else {
      problems.push(...manifest.faults);
      manifests.push({ own, value: manifest.value ?? {}, file: manifest.file, line: manifest.at });
      if (typeof manifest.value?.schema_url !== 'string')
        problems.push({ file: manifest.file, line: 1, message: 'the manifest has no `schema_url`' });
    }
    for (const source of sources) {
      problems.push(...source.faults);
      if (source.faults.length === 0) definitions.push(...definitionsOf(source, own, problems));
    }
  }
  problems.push(...crossFaults(definitions));
  if (problems.length > 0) return { ok: false, problems };
  const of = (kind) =>
    definitions.filter((d) => d.kind === kind).map((d) => ({ ...d.value, own: d.own, file: d.file }));
  return {
    ok: true,
    registry: {
      schemaUrl: manifests.find((m) => m.own)?.value.schema_url,
      upstream: manifests.find((m) => !m.own)?.value.description,
      attributes: of('attribute'),
      metrics: of('metric'),
      spans: of('span'),
      events: of('event'),
      groups: of('group'),
      refinements: of('refinement'),
    },
  };
}
