import { type Contracts, createContracts } from '@seamtrace/contracts';
import { describe, expect, it } from 'vitest';
import { type DecodedSpan, type GradedHandoff, createLedger } from '../src/index.js';
import { type Attributes, evidenceOf, passing, span, stage } from './spans.js';

const file = createContracts({
  version: 1,
  agents: { triage: {}, billing: { aliases: ['billing_agent'] }, support: {} },
  routes: {
    triage_to_billing: {
      from: 'triage',
      to: 'billing',
      current: '2',
      versions: {
        '1': { required: ['customer_id', 'invoice_reference'] },
        '2': { required: ['customer_id', 'invoice_id'], permitted: ['customer_id', 'invoice_id', 'locale'] },
      },
      migrations: [{ from: '1', to: '2', rename: { invoice_reference: 'invoice_id' } }],
      owners: { packaging_loss: 'team-triage', insufficient_evidence: 'observability' },
    },
    triage_to_support: { from: 'triage', to: 'support', version: '1', required: ['customer_id', 'locale'] },
    triage_to_billing_short: { from: 'triage', to: 'billing', version: '2', required: ['customer_id', 'invoice_id'] },
  },
});

const dropped = Symbol('dropped');

function attributes(over: Record<string, unknown> = {}, base: Attributes = passing()): Attributes {
  return Object.fromEntries(
    Object.entries({ ...base, ...over }).filter(([, value]) => value !== dropped),
  ) as Attributes;
}

function gradeAll(spans: readonly DecodedSpan[], contracts: Contracts | null = file): readonly GradedHandoff[] {
  const ledger = createLedger({ contracts: contracts ?? undefined });
  for (const evidence of evidenceOf(spans)) ledger.add(evidence);
  return ledger.grade();
}

function grade(over: Record<string, unknown> = {}, contracts: Contracts | null = file): GradedHandoff {
  return gradeAll([span(attributes(over))], contracts)[0] as GradedHandoff;
}

/** The same handoff as producer's dispatch span and consumer's ingest span. */
function twoSided(
  producer: Record<string, unknown>,
  consumer: Record<string, unknown>,
  contracts?: Contracts,
): GradedHandoff {
  const dispatch = attributes({
    'gen_ai.operation.name': dropped,
    'gen_ai.agent.name': dropped,
    'seamtrace.handoff.role': 'dispatch',
    'seamtrace.handoff.destination.name': dropped,
    ...without('destination'),
    ...producer,
  });
  const ingest = attributes({
    'gen_ai.operation.name': dropped,
    'seamtrace.handoff.role': 'ingest',
    ...without('source'),
    ...without('payload'),
    ...consumer,
  });
  return gradeAll([span(dispatch), span(ingest)], contracts)[0] as GradedHandoff;
}

function without(name: string): Record<string, symbol> {
  const parts = ['keys', 'complete', 'key_count', 'keys_digest'];
  return Object.fromEntries(parts.map((part) => [`seamtrace.${name}.${part}`, dropped]));
}

const ruling = (graded: GradedHandoff) => [graded.verdict, graded.boundary, graded.reason];

describe('row 1, identity', () => {
  it.each([
    ['route', 'seamtrace.handoff.route', 'other_route'],
    ['target', 'seamtrace.handoff.target.name', 'support'],
    ['destination', 'seamtrace.handoff.destination.name', 'support'],
    ['task', 'seamtrace.task.id', 'task-2'],
    ['case', 'seamtrace.case.id', 'case-2'],
  ])('two values of %s are one conflict', (_, key, value) => {
    const [graded] = gradeAll([span(attributes()), span(attributes({ [key]: value }))]);
    expect(ruling(graded as GradedHandoff)).toEqual(['insufficient_evidence', 'identity', 'identity_conflict']);
    expect(graded?.delivered).toBe('unknown');
  });

  it('spellings of one agent are one agent', () => {
    const [graded] = gradeAll([
      span(attributes()),
      span(
        attributes({
          'seamtrace.handoff.target.name': 'billing_agent',
          'seamtrace.handoff.destination.name': 'Billing',
        }),
      ),
    ]);
    expect(graded?.verdict).toBe('passed');
  });

  it('a consumer that restates another payload digest shows a reused id', () => {
    const graded = twoSided({}, { 'seamtrace.payload.keys_digest': '0123456789abcdef' });
    expect(ruling(graded)).toEqual(['insufficient_evidence', 'identity', 'identity_conflict']);
    expect(graded.findings.map((finding) => finding.id)).toContain('identity_reused');
  });

  it('a restated digest that was shortened shows nothing', () => {
    expect(twoSided({}, { 'seamtrace.payload.keys_digest': '0123' }).verdict).toBe('passed');
  });
});

