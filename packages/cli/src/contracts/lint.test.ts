import { type Contracts, parseContracts } from '@seamtrace/contracts';
import { describe, expect, it } from 'vitest';
import { lintContractFile } from './lint.js';

function contracts(routes: string, agents = 'b: { terminal: true }'): Contracts {
  const parsed = parseContracts(`version: 1\nagents: { a: {}, ${agents} }\nroutes:\n${routes}`, 'c.yaml');
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
  return parsed.contracts;
}

const OWNERS =
  '{ packaging_loss: t, ingestion_loss: t, routing_mismatch: t, upstream_context_missing: t, insufficient_evidence: t }';

describe('lintContractFile', () => {
  it('has nothing to say about a route that is reviewed, owned and observed', () => {
    const file = contracts(`  r: { from: a, to: b, required: [k], owners: ${OWNERS} }`);
    expect(lintContractFile(file)).toEqual({ refusals: [], notes: [] });
  });

  it.each(['producer', 'consumer'])('refuses %s enforcement and names everything that is missing', (side) => {
    const file = contracts(`  r: { from: a, to: b, required: [k], enforce: { ${side}: enforce } }`);
    expect(lintContractFile(file).refusals).toEqual([
      `route r enforces (${side}) without on_violation, purpose, owners, reviewed_by; write them, or observe`,
    ]);
  });

  it('does not refuse enforcement that is decided, explained, owned and reviewed', () => {
    const file = contracts(
      `  r: { from: a, to: b, required: [k], enforce: { producer: enforce, consumer: warn }, on_violation: ask, purpose: p, reviewed_by: t, owners: ${OWNERS} }`,
    );
    expect(lintContractFile(file)).toEqual({ refusals: [], notes: [] });
  });

  it('notes verdicts that nobody owns', () => {
    const file = contracts('  r: { from: a, to: b, required: [k], owners: { packaging_loss: t } }');
    expect(lintContractFile(file).notes).toEqual([
      'route r: nobody owns insufficient_evidence, routing_mismatch, upstream_context_missing, ingestion_loss',
    ]);
  });

  it('notes agents from which no task can end, also in a circle', () => {
    const file = contracts(
      [
        `  ab: { from: a, to: b, required: [k], owners: ${OWNERS} }`,
        `  xy: { from: x, to: y, required: [k], owners: ${OWNERS} }`,
        `  yx: { from: y, to: x, required: [k], owners: ${OWNERS} }`,
      ].join('\n'),
      'b: { terminal: true }, x: {}, y: {}',
    );
    expect(lintContractFile(file).notes).toEqual(
      ['x', 'y'].map(
        (agent) =>
          `agent ${agent}: no terminal agent can be reached from it; mark where a task can end (terminal: true)`,
      ),
    );
  });
});
