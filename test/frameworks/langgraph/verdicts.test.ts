import { describe, expect, test } from 'vitest';
import { runApp } from '../run-app.js';
import { VERDICT_CONTRACTS } from './contracts.js';

describe.each(['newest', 'oldest'])('the six verdicts, with the %s versions', (versions) => {
  test('each stands for a way in which LangGraph loses context', async () => {
    const app = `langgraph/${versions}/app.mjs`;
    const result = await runApp({ app, args: ['verdicts'], contracts: VERDICT_CONTRACTS });
    expect(result.code, result.stderr).toBe(0);
    expect(result.stdout).not.toContain('"threw"');
    const told = Object.fromEntries(
      result.grades.map(({ route, verdict, boundary, missing_keys: missing, reason }) => [
        route,
        [verdict, boundary, missing, reason],
      ]),
    );
    expect(told).toEqual({
      passed: ['passed', 'none', [], null],
      // The plan stood in the planner's own state, which a transfer to the graph above leaves behind.
      packaging: ['packaging_loss', 'source_to_payload', ['current_plan'], null],
      // The delegate's graph has no place for the key.
      ingestion: ['ingestion_loss', 'payload_to_destination', ['order_id'], null],
      upstream: ['upstream_context_missing', 'before_handoff', ['order_id'], null],
      misrouted: ['routing_mismatch', 'route', [], null],
      // Nothing but messages: text proves nothing.
      text: ['insufficient_evidence', 'source_capture', [], 'unsupported'],
    });
    const misrouted = result.grades.find(({ route }) => route === 'misrouted');
    expect(misrouted).toMatchObject({ source: 'm_triage', target: 'm_billing', destination: 'm_support' });
  });
});