describe('rows 2 and 3, the route', () => {
  it('takes the target from the contract file where no span names it', () => {
    expect(grade({ 'seamtrace.handoff.target.name': dropped }).verdict).toBe('passed');
    const unknown = grade({ 'seamtrace.handoff.target.name': dropped }, null);
    expect(ruling(unknown)).toEqual(['insufficient_evidence', 'route', 'target_unknown']);
  });

  it('grades a mismatch onto a declared route against that route as well', () => {
    const graded = grade({ 'seamtrace.handoff.destination.name': 'support' });
    expect(ruling(graded)).toEqual(['routing_mismatch', 'route', null]);
    expect(graded.secondary).toEqual({
      route: 'triage_to_support',
      verdict: 'passed',
      boundary: 'none',
      missing_keys: [],
    });
    expect(graded.missing_keys).toEqual([]);
  });

  it.each([
    ['Billing-Agent', 'billing agent'],
    ['ＢＩＬＬＩＮＧ', 'billing'],
    ['Straße', 'STRASSE'],
    ['ΣΊΣΥΦΟΣ', 'σίσυφος'],
    ['请求', '请 求'],
  ])('compares undeclared names folded: %s is %s', (target, destination) => {
    const names = { 'seamtrace.handoff.target.name': target, 'seamtrace.handoff.destination.name': destination };
    expect(grade(names, null).verdict).toBe('passed');
  });

  it('keeps names of symbols only apart', () => {
    const names = { 'seamtrace.handoff.target.name': '→', 'seamtrace.handoff.destination.name': '←' };
    expect(grade(names, null).verdict).toBe('routing_mismatch');
  });

  it('does not accuse on a name that may have been shortened, unless both are declared', () => {
    const shortened = grade({ 'seamtrace.handoff.target.name': 'bil' }, null);
    expect(ruling(shortened)).toEqual(['insufficient_evidence', 'route', 'name_unresolved']);
    const two = createContracts({ version: 1, agents: { bill: {}, billing: {}, triage: {} }, routes: {} });
    expect(grade({ 'seamtrace.handoff.target.name': 'bill' }, two).verdict).toBe('routing_mismatch');
  });

  it.each([
    '****1234',
    'b*****g',
    '••••g',
    'XXXX-XXXX',
    '###-###',
    '[REDACTED:name]',
    '<PERSON>',
    '{{name}}',
    '%2A%2A',
    'null',
    'bill...',
  ])('does not accuse on an undeclared name that was rewritten: %s', (name) => {
    for (const key of ['seamtrace.handoff.target.name', 'seamtrace.handoff.destination.name']) {
      expect(ruling(grade({ [key]: name }, null))).toEqual(['insufficient_evidence', 'route', 'name_unresolved']);
      expect(ruling(grade({ [key]: name }))).toEqual(['insufficient_evidence', 'route', 'name_unresolved']);
    }
  });

  it('two names masked alike are not known to be one agent', () => {
    const masked = { 'seamtrace.handoff.target.name': '***', 'seamtrace.handoff.destination.name': '***' };
    expect(ruling(grade(masked))).toEqual(['insufficient_evidence', 'route', 'name_unresolved']);
    const real = { 'seamtrace.handoff.target.name': 'X', 'seamtrace.handoff.destination.name': 'X' };
    expect(grade(real, null).verdict).toBe('passed');
  });

  it('an unknown destination does not stop what the producer did from being proved', () => {
    const names = { 'seamtrace.handoff.destination.name': dropped, 'gen_ai.agent.name': dropped };
    expect(grade({ ...names, ...stage('payload', ['customer_id']) }).verdict).toBe('packaging_loss');
    expect(ruling(grade(names))).toEqual(['insufficient_evidence', 'destination_capture', 'name_unresolved']);
  });
});

