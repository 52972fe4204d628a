import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import * as semconv from './index.js';

const page = readFileSync(new URL('../../../docs/wire.md', import.meta.url), 'utf8');
const section = (number: number) => page.split(/^## \d+\. /m)[number] ?? '';

/** Names in our namespace that the page puts in code, with `S` and `<c>` filled in; wild cards are left out. */
function namesOf(text: string): string[] {
  const spans = text.replaceAll(/^```[\s\S]*?^```/gm, '').match(/`[^`]+`/g) ?? [];
  return spans
    .flatMap((span) => span.match(/seamtrace\.[a-zA-Z_.<>]*[a-zA-Z_>]/g) ?? [])
    .filter((name) => !/\.(ya?ml|json|js|dev)$/.test(name))
    .flatMap((name) =>
      /\.S\./.test(name) ? ['source', 'payload', 'destination'].map((s) => name.replace('.S.', `.${s}.`)) : [name],
    )
    .flatMap((name) => (name.includes('<c>') ? semconv.BUDGET_COUNTERS.map((c) => name.replace('<c>', c)) : [name]));
}

describe('docs/wire.md', () => {
  const exported = Object.entries(semconv);
  const prefixes = exported.filter(([name]) => name.startsWith('ATTR_PREFIX_')).map(([, value]) => value as string);
  const known = new Set<string>([
    ...exported.filter(([name]) => /^(ATTR|METRIC)_/.test(name)).map(([, value]) => value as string),
    'seamtrace.verdict', // events; the baggage member has the name of the header's attribute group
    'seamtrace.ingest.rejected',
    'seamtrace.handoff',
    'seamtrace.contract.nullable_keys', // a member of the carried object, never an attribute
  ]);

  it('names nothing in our namespace that the registry does not have', () => {
    const names = namesOf(page).filter((name) => !page.includes(`\`${name}.*`));
    expect(names.length).toBeGreaterThan(50);
    expect(names.filter((name) => !known.has(name) && !prefixes.some((prefix) => name.startsWith(prefix)))).toEqual([]);
  });

  it.each([
    ['verdict', 5, semconv.VERDICTS],
    ['boundary', 5, semconv.BOUNDARIES],
    ['reason', 5, semconv.REASONS],
    ['recovery', 5, [...semconv.RECOVERIES, ...semconv.RECOVERY_BY, ...semconv.RUN_OUTCOMES, ...semconv.DELIVERED]],
    ['finding', 6, semconv.FINDING_IDS],
    ['role', 2, semconv.HANDOFF_ROLES],
    ['capture reason', 3, semconv.INCOMPLETE_REASONS],
    ['budget counter', 3, semconv.BUDGET_COUNTERS],
  ] as const)('names every %s in section %i', (_what, number, values) => {
    const text = section(number);
    expect(values.filter((value) => !text.includes(`\`${value}\``))).toEqual([]);
  });

  it('names in sections 2 and 3 every attribute that a span of ours carries', () => {
    const reference = readFileSync(new URL('../../../docs/reference/attributes.md', import.meta.url), 'utf8');
    const onSpans = new Set(
      [...reference.matchAll(/^### Span [\s\S]*?(?=^##)/gm)].flatMap(
        ([block]) => block.match(/seamtrace\.[a-z_.]+/g) ?? [],
      ),
    );
    expect(onSpans.size).toBeGreaterThan(50);
    const named = new Set(namesOf(page));
    const missing = [...onSpans].filter((key) => !named.has(key) && !prefixes.includes(`${key}.`));
    expect(missing).toEqual([]);
  });
});
