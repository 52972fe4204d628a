import { beforeAll, describe, expect, test } from 'vitest';
import { type AppResult, runApp, spansNamed } from '../run-app.js';
import { FLOW_CONTRACTS } from './contracts.js';

describe('ways in which work moves', () => {
  let result: AppResult;
  beforeAll(async () => {
    result = await runApp({
      app: 'langgraph/newest/app.mjs',
      args: ['flows'],
      contracts: FLOW_CONTRACTS,
      secret: 'key',
    });
    expect(result.code, result.stderr).toBe(0);
    expect(result.stdout).not.toContain('"threw"');
  });
  const graded = (route: string) =>
    result.grades
      .filter((grade) => grade.route === route)
      .map(({ verdict, missing_keys: missing, destination }) => ({ verdict, missing, destination }));
  const passed = (destination: string) => ({ verdict: 'passed', missing: [], destination });
  const dispatches = (target: string) =>
    spansNamed(result, `handoff ${target}`).filter(({ name }) => name === `handoff ${target}`);

  test('conditional edges and commands between nodes that the contract declares as agents', () => {
    expect(graded('conditional')).toEqual([passed('c_billing'), passed('c_billing')]);
  });

  test('an input schema that leaves a key out loses it after delivery, and says what the node reads', () => {
    expect(graded('narrowed')).toEqual([{ verdict: 'ingestion_loss', missing: ['amount'], destination: 'x_reader' }]);
    const [reader] = spansNamed(result, 'invoke_agent x_reader');
    expect(reader?.attributes.get('seamtrace.destination.read_keys')).toEqual(['order_id']);
  });

  test('fan-out by Send: a handoff and a subtask each, with the input that was sent', () => {
    expect(graded('fan_out')).toEqual([passed('s_work'), passed('s_work'), passed('s_work')]);
    const sent = dispatches('s_work');
    expect(new Set(sent.map(({ attributes }) => attributes.get('seamtrace.task.id'))).size).toBe(3);
    expect(new Set(sent.map(({ attributes }) => attributes.get('seamtrace.task.parent.id'))).size).toBe(1);
    for (const { attributes } of sent) {
      expect(attributes.get('seamtrace.payload.channel')).toBe('envelope');
      expect(attributes.get('seamtrace.payload.size')).toBe(BigInt('{"part":1}'.length));
    }
  });

  test('fan-in: one run that several handoffs started, one ingest for each', () => {
    expect(graded('fan_in')).toEqual([passed('s_merge'), passed('s_merge'), passed('s_merge')]);
    const runs = spansNamed(result, 'invoke_agent s_merge');
    expect(runs).toHaveLength(1);
    expect(runs[0]?.attributes.has('seamtrace.handoff.id')).toBe(false);
    expect(spansNamed(result, 'ingest fan_in')).toHaveLength(3);
    expect(runs[0]?.attributes.get('seamtrace.task.id')).toBe(
      dispatches('s_work')[0]?.attributes.get('seamtrace.task.parent.id'),
    );
  });

  test('steps between two agents are part of the way, and what they write was there before the handoff', () => {
    expect(graded('through_steps')).toEqual([passed('f_pay')]);
  });

  test('a graph without agents, and an agent that goes on by itself, hand nothing over', () => {
    const names = result.spans.map(({ name }) => name);
    expect(names.filter((name) => /extract|load|alone/.test(name))).toEqual(['invoke_agent alone']);
    const calls = spansNamed(result, 'execute_tool now');
    expect(calls).toHaveLength(2);
    for (const { attributes } of calls) {
      expect(attributes.get('gen_ai.agent.name')).toBe('alone');
      expect(attributes.get('seamtrace.tool.arguments.digest')).toEqual(expect.any(String));
    }
  });

  test('an agent as a tool is a delegation with a return leg of its own', () => {
    expect(graded('delegation')).toEqual([passed('d_helper')]);
    expect(graded('delegation_back')).toEqual([passed('d_main')]);
    const [forward] = dispatches('d_helper');
    const [back] = dispatches('d_main');
    expect(forward?.attributes.get('seamtrace.handoff.mode')).toBe('delegation');
    expect(back?.attributes.get('seamtrace.handoff.leg')).toBe('return');
    expect(back?.attributes.get('seamtrace.handoff.in_reply_to')).toBe(forward?.attributes.get('seamtrace.handoff.id'));
    expect(back?.attributes.get('seamtrace.handoff.id')).not.toBe(forward?.attributes.get('seamtrace.handoff.id'));
    const [helper] = spansNamed(result, 'invoke_agent d_helper');
    expect(helper?.attributes.get('gen_ai.conversation.id')).toBe('delegation');
    // The delegate works inside the tool call, and that inside the agent.
    expect(forward?.parentSpanId).toBe(spansNamed(result, 'execute_tool ask_helper')[0]?.spanId);
  });

  test('a key that the tool looked up for its delegate was there to hand over', () => {
    expect(graded('looked_up')).toEqual([passed('k_helper')]);
  });

  test('a function that runs an agent by itself is that agent, and what the agent cannot read is lost', () => {
    expect(graded('by_function')).toEqual([
      { verdict: 'ingestion_loss', missing: ['order_id'], destination: 'w_second' },
    ]);
    expect(spansNamed(result, 'invoke_agent w_second')).toHaveLength(1);
  });

  test('what a supervisor delegated comes back to it', () => {
    expect(graded('answered')).toEqual([passed('r_boss')]);
    const [forward] = dispatches('r_worker');
    expect(forward?.attributes.get('seamtrace.handoff.mode')).toBe('delegation');
    const [back] = dispatches('r_boss');
    expect(back?.attributes.get('seamtrace.handoff.in_reply_to')).toBe(forward?.attributes.get('seamtrace.handoff.id'));
    expect(back?.attributes.get('seamtrace.hop.index')).toBe(forward?.attributes.get('seamtrace.hop.index'));
    expect(spansNamed(result, 'invoke_agent r_boss')).toHaveLength(2);
  });

  test("the arguments of a transfer's call are an envelope", () => {
    const [dispatch] = dispatches('a_billing');
    expect(dispatch?.attributes.get('seamtrace.payload.keys')).toEqual(['order_id']);
    expect(dispatch?.attributes.get('seamtrace.payload.channel')).toBe('envelope');
    const [billing] = spansNamed(result, 'invoke_agent a_billing');
    expect(billing?.attributes.get('seamtrace.destination.keys')).toEqual(['order_id']);
  });
});