describe('rows 4 and 5, the contract', () => {
  const unstated = {
    'seamtrace.contract.version': dropped,
    'seamtrace.contract.required_keys': dropped,
    'seamtrace.contract.permitted_keys': dropped,
  };

  it('needs required keys from spans or file', () => {
    expect(ruling(grade(unstated, null))).toEqual(['insufficient_evidence', 'contract', 'no_contract']);
    expect(ruling(grade(unstated))).toEqual(['insufficient_evidence', 'contract', 'no_contract']);
    expect(grade({ ...unstated, 'seamtrace.handoff.route': 'triage_to_billing_short' }).verdict).toBe('passed');
    expect(grade({ 'seamtrace.contract.version': dropped }, null).verdict).toBe('passed');
  });

  it('a version that is named and not known is not the one that the file has', () => {
    const unknown = {
      ...unstated,
      'seamtrace.handoff.route': 'triage_to_billing_short',
      'seamtrace.contract.version': '9',
    };
    const graded = grade({ ...unknown, ...stage('source', ['customer_id']) });
    expect(ruling(graded)).toEqual(['insufficient_evidence', 'contract', 'no_contract']);
  });

  it('a side that states nothing on a route of several versions is not guessed', () => {
    expect(ruling(twoSided({}, unstated))).toEqual(['insufficient_evidence', 'contract', 'no_contract']);
    const nameless = createContracts({ version: 1, routes: {} });
    expect(twoSided({}, unstated, nameless).verdict).toBe('passed');
  });

  it('different versions need a migration', () => {
    const old = {
      'seamtrace.contract.version': '1',
      'seamtrace.contract.required_keys': ['customer_id', 'invoice_reference'],
    };
    const source = stage('source', ['customer_id', 'invoice_reference']);
    const payload = stage('payload', ['customer_id', 'invoice_reference']);
    const bridged = twoSided({ ...old, ...source, ...payload }, {});
    expect(bridged.verdict).toBe('passed');
    expect(bridged.contract_version).toBe('1');
    expect(bridged.findings.map((finding) => finding.id)).toContain('version_skew');
    const lost = twoSided({ ...old, ...source, ...stage('payload', ['customer_id']) }, {});
    expect([lost.verdict, lost.missing_keys]).toEqual(['packaging_loss', ['invoice_reference']]);
    const dropAtEnd = twoSided({ ...old, ...source, ...payload }, stage('destination', ['customer_id']));
    expect([dropAtEnd.verdict, dropAtEnd.missing_keys]).toEqual(['ingestion_loss', ['invoice_id']]);
    const backwards = twoSided({}, old);
    expect(ruling(backwards)).toEqual(['insufficient_evidence', 'contract_version', 'version_mismatch']);
  });

  it('spans and file must agree on one version', () => {
    const graded = grade({ 'seamtrace.contract.required_keys': ['customer_id'] });
    expect(ruling(graded)).toEqual(['insufficient_evidence', 'contract_version', 'version_mismatch']);
    expect(graded.owner).toBe('observability');
  });

  it('does not accuse on a stated required key that may have been shortened', () => {
    const graded = grade({ 'seamtrace.contract.required_keys': ['customer_id', 'invo'] }, null);
    expect(ruling(graded)).toEqual(['insufficient_evidence', 'contract', 'truncated']);
    const confirmed = grade(
      {
        'seamtrace.contract.required_keys': ['customer_id', 'invo'],
        'seamtrace.contract.permitted_keys': ['customer_id', 'invo'],
      },
      null,
    );
    expect(confirmed.verdict).toBe('upstream_context_missing');
  });
});

