import { METRICS, METRIC_SEAMTRACE_ANALYZER_LABEL_OVERFLOW } from '@seamtrace/semconv';
import type { MetricDefinition } from '@seamtrace/semconv';
import type { OpenMetricsContentType } from 'prom-client';
import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import { bucketsOf } from './buckets.js';
import { type LabelGuard, createLabelGuard } from './labels.js';
import { isRecorded } from './recorded.js';

export type Labels = Readonly<Record<string, string>>;
/** Ids of one example, for OpenMetrics. Never a label. */
export type Exemplar = Readonly<Record<string, string>>;
export type Format = 'text' | 'openmetrics';

/** Every metric of the registry that this version records, by its OpenTelemetry name. */
export interface Instruments {
  /** Adds to a counter. */
  add(metric: string, labels?: Labels, value?: number, exemplar?: Exemplar): void;
  /** Puts a value into a histogram. */
  observe(metric: string, labels: Labels, value: number, exemplar?: Exemplar): void;
  /** Sets a gauge. */
  set(metric: string, labels: Labels, value: number): void;
  reserve: LabelGuard['reserve'];
  /** The whole exposition. Scrapes wait for each other. */
  render(format: Format): Promise<{ readonly contentType: string; readonly body: string }>;
}

type Instrument = Counter | Gauge | Histogram;

/**
 * Builds the instruments from the registry's definitions.
 *
 * @throws Error on a name that is not recorded, or a label that the definition lacks: a programmer's error.
 */
export function createInstruments(maxLabelValues: number): Instruments {
  // Exemplars are refused on a registry that is made for text; `render` sets the type for each scrape.
  const registry = new Registry<OpenMetricsContentType>();
  registry.setContentType(Registry.OPENMETRICS_CONTENT_TYPE);
  const instruments = new Map<string, Instrument>();
  for (const definition of METRICS) {
    if (isRecorded(definition.name)) instruments.set(definition.name, create(definition, registry));
  }
  const guard = createLabelGuard(maxLabelValues, (label) => {
    (find(METRIC_SEAMTRACE_ANALYZER_LABEL_OVERFLOW) as Counter).inc({ labels: { label }, value: 1 } as never);
  });

  function find(metric: string): Instrument {
    const instrument = instruments.get(metric);
    if (instrument === undefined) throw new Error(`${metric} is not a metric that this version records`);
    return instrument;
  }

  /** The labels as they may be recorded, mostly those given. */
  function guarded(metric: string, labels: Labels): Labels {
    let admitted = labels;
    for (const label in labels) {
      const value = labels[label]!;
      const allowed = guard.admit(metric, label, value);
      if (allowed !== value) admitted = { ...admitted, [label]: allowed };
    }
    return admitted;
  }

  let turn: Promise<unknown> = Promise.resolve();
  return {
    // With exemplars enabled prom-client takes one object, which its types know only for classes without a label type.
    add(metric, labels = {}, value = 1, exemplar) {
      (find(metric) as Counter).inc({ labels: guarded(metric, labels), value, exemplarLabels: exemplar } as never);
    },
    observe(metric, labels, value, exemplar) {
      (find(metric) as Histogram).observe({
        labels: guarded(metric, labels),
        value,
        exemplarLabels: exemplar,
      } as never);
    },
    set: (metric, labels, value) => (find(metric) as Gauge).set(guarded(metric, labels), value),
    reserve: guard.reserve,
    render(format) {
      const result = turn.then(() => render(registry, format));
      turn = result.catch(() => undefined);
      return result;
    },
  };
}

function create(definition: MetricDefinition, registry: Registry<OpenMetricsContentType>): Instrument {
  const { prometheusName: name, brief: help, attributes, instrument } = definition;
  const shared = { name, help, labelNames: [...attributes], registers: [registry] };
  if (instrument === 'gauge') return new Gauge(shared);
  if (instrument === 'counter') return new Counter({ ...shared, enableExemplars: true });
  return new Histogram({ ...shared, buckets: bucketsOf(definition), enableExemplars: true });
}

/**
 * prom-client renders in the content type of the registry and, for OpenMetrics, takes `_total` off the counters' names
 * for good. So one scrape is rendered at a time and the names are put back after it.
 */
async function render(
  registry: Registry<OpenMetricsContentType>,
  format: Format,
): Promise<{ contentType: string; body: string }> {
  const contentType = format === 'openmetrics' ? Registry.OPENMETRICS_CONTENT_TYPE : Registry.PROMETHEUS_CONTENT_TYPE;
  const metrics = registry.getMetricsAsArray() as unknown as { name: string }[];
  const names = metrics.map(({ name }) => name);
  registry.setContentType(contentType as never);
  try {
    return { contentType, body: await registry.metrics() };
  } finally {
    metrics.forEach((metric, index) => (metric.name = names[index]!));
  }
}
