import { expect, it } from 'vitest';
import { preferredFormat } from './format.js';

it.each([
  [undefined, 'text'],
  ['', 'text'],
  ['*/*', 'text'],
  ['text/html,application/xhtml+xml', 'text'],
  ['text/plain;version=0.0.4', 'text'],
  ['application/openmetrics-text', 'openmetrics'],
  // What Prometheus 2.5x sends.
  [
    'application/openmetrics-text;version=1.0.0;q=0.5,application/openmetrics-text;version=0.0.1;q=0.4,text/plain;version=0.0.4;q=0.3,*/*;q=0.2',
    'openmetrics',
  ],
  ['application/openmetrics-text;q=0.1, text/plain;q=0.9', 'text'],
  ['application/openmetrics-text;q=0', 'text'],
  ['application/openmetrics-text;q=nonsense', 'text'],
])('%s → %s', (accept, format) => {
  expect(preferredFormat(accept)).toBe(format);
});
