import { describe, expect, it } from 'vitest';
import { passing, span } from '../../test/spans.js';
import { extractEvidence } from './extract.js';
import { readString, readStrings } from './read.js';

describe('reading texts', () => {
  it('keeps none that is longer than a name can be', () => {
    expect(readString(span({ k: 'a'.repeat(512) }), 'k')).toHaveLength(512);
    expect(readString(span({ k: 'a'.repeat(513) }), 'k')).toBeUndefined();
    expect(readStrings(span({ k: ['a'.repeat(513)] }), 'k')).toBeUndefined();
    expect(readStrings(span({ k: Array.from({ length: 1025 }, String) }), 'k')).toBeUndefined();
  });

  it('holds a record small, whatever its span carries', () => {
    const huge = Object.fromEntries(
      Object.entries(passing()).map(([key, value]) => [
        key,
        typeof value === 'string' && key !== 'seamtrace.handoff.id' && !key.endsWith('role')
          ? 'x'.repeat(1 << 20)
          : value,
      ]),
    );
    const path = Array.from({ length: 1000 }, () => 'y'.repeat(500));
    const result = extractEvidence(span({ ...huge, 'seamtrace.hop.path': path, 'seamtrace.ingest.violations': path }));
    expect(result.ok && JSON.stringify(result.evidence).length).toBeLessThan(64 * 1024);
  });
});