describe('stated required keys that nothing confirms', () => {
  const stated = (keys: readonly string[], over: Attributes = {}) =>
    grade({ 'seamtrace.contract.required_keys': keys, 'seamtrace.contract.permitted_keys': keys, ...over }, null);

  it.each(['***', 'cust*id', 'account_identifier_l...', '[REDACTED]', 'a key', 'xxxx'])(
    'do not accuse when they were rewritten, even where the permitted list was rewritten alike: %s',
    (key) => expect(stated(['customer_id', key]).verdict).toBe('insufficient_evidence'),
  );

  it('accuse where a complete capture holds the key, though another begins like it', () => {
    const keys = ['user', 'user_name'];
    const graded = grade(
      {
        'seamtrace.contract.required_keys': keys,
        'seamtrace.contract.permitted_keys': dropped,
        ...stage('source', keys),
        ...stage('payload', ['user_name']),
      },
      null,
    );
    expect([graded.verdict, graded.missing_keys]).toEqual(['packaging_loss', ['user']]);
  });
});

describe('rows 6 to 11, captures', () => {
  it.each([
    ['sampled', stage('payload', [], false, 'sampled'), 'sampled'],
    ['no reason', stage('payload', [], false), 'capture_incomplete'],
    ['a reason nobody knows', stage('payload', [], false, 'because'), 'capture_incomplete'],
    ['keys masked', { 'seamtrace.payload.keys': ['***', '***'] }, 'redacted'],
    ['keys replaced by a word', { 'seamtrace.payload.keys': '[REDACTED]' }, 'redacted'],
    ['flag retyped', { 'seamtrace.payload.complete': 'true' }, 'truncated'],
    ['count dropped', { 'seamtrace.payload.key_count': dropped }, 'truncated'],
    ['count retyped', { 'seamtrace.payload.key_count': 3 }, 'truncated'],
    ['digest of other keys', { 'seamtrace.payload.keys_digest': '0123456789abcdef' }, 'truncated'],
    ['text channel', { 'seamtrace.payload.channel': 'text' }, 'unsupported'],
    ['another schema', { 'seamtrace.schema.version': '2' }, 'unsupported'],
  ])('%s', (_, over, reason) => {
    const graded = grade(over);
    expect(graded.verdict).toBe('insufficient_evidence');
    expect(graded.reason).toBe(reason);
  });

  it('an empty capture may leave its keys out', () => {
    const contract = { 'seamtrace.contract.required_keys': [], 'seamtrace.contract.permitted_keys': dropped };
    const empty = { ...stage('payload', []), 'seamtrace.payload.keys': dropped };
    expect(grade({ ...contract, ...empty }, null).verdict).toBe('passed');
  });

  it('two complete captures that differ contradict each other', () => {
    const [graded] = gradeAll([span(attributes()), span(attributes(stage('source', ['customer_id', 'invoice_id'])))]);
    expect(ruling(graded as GradedHandoff)).toEqual(['insufficient_evidence', 'source_capture', 'contradiction']);
  });

  it('a name seen in a partial capture contradicts a complete one that lacks it', () => {
    const complete = stage('payload', ['customer_id']);
    const partial = { ...attributes(stage('payload', ['customer_id', 'invoice_id'], false, 'truncated')) };
    const [graded] = gradeAll([span(attributes(complete)), span(partial)]);
    expect(ruling(graded as GradedHandoff)).toEqual(['insufficient_evidence', 'payload_capture', 'contradiction']);
  });

  it('the lowest execution with a complete capture is the evidence', () => {
    const first = attributes({ ...stage('destination', [], false, 'error') });
    const second = attributes({ 'seamtrace.handoff.execution': 2n, ...stage('destination', ['customer_id']) });
    const third = attributes({ 'seamtrace.handoff.execution': 3n });
    expect(gradeAll([span(third), span(second), span(first)])[0]?.verdict).toBe('ingestion_loss');
  });

  it('a deeper path that no capture searched is unknown, one that was searched is absent', () => {
    const nested = {
      'seamtrace.contract.required_keys': ['customer.id'],
      'seamtrace.contract.permitted_keys': dropped,
      ...stage('source', ['customer', 'customer.id']),
      ...stage('destination', ['customer', 'customer.id']),
      ...stage('payload', ['customer']),
    };
    expect(grade(nested, null).missing_keys).toEqual(['customer.id']);
    const contracts = createContracts({
      version: 1,
      routes: { r: { from: 'triage', to: 'billing', version: '2', required: ['customer.id'] } },
    });
    const unsearched = grade(
      { ...nested, 'seamtrace.contract.required_keys': dropped, 'seamtrace.handoff.route': 'r' },
      contracts,
    );
    expect(ruling(unsearched)).toEqual(['insufficient_evidence', 'payload_capture', 'unsupported']);
  });

  it('a masked name may be the required one where the capture did not look for it', () => {
    const contracts = createContracts({
      version: 1,
      routes: { r: { from: 'triage', to: 'billing', version: '2', required: ['invoice_id'] } },
    });
    const masked = {
      'seamtrace.contract.required_keys': dropped,
      'seamtrace.contract.permitted_keys': dropped,
      'seamtrace.handoff.route': 'r',
      ...stage('payload', ['*']),
    };
    expect(ruling(grade(masked, contracts))).toEqual(['insufficient_evidence', 'payload_capture', 'unsupported']);
  });

  it.each(['prevented', 'dropped'])('a %s dispatch stops after what the producer proves', (outcome) => {
    const given = { 'seamtrace.dispatch.outcome': outcome };
    expect(ruling(grade(given))).toEqual(['insufficient_evidence', 'destination_capture', 'not_dispatched']);
    expect(grade({ ...given, ...stage('source', ['customer_id']) }).verdict).toBe('upstream_context_missing');
    expect(grade(given).delivered).toBe('no');
  });

  it('tells an agent that never spoke from a span that is missing', () => {
    const dispatch = { ...attributes({ ...without('destination'), 'seamtrace.handoff.destination.name': dropped }) };
    dispatch['seamtrace.handoff.role'] = 'dispatch';
    delete (dispatch as Record<string, unknown>)['gen_ai.operation.name'];
    delete (dispatch as Record<string, unknown>)['gen_ai.agent.name'];
    const [silent] = gradeAll([span(dispatch)]);
    expect(ruling(silent as GradedHandoff)).toEqual(['insufficient_evidence', 'destination_capture', 'uninstrumented']);
    const graded = gradeAll([span(dispatch), span(attributes({ 'seamtrace.handoff.id': 'h-0002' }))]);
    expect(graded[0]?.reason).toBe('span_missing');
    expect(graded[0]?.findings.map((finding) => finding.id)).toContain('never_accepted');
  });

  it('names the owner of the boundary', () => {
    expect(grade(stage('payload', ['customer_id'])).owner).toBe('team-triage');
    expect(grade().owner).toBeNull();
  });
});

