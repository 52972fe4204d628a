import type { Format } from '../sinks/metrics/instruments.js';

/**
 * The exposition that a scraper asks for: OpenMetrics where its `Accept` header wants that at least as much as text.
 * Without a header, or with one that names neither, it is text.
 */
export function preferredFormat(accept: string | undefined): Format {
  let openmetrics = 0;
  let text = 0;
  for (const range of (accept ?? '').split(',')) {
    const [type = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase());
    const weight = weightOf(parameters);
    if (type === 'application/openmetrics-text') openmetrics = Math.max(openmetrics, weight);
    if (type === 'text/plain' || type === 'text/*' || type === '*/*') text = Math.max(text, weight);
  }
  return openmetrics > 0 && openmetrics >= text ? 'openmetrics' : 'text';
}

function weightOf(parameters: readonly string[]): number {
  const stated = parameters.find((parameter) => parameter.startsWith('q='));
  const weight = stated === undefined ? 1 : Number(stated.slice(2));
  return weight >= 0 && weight <= 1 ? weight : 0;
}
