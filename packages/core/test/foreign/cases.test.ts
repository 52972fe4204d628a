import { parseContracts } from '@seamtrace/contracts';
import { describe, expect, test } from 'vitest';
import { tool } from './app.js';
import { doubled } from './doubles.js';
import { otelStyles } from './dialects/otel.js';
import { otherStyles } from './dialects/others.js';
import { gradeFile, gradeLive, tell } from './judge.js';
import { type Step, type Value, record, requests, step } from './recording.js';

const styles = [...otelStyles, ...otherStyles];
const styleOf = (name: string) => styles.find((each) => each.name === name)!;
const op = (operation: string) => ({ 'gen_ai.operation.name': operation });
const run = (agent: string, steps: readonly Step[], more: Record<string, Value> = {}) =>
  step(`invoke_agent ${agent}`, { ...op('invoke_agent'), 'gen_ai.agent.name': agent, ...more }, steps);
const call = (name: string, more: Record<string, Value> = {}, steps: readonly Step[] = []) =>
  step(`execute_tool ${name}`, { ...op('execute_tool'), 'gen_ai.tool.name': name, ...more }, steps);
const grade = (...roots: Step[]) => gradeFile(requests(record('app', roots)));
const executed = (...roots: Step[]) => tell(grade(...roots)).executed;

describe('two instrumentations of one app', () => {
  const style = styleOf('OpenAI Agents, OpenInference');
  const acts = [
    tool('find_order'),
    { to: 'ledger', run: [tool('find_order'), { ask: 'scribe', run: [tool('write')] }, tool('close')] },
  ];
  const single = record(style.scope, style.spans('intake', acts));

  test.each(['beside', 'within', 'apart'] as const)('tell of each handoff and each call once: %s', (how) => {
    const both = doubled(single, how);
    const told = tell(gradeFile(requests(both)));
    expect(told).toEqual(tell(gradeFile(requests(single))));
    expect(told.executed).toEqual(['intake > ledger', 'ledger > scribe']);
    const [redundant] = gradeFile(requests(both)).flatMap(({ findings }) => findings);
    expect(redundant).toEqual({ id: 'redundant_work', detail: { calls: 1, tools: ['find_order'] } });
    expect(tell(gradeLive(requests(both, 3)).graded)).toEqual(told);
  });

  test('several runs at once keep one trace each', () => {
    const runs = ['7', '8', '9'].map((trace) => record(style.scope, style.spans('intake', acts), trace));
    const twice = runs.flatMap((one) => doubled(one, 'apart'));
    expect(gradeFile(requests(twice)).length).toBe(6);
    expect(gradeFile(requests(runs.flat())).length).toBe(6);
  });

  test('a crew, its agents and their tasks that are all called agents are agents only once', () => {
    const kind = (of: string) => ({ 'traceloop.span.kind': of });
    const task = run('lookup task', [run('ledger', [call('read_entry')], kind('agent'))], kind('task'));
    const ask = call('Delegate work to coworker', { 'gen_ai.tool.call.arguments': '{"coworker":"ledger"}' }, [task]);
    const crew = run('desk crew', [run('intake', [ask], kind('agent'))], kind('workflow'));
    expect(executed(crew)).toEqual(['intake > ledger']);
  });
});

describe('what is no handoff', () => {
  test('agents one after the other, or in each other, that nobody asked for', () => {
    expect(grade(run('pipeline', [run('a', [call('x')]), run('b', [call('y')])]))).toEqual([]);
    expect(grade(step('flow', op('invoke_workflow'), [run('a', [call('x')]), run('b', [])]))).toEqual([]);
  });

  test("a business tool whose name begins as a handoff's does", () => {
    expect(grade(run('bank', [call('transfer_to_savings'), call('transfer_to_savings')]))).toEqual([]);
  });

  test('a model that a tool asks, without a name or under that of the agent', () => {
    const unnamed = step('invoke_agent m-1', { ...op('invoke_agent'), 'gen_ai.request.model': 'm-1' });
    expect(grade(run('intake', [call('summarize', {}, [unnamed])]))).toEqual([]);
    expect(grade(run('intake', [call('summarize', {}, [run('intake', [])])]))).toEqual([]);
  });

  test('a trace of one agent', () => {
    const graded = gradeLive(requests(record('app', [run('intake', [call('x'), call('y')])])));
    expect(graded).toEqual({ graded: [], ends: [] });
  });
});

