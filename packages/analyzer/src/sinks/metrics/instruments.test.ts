import { METRICS, METRIC_SEAMTRACE_FINDINGS, METRIC_SEAMTRACE_INGESTS } from '@seamtrace/semconv';
import { describe, expect, it } from 'vitest';
import { createInstruments } from './instruments.js';
import { NOT_RECORDED } from './recorded.js';

describe('instruments', () => {
  it('expose every metric of the registry with its type and help, but for those that are not recorded', async () => {
    const { body } = await createInstruments(10).render('text');
    for (const { name, prometheusName, instrument, brief } of METRICS) {
      const declared = body.includes(`# HELP ${prometheusName} ${brief}\n# TYPE ${prometheusName} ${instrument}\n`);
      expect([name, declared]).toEqual([name, !NOT_RECORDED.has(name)]);
    }
    for (const name of NOT_RECORDED) expect(METRICS.map((definition) => definition.name)).toContain(name);
  });

  it('leave out exactly what cannot be exposed', () => {
    // Replans, redundant calls, tasks and escalations are recorded since what they need of a task is gathered. The one that is
    // left out has a name that promtool refuses.
    expect([...NOT_RECORDED]).toEqual(['seamtrace.budget.wall_clock_ms.spent']);
  });

  it('render both formats in any order and at the same time', async () => {
    const instruments = createInstruments(10);
    instruments.add(METRIC_SEAMTRACE_FINDINGS, { finding: 'loop', route: 'r' }, 2, { trace_id: 'abc' });
    const formats = ['openmetrics', 'text', 'text', 'openmetrics', 'text'] as const;
    const rendered = await Promise.all(formats.map((format) => instruments.render(format)));
    rendered.forEach(({ body, contentType }, index) => {
      const open = formats[index] === 'openmetrics';
      expect(contentType.startsWith(open ? 'application/openmetrics-text' : 'text/plain')).toBe(true);
      expect(body).toContain(`# TYPE ${open ? 'seamtrace_findings' : 'seamtrace_findings_total'} counter\n`);
      expect(body).toContain('seamtrace_findings_total{finding="loop",route="r"} 2');
      expect(body.includes('# {trace_id="abc"}')).toBe(open);
      expect(body.endsWith('# EOF\n')).toBe(open);
    });
  });

  it('count what a label could not hold', async () => {
    const instruments = createInstruments(1);
    for (const source of ['a', 'b', 'c']) {
      instruments.add(METRIC_SEAMTRACE_INGESTS, { route: 'r', source, outcome: 'accepted' });
    }
    const { body } = await instruments.render('text');
    expect(body).toContain('seamtrace_ingests_total{route="r",source="a",outcome="accepted"} 1');
    expect(body).toContain('seamtrace_ingests_total{route="r",source="_other",outcome="accepted"} 2');
    expect(body).toContain('seamtrace_analyzer_label_overflow_total{label="source"} 2');
  });

  it('refuse a metric that is not recorded', () => {
    const metric = 'seamtrace.budget.wall_clock_ms.spent';
    expect(() => createInstruments(1).add(metric, { route: 'r' })).toThrow(metric);
  });

  it('escape what a span can put into a label', async () => {
    const instruments = createInstruments(10);
    instruments.add(METRIC_SEAMTRACE_INGESTS, { route: 'r', source: 'a"b\\c\nd', outcome: 'accepted' });
    const { body } = await instruments.render('text');
    expect(body).toContain('source="a\\"b\\\\c\\nd"');
  });
});