describe('beside the verdict', () => {
  const lossy = stage('payload', ['customer_id']);

  it('recovery by a later attempt leaves the earlier verdict as it was', () => {
    const lost = attributes({ ...lossy, ...stage('destination', ['customer_id']) });
    const graded = gradeAll([span(lost), span(attributes({ 'seamtrace.handoff.attempt': 2n }))]);
    expect(graded.map((one) => [one.attempt, one.verdict, one.recovery, one.recovery_by])).toEqual([
      [1, 'packaging_loss', 'recovered', 'retry'],
      [2, 'passed', 'none_needed', null],
    ]);
  });

  it('recovery by a handoff that retries under another id, through a chain', () => {
    const lost = { ...lossy, ...stage('destination', ['customer_id']) };
    const spans = [
      span(attributes(lost)),
      span(attributes({ ...lost, 'seamtrace.handoff.id': 'h-0002', 'seamtrace.handoff.retry_of': 'h-0001' })),
      span(attributes({ 'seamtrace.handoff.id': 'h-0003', 'seamtrace.handoff.retry_of': 'h-0002' })),
    ];
    expect(gradeAll(spans).map((one) => one.recovery)).toEqual(['recovered', 'recovered', 'none_needed']);
  });

  it('a long chain of failed retries is graded in bounded time, and ends recovered near its success', () => {
    const lost = { ...lossy, ...stage('destination', ['customer_id']) };
    const link = (index: number, over: Attributes) =>
      span(
        attributes({
          ...over,
          'seamtrace.handoff.id': `h-${index}-c`,
          'seamtrace.handoff.retry_of': `h-${index - 1}-c`,
        }),
      );
    const chain = Array.from({ length: 3000 }, (_, index) => link(index, index === 2999 ? {} : lost));
    const graded = new Map(gradeAll(chain).map((one) => [one.handoff_id, one.recovery]));
    expect(graded.get('h-2998-c')).toBe('recovered');
    expect(graded.get('h-2999-c')).toBe('none_needed');
    expect(graded.get('h-0-c')).toBe('not_recovered');
  });

  it('a destination that has what the payload lacks found it itself', () => {
    const graded = grade(lossy);
    expect([graded.verdict, graded.delivered, graded.recovery, graded.recovery_by]).toEqual([
      'packaging_loss',
      'yes',
      'recovered',
      'destination_lookup',
    ]);
  });

  it('nothing recovered what nobody tried again', () => {
    const graded = grade(stage('destination', ['customer_id']));
    expect([graded.delivered, graded.recovery, graded.recovery_by]).toEqual(['no', 'not_recovered', null]);
  });

  it('a tool that failed after full ingest leaves the transfer passed', () => {
    const run = span(attributes(), { startUnixNano: 10n, endUnixNano: 90n });
    const call = (status: number, end: bigint) =>
      span(
        { 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': 'lookup', 'seamtrace.run.handoff.id': 'h-0001' },
        { startUnixNano: end - 5n, endUnixNano: end, statusCode: status },
      );
    const outcome = (...spans: DecodedSpan[]) => gradeAll(spans)[0];
    expect(outcome(run, call(2, 50n))).toMatchObject({ verdict: 'passed', run_outcome: 'tool_error' });
    expect(outcome(run, call(2, 50n), call(0, 60n))?.run_outcome).toBe('ok');
    expect(outcome(run)?.run_outcome).toBe('ok');
    expect(outcome({ ...run, statusCode: 2 })?.run_outcome).toBe('run_error');
    expect(outcome({ ...run, statusCode: 2 }, call(2, 500n))?.run_outcome).toBe('run_error');
    const aborted = new Map([...run.attributes, ['error.type', 'AbortError']]) as DecodedSpan['attributes'];
    expect(outcome({ ...run, statusCode: 2, attributes: aborted })?.run_outcome).toBe('cancelled');
  });

  it('a return leg is graded only where its route is declared', () => {
    expect(gradeAll([span(attributes({ 'seamtrace.handoff.leg': 'return' }))])).toHaveLength(1);
    const undeclared = { 'seamtrace.handoff.leg': 'return', 'seamtrace.handoff.route': 'billing_to_triage' };
    expect(gradeAll([span(attributes(undeclared))])).toHaveLength(0);
  });

  it('says every field, null when unknown', () => {
    const [graded] = gradeAll([span({ 'seamtrace.handoff.id': 'h-1' })]);
    expect(Object.keys(graded as GradedHandoff)).toEqual([
      'handoff_id',
      'attempt',
      'case_id',
      'task_id',
      'route',
      'source',
      'target',
      'destination',
      'contract_version',
      'verdict',
      'boundary',
      'missing_keys',
      'reason',
      'delivered',
      'recovery',
      'recovery_by',
      'run_outcome',
      'secondary',
      'evidence',
      'owner',
      'findings',
      'grader_version',
    ]);
    expect(graded?.route).toBeNull();
  });
});