describe('what dialects say in other ways', () => {
  test('upstream attributes of a transfer name the target', () => {
    const transfer = { 'gen_ai.transfer.mode': 'pass_control', 'gen_ai.transfer.target.name': 'ledger' };
    const [graded] = grade(step('flow', {}, [run('intake', [call('go', transfer)]), run('ledger', [])]));
    expect(graded).toMatchObject({ source: 'intake', target: 'ledger', destination: 'ledger', reason: 'no_contract' });
  });

  test('an app that takes transfers up itself shows them in the last answer only', () => {
    const answer = (name: string) =>
      JSON.stringify([{ role: 'assistant', parts: [{ type: 'tool_call', name, arguments: { why: 'x' } }] }]);
    const asks = { 'gen_ai.output.messages': answer('transfer_to_ledger') };
    const wrapped = step('handle', {}, [run('intake', [call('x')], asks), run('ledger', [])]);
    expect(tell(gradeFile(requests(record('gen_ai', [wrapped])))).executed).toEqual(['intake > ledger']);
  });

  test('a delegate without a name is called after its tool, and its caller is not known', () => {
    const unnamed = (steps: readonly Step[]) =>
      step('invoke_agent m-1', { ...op('invoke_agent'), 'gen_ai.request.model': 'm-1' }, steps);
    const [graded] = grade(unnamed([call('delegate_to_ledger', {}, [unnamed([call('x')])])]));
    expect(graded).toMatchObject({ source: null, destination: 'ledger', reason: 'name_unresolved' });
  });

  test('an agent that createAgent made is named by its metadata, its tools call others', () => {
    const kind = (of: string, agent: string, path: string) => ({
      'openinference.span.kind': of,
      metadata: JSON.stringify({ lc_agent_name: agent, langgraph_checkpoint_ns: path }),
    });
    const inner = step('ledger', kind('CHAIN', 'ledger', ''), [
      step('tools', kind('CHAIN', 'ledger', 'tools:1|tools:2'), [
        step('read', kind('TOOL', 'ledger', 'tools:1|tools:2')),
      ]),
    ]);
    const ask = step('ask_ledger', kind('TOOL', 'intake', 'tools:1'), [inner]);
    const outer = step('intake', kind('CHAIN', 'intake', ''), [
      step('tools', kind('CHAIN', 'intake', 'tools:1'), [ask]),
    ]);
    expect(executed(outer)).toEqual(['intake > ledger']);
  });

  test('supervisors of supervisors hand down, and what comes back is no handoff', () => {
    const oi = (of: string, path: string) => ({
      'openinference.span.kind': of,
      metadata: JSON.stringify(path === '' ? {} : { langgraph_checkpoint_ns: path }),
    });
    const node = (name: string, path: string, steps: readonly Step[]) => {
      const inner = step(name, oi('CHAIN', path), [step('agent', oi('LLM', `${path}|agent:9`)), ...steps]);
      return step(name, oi('CHAIN', path), [inner]);
    };
    const ask = (to: string, path: string) =>
      step('tools', oi('CHAIN', `${path}|tools:8`), [step(`transfer_to_${to}`, oi('TOOL', `${path}|tools:8`))]);
    const team = node('ledger', 'ledger:2', [
      node('ledger', 'ledger:2|ledger:3', [ask('refunds', 'ledger:2|ledger:3')]),
      node('refunds', 'ledger:2|refunds:4', []),
      node('ledger', 'ledger:2|ledger:5', []),
    ]);
    const desk = [node('intake', 'intake:1', [ask('ledger', 'intake:1')]), team, node('intake', 'intake:6', [])];
    expect(executed(step('LangGraph', oi('CHAIN', ''), desk))).toEqual(['intake > ledger', 'ledger > refunds']);
  });

  test('an agent that is asked through several spans of a second runner', () => {
    const ask = call('ledger', { 'gen_ai.tool.type': 'AgentTool' }, [step('invocation', {}, [run('ledger', [])])]);
    expect(executed(run('intake', [step('call_llm', {}, [ask])]))).toEqual(['intake > ledger']);
  });

  test('delegates at the same time are two handoffs of one hop', () => {
    const both = step('turn', {}, [call('ask_a', {}, [run('a', [])]), call('ask_b', {}, [run('b', [])])], {
      parallel: true,
    });
    const { graded, ends } = gradeLive(requests(record('app', [run('intake', [both])])));
    expect(tell(graded).executed).toEqual(['intake > a', 'intake > b']);
    expect(ends.map(({ hops }) => hops)).toEqual([1]);
  });

  test('a delegate that is asked twice', () => {
    const twice = [call('ask_a', {}, [run('a', [])]), call('ask_a', {}, [run('a', [])])];
    expect(executed(run('intake', twice))).toEqual(['intake > a', 'intake > a']);
  });
});

