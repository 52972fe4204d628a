import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { formatProblems } from './fault.js';
import { parseContracts } from './parse.js';

const example = readFileSync(new URL('../testdata/wire-example.yaml', import.meta.url), 'utf8');

function parsed(text: string, name = 'c.yaml') {
  const result = parseContracts(text, name);
  if (!result.ok) throw new Error(formatProblems(result.problems));
  return result.contracts;
}

const route = (body: string, agents = '') => `version: 1\n${agents}routes:\n  r:\n    from: a\n    to: b\n${body}`;

describe('a good file', () => {
  test('gives its routes, agents and defaults', () => {
    const contracts = parsed(example);
    const triage = contracts.routes.get('triage_to_billing');
    expect(triage).toMatchObject({
      from: 'triage',
      to: 'billing',
      purpose: 'settle an invoice question',
      reviewedBy: 'payments-platform',
      current: '2',
      enforce: { producer: 'observe', consumer: 'observe' },
      onViolation: 'ask',
      gate: 'required',
      readBack: false,
      hopLimit: 6,
      deadlineSeconds: 600,
      replanIgnore: ['now'],
      idempotent: [],
    });
    expect(triage?.versions.get('1')).toEqual({
      version: '1',
      required: ['customer_id', 'invoice_reference'],
      permitted: undefined,
      nullable: [],
      integrity: [],
    });
    expect(triage?.migrations[0]?.rename).toEqual(new Map([['invoice_reference', 'invoice_id']]));
    expect(triage?.owners.get('packaging_loss')).toBe('team-triage');
    expect([...contracts.agents.values()]).toEqual([
      { name: 'billing', aliases: ['billing_agent'], terminal: true },
      { name: 'triage', aliases: [], terminal: false },
    ]);
  });

  test('may be short', () => {
    const short = parsed(route('    required: [x]\n'));
    expect(short.routes.get('r')).toMatchObject({
      current: '1',
      gate: 'advisory',
      deadlineSeconds: 600,
      hopLimit: undefined,
      onViolation: undefined,
    });
    expect(short.digest).toBe(parsed(route('    versions: { "1": { required: [x] } }\n')).digest);
    expect(short.digest).toBe(parsed(route('    versions: { 1: { required: [x] } }\n    current: 1\n')).digest);
    expect(parsed(route('    required: [x]\n    version: 1.10\n')).routes.get('r')?.current).toBe('1.10');
  });

  test('names no current version where that is ambiguous', () => {
    const contracts = parsed(route('    versions: { 1: { required: [x] }, 2: { required: [y] } }\n'));
    expect(contracts.routes.get('r')?.current).toBeUndefined();
    expect([...(contracts.routes.get('r')?.versions.keys() ?? [])]).toEqual(['1', '2']);
  });

  test('may be JSON, with the same digest', () => {
    const json = JSON.stringify(
      { version: 1, routes: { r: { to: 'b', from: 'a', required: ['y', 'x'] } } },
      null,
      '\t',
    );
    expect(parsed(json, 'c.json').digest).toBe(parsed(route('    required: [x, y]\n')).digest);
    expect(parsed(`\uFEFF${json}`, 'c.json').digest).toBe(parsed(json).digest);
  });

  test('has another digest when it says something else', () => {
    const base = route('    required: [x]\n');
    const others = [
      route('    required: [x, y]\n'),
      route('    required: [x]\n    permitted: [x]\n'),
      route('    required: [x]\n    gate: required\n'),
      route('    required: [x]\n', 'agents: { a: { aliases: [c] } }\n'),
      route('    required: [x]\n    version: 2\n'),
    ];
    expect(new Set([base, ...others].map((text) => parsed(text).digest)).size).toBe(6);
  });

  test('may use anchors', () => {
    const text = route('    required: &keys [x, y]\n    permitted: *keys\n');
    expect(parsed(text).routes.get('r')?.versions.get('1')?.permitted).toEqual(['x', 'y']);
  });

  test('takes names as names, whatever they are', () => {
    const text =
      'version: 1\nagents: { true: , constructor: , __proto__: { terminal: true } }\nroutes:\n  __proto__: { from: constructor, to: __proto__, required: [__proto__] }\n';
    const contracts = parsed(text);
    expect(contracts.routes.get('__proto__')?.versions.get('1')?.required).toEqual(['__proto__']);
    expect([...contracts.agents.keys()]).toEqual(['true', 'constructor', '__proto__']);
    expect(({} as Record<string, unknown>)['terminal']).toBeUndefined();
  });

  test('is frozen through and through', () => {
    const contracts = parsed(example);
    const triage = contracts.routes.get('triage_to_billing');
    expect(() => (contracts.routes as Map<string, unknown>).set('x', 1)).toThrow(TypeError);
    expect(() => (triage?.owners as Map<string, string>).clear()).toThrow(TypeError);
    expect(() => (triage?.versions.get('1')?.required as string[]).push('x')).toThrow(TypeError);
    expect(() => Object.assign(triage as object, { to: 'x' })).toThrow(TypeError);
    expect(contracts.routes.size).toBe(1);
  });
});