describe('what is declared', () => {
  const contracts = parseContracts(
    [
      'version: 1',
      'agents: { intake: {}, ledger: {}, courier: {} }',
      'routes:',
      '  intake_to_ledger: { from: intake, to: ledger, required: [order] }',
    ].join('\n'),
    'seamtrace.contracts.yaml',
  );
  const file = () => {
    if (!contracts.ok) throw new Error('the contract file is none');
    return contracts.contracts;
  };
  const sides = (from: string, to: string) => ({ 'gen_ai.handoff.from_agent': from, 'gen_ai.handoff.to_agent': to });
  const handoff = (from: string, to: string) => step('handoff', { ...op('agent_handoff'), ...sides(from, to) });

  test('a handoff on a declared route wants what the contract asks for, and nobody captured it', () => {
    const roots = [step('flow', {}, [run('intake', [handoff('intake', 'ledger')]), run('ledger', [])])];
    const [graded] = gradeFile(requests(record('app', roots)), file());
    expect(graded).toMatchObject({
      route: 'intake_to_ledger',
      verdict: 'insufficient_evidence',
      boundary: 'source_capture',
      reason: 'uninstrumented',
    });
  });

  test('a handoff that the file has no route for', () => {
    const roots = [step('flow', {}, [run('ledger', [handoff('ledger', 'courier')]), run('courier', [])])];
    const [graded] = gradeFile(requests(record('app', roots)), file());
    expect(graded?.findings.map(({ id }) => id)).toEqual(['undeclared_route']);
  });

  test('agents that the file does not know are on no undeclared route', () => {
    const roots = [step('flow', {}, [run('x', [handoff('x', 'y')]), run('y', [])])];
    expect(gradeFile(requests(record('app', roots)), file()).flatMap(({ findings }) => findings)).toEqual([]);
  });

  test('of two declared requests the one that was not run is told of', () => {
    const asks = [handoff('intake', 'courier'), handoff('intake', 'ledger')];
    const graded = grade(step('flow', {}, [run('intake', asks), run('ledger', [])]));
    const dropped = graded.find(({ destination }) => destination === null);
    expect(dropped).toMatchObject({ source: 'intake', target: 'courier', verdict: 'insufficient_evidence' });
    expect(dropped?.findings).toEqual([{ id: 'announced_not_dispatched', detail: { target: 'courier' } }]);
  });

  test('a lone declared request whose target was never seen may have run elsewhere', () => {
    const [graded] = grade(step('flow', {}, [run('intake', [handoff('intake', 'courier')])]));
    expect(graded).toMatchObject({ destination: null, findings: [] });
  });

  test('a destination under another name than the one that was asked for is no mismatch', () => {
    const receives = { 'gen_ai.agent.handoff_parent': 'intake' };
    const graded = grade(step('flow', {}, [run('intake', [handoff('intake', 'ledger')]), run('books', [], receives)]));
    expect(graded.filter(({ verdict }) => verdict !== 'insufficient_evidence')).toEqual([]);
  });
});

describe('beside spans of ours', () => {
  const ours = {
    'seamtrace.schema.version': '1',
    'seamtrace.handoff.id': 'h-1',
    'seamtrace.handoff.role': 'destination',
  };
  const stamped = { ...ours, 'seamtrace.handoff.source.name': 'intake', 'seamtrace.handoff.target.name': 'ledger' };
  const style = styleOf('OpenAI Agents, OpenInference');

  test('a handoff that we tell of is told of once', () => {
    const foreign = style.spans('intake', [{ to: 'ledger', run: [tool('read_entry')] }]);
    const both = record('app', [step('request', {}, [...foreign, run('ledger', [], stamped)])]);
    for (const graded of [gradeFile(requests(both)), gradeLive(requests(both, 2)).graded]) {
      expect(graded.map(({ handoff_id: id, evidence }) => [id, evidence])).toEqual([['h-1', 'declared']]);
    }
  });

  test('one between agents that are not ours is told of beside ours', () => {
    const foreign = style.spans('scout', [{ to: 'courier', run: [tool('track')] }]);
    const both = record('app', [step('request', {}, [...foreign, run('ledger', [], stamped)])]);
    expect(tell(gradeFile(requests(both))).executed).toEqual(['intake > ledger', 'scout > courier']);
  });
});

describe('bounds', () => {
  test('a trace of 50,000 spans in seconds, its last spans late', () => {
    const turns = Array.from({ length: 10_000 }, (_, at) => step('turn', {}, [call(`t${at % 7}`), step('log', {})]));
    const first = run('intake', [...turns.slice(0, 5_000), call('transfer_to_ledger')]);
    const recorded = record('app', [step('flow', {}, [first, run('ledger', turns)])]);
    expect(recorded.length).toBeGreaterThan(45_000);
    expect(tell(gradeFile(requests(recorded, 1_000))).executed).toEqual(['intake > ledger']);
    expect(tell(gradeLive(requests(recorded, 1_000)).graded).executed).toEqual(['intake > ledger']);
  });

  test('thousands of requests that nobody takes up cost no more than they are', () => {
    const asks = Array.from({ length: 4_000 }, () => call('transfer_to_nobody'));
    const runs = Array.from({ length: 4_000 }, (_, at) => run(`agent ${at}`, []));
    expect(grade(step('flow', {}, [run('intake', asks), ...runs]))).toEqual([]);
  });

  test('spans that stand in each other', () => {
    const recorded = record('app', [run('a', [call('transfer_to_b')]), run('b', [])]);
    const circle = recorded.map((one) => ({ ...one, span: { ...one.span, parentSpanId: recorded[1]!.span.spanId } }));
    expect(() => gradeFile(requests(circle))).not.toThrow();
  });
});
