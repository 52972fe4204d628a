import { createRequire } from 'node:module';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { context, propagation, trace } from '@opentelemetry/api';
import { InMemorySpanExporter, NodeTracerProvider, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-node';
import { createContracts } from '@seamtrace/contracts';
import { A2AInstrumentation, SeamtraceSpanProcessor } from '@seamtrace/instrumentation';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';

// Chains, proxies and lifetimes, with the CommonJS builds of both versions and both ends in this process.

const contracts = createContracts({
  agents: { triage: {}, billing: {}, ledger: {} },
  routes: {
    triage_to_billing: { from: 'triage', to: 'billing', version: '1', required: ['customer_id'] },
    billing_to_ledger: { from: 'billing', to: 'ledger', version: '1', required: ['customer_id', 'account'] },
  },
});
const exporter = new InMemorySpanExporter();
const provider = new NodeTracerProvider({
  spanProcessors: [new SeamtraceSpanProcessor(), new SimpleSpanProcessor(exporter)],
});

beforeAll(() => provider.register({ propagator: null }));
afterEach(() => exporter.reset());
afterAll(async () => {
  await provider.shutdown();
  trace.disable();
  context.disable();
  propagation.disable();
});

/* eslint-disable @typescript-eslint/no-explicit-any -- two versions of an SDK of which neither is a dependency of the workspace */

interface Lib {
  readonly client: any;
  readonly server: any;
  readonly dialect: any;
}

async function load(version: 'newest' | 'oldest'): Promise<Lib> {
  const require = createRequire(new URL(`./${version}/package.json`, import.meta.url));
  const lib = { client: require('@a2a-js/sdk/client'), server: require('@a2a-js/sdk/server') };
  const dialects: any = await import(new URL('./apps/dialects.mjs', import.meta.url).href);
  return { ...lib, dialect: dialects[`${version}Dialect`]({ ...lib, express: undefined, serverExpress: undefined }) };
}

/** 1.x takes an object, 0.3 a list that may be left out. */
const callContext = ({ server, client }: Lib): any =>
  client.A2AClient === undefined ? new server.ServerCallContext({}) : new server.ServerCallContext();

/** An agent and a client for it, with a transport that stays in the process but copies as a wire does. */
function agent(lib: Lib, name: string, execute: (request: any, bus: any) => Promise<void>) {
  const { client, server, dialect } = lib;
  const card = dialect.card({ name, url: 'http://127.0.0.1:1/' });
  const handler = new server.DefaultRequestHandler(card, new server.InMemoryTaskStore(), {
    execute: async (request: any, bus: any) => {
      await execute(request, bus);
      bus.finished();
    },
    cancelTask: async () => undefined,
  });
  const copy = (value: unknown): any => JSON.parse(JSON.stringify(value));
  const transport = {
    protocolVersion: '1.0',
    protocolName: 'JSONRPC',
    sendMessage: (params: any) => handler.sendMessage(copy(params), callContext(lib)),
  };
  return { handler, client: new client.Client(transport, card) };
}

const inAgent = <T>(name: string, work: () => Promise<T>): Promise<T> => {
  const attributes = { 'gen_ai.operation.name': 'invoke_agent', 'gen_ai.agent.name': name };
  return trace
    .getTracer('app')
    .startActiveSpan(`invoke_agent ${name}`, { attributes }, (span) => work().finally(() => span.end()));
};
const named = (name: string) => exporter.getFinishedSpans().filter((span) => span.name === name);
const tick = () => new Promise((resolve) => setImmediate(resolve));

// Each also sees what is loaded by `require` after it was made; whichever was first patches a copy.
const made: A2AInstrumentation[] = [];
const make = (): A2AInstrumentation => {
  const instrumentation = new A2AInstrumentation({ contracts });
  made.push(instrumentation);
  return instrumentation;
};

describe.each(['newest', 'oldest'] as const)('A2A %s in CommonJS', (version) => {
  let lib: Lib;
  const instrumentation = make();
  beforeAll(async () => {
    lib = await load(version);
    instrumentation.instrument(lib.client);
    instrumentation.instrument(lib.server);
  });
  const send = (to: { client: any }, data: object, more: object = {}) =>
    to.client.sendMessage(
      lib.dialect.params({ message: lib.dialect.message({ parts: [lib.dialect.data(data)], ...more }) }),
    );
  const answer = (bus: any, data: object) => bus.publish(lib.dialect.answer({ parts: [lib.dialect.data(data)] }));

  it('follows a chain over two servers: one correlation, hops that count up, a source that is what was handed over', async () => {
    const ledger = agent(lib, 'ledger', async (_request, bus) => answer(bus, { booked: true }));
    const billing = agent(lib, 'billing', async (_request, bus) => {
      await send(ledger, { account: 'a', customer_id: 'c' });
      answer(bus, { refund_id: 'r' });
    });
    await inAgent('triage', () => send(billing, { customer_id: 'c' }));
    await tick();
    const [first] = named('handoff billing');
    const [second] = named('handoff ledger');
    expect(second?.attributes).toMatchObject({
      'seamtrace.handoff.route': 'billing_to_ledger',
      'seamtrace.handoff.source.name': 'billing',
      'seamtrace.hop.index': 2,
      'seamtrace.hop.path': ['triage', 'billing', 'ledger'],
      'seamtrace.source.complete': true,
      'seamtrace.correlation.id': first?.attributes['seamtrace.correlation.id'],
      'seamtrace.task.id': first?.attributes['seamtrace.task.id'],
    });
    for (const span of exporter.getFinishedSpans()) {
      expect([span.name, span.attributes['seamtrace.correlation.id']]).toEqual([
        span.name,
        first?.attributes['seamtrace.correlation.id'],
      ]);
    }
    const legs = exporter
      .getFinishedSpans()
      .filter(({ attributes }) => attributes['seamtrace.handoff.leg'] === 'return');
    expect(legs.map(({ name }) => name).sort()).toEqual([
      'handoff billing',
      'handoff triage',
      'ingest billing',
      'ingest triage',
    ]);
  });

  it('lets the handoff that started a proxy go on: no second one', async () => {
    const billing = agent(lib, 'billing', async (_request, bus) => answer(bus, {}));
    const front = agent(lib, 'billing', async (_request, bus) => {
      await send(billing, { customer_id: 'c' });
      answer(bus, {});
    });
    await inAgent('triage', () => send(front, { customer_id: 'c' }));
    await tick();
    expect(named('handoff billing')).toHaveLength(1);
    const ids = new Set(named('invoke_agent billing').map(({ attributes }) => attributes['seamtrace.handoff.id']));
    expect(ids).toEqual(new Set([named('handoff billing')[0]?.attributes['seamtrace.handoff.id']]));
  });

  it('takes an agent that calls itself for no handoff', async () => {
    const billing = agent(lib, 'Billing', async (_request, bus) => answer(bus, {}));
    await inAgent('billing', () => send(billing, { customer_id: 'c' }));
    await tick();
    expect(exporter.getFinishedSpans().map(({ name }) => name)).toEqual(['invoke_agent billing']);
  });

  it('gives the runs of a message without a handoff its conversation as correlation', async () => {
    const billing = agent(lib, 'billing', async (_request, bus) => {
      await inAgent('billing', async () => undefined);
      answer(bus, {});
    });
    const message = lib.dialect.message({ parts: [lib.dialect.data({})], contextId: 'context-9' });
    await billing.handler.sendMessage(lib.dialect.params({ message }), callContext(lib));
    expect(named('invoke_agent billing')[0]?.attributes['seamtrace.correlation.id']).toBe('context-9');
  });

  it('keeps nothing of a call that is over', async () => {
    setFlagsFromString('--expose_gc');
    const gc = runInNewContext('gc') as () => void;
    const billing = agent(lib, 'billing', async (_request, bus) => answer(bus, {}));
    let kept: WeakRef<object> | undefined;
    await inAgent('triage', async () => {
      const data = { customer_id: 'c' };
      kept = new WeakRef(data);
      await send(billing, data);
    });
    exporter.reset();
    for (let round = 0; round < 20 && kept?.deref() !== undefined; round += 1) {
      await tick();
      gc();
    }
    expect(kept?.deref()).toBeUndefined();
  });

  it('is as without us once it is disabled, and patched once however often it is asked', async () => {
    const { sendMessage } = lib.server.DefaultRequestHandler.prototype;
    instrumentation.instrument(lib.server);
    make().instrument(lib.server);
    expect(lib.server.DefaultRequestHandler.prototype.sendMessage).toBe(sendMessage);
    for (const each of made) each.disable();
    expect(lib.server.DefaultRequestHandler.prototype.sendMessage).not.toBe(sendMessage);
    const billing = agent(lib, 'billing', async (_request, bus) => answer(bus, {}));
    await inAgent('triage', () => send(billing, { customer_id: 'c' }));
    expect(exporter.getFinishedSpans().map(({ name }) => name)).toEqual(['invoke_agent triage']);
    for (const each of made) each.enable();
    await inAgent('triage', () => send(billing, { customer_id: 'c' }));
    expect(named('handoff billing')).toHaveLength(1);
  });
});

it.each(['newest', 'oldest'] as const)('states the size of the message as the SDK writes it: %s', async (version) => {
  const lib = await load(version);
  const instrumentation = make();
  instrumentation.instrument(lib.client);
  instrumentation.instrument(lib.server);
  const billing = agent(lib, 'billing', async (_request, bus) => bus.publish(lib.dialect.answer({ parts: [] })));
  const { data, text, file, message: make_ } = lib.dialect;
  const message = make_({
    parts: [data({ customer_id: 'c', deep: [{ ü: 1 }] }), text('zwölf "Boxen"'), file('https://example.com/a.pdf')],
    metadata: { tenant: 't' },
    contextId: 'context-1',
  });
  const require = createRequire(new URL(`./${version}/package.json`, import.meta.url));
  const written: unknown = version === 'newest' ? require('@a2a-js/sdk').Message.toJSON(message) : message;
  await inAgent('triage', () => billing.client.sendMessage(lib.dialect.params({ message })));
  await tick();
  expect(named('handoff billing')[0]?.attributes).toMatchObject({
    'seamtrace.payload.size': Buffer.byteLength(JSON.stringify(written)),
    'seamtrace.payload.text_size': Buffer.byteLength('zwölf "Boxen"'),
    'seamtrace.payload.references': 1,
  });
});

it('follows the older client of 0.3, in one piece and streamed', async () => {
  const lib = await load('oldest');
  const instrumentation = make();
  instrumentation.instrument(lib.client);
  instrumentation.instrument(lib.server);
  const { handler } = agent(lib, 'billing', async (_request, bus) =>
    bus.publish(lib.dialect.answer({ parts: [lib.dialect.data({ refund_id: 'r' })] })),
  );
  const rpc = new lib.server.JsonRpcTransportHandler(handler);
  const fetchImpl = async (_url: string, { body }: { body: string }) => {
    const result = await rpc.handle(JSON.parse(body), callContext(lib));
    if (typeof result[Symbol.asyncIterator] !== 'function') return Response.json(result);
    const events: string[] = [];
    for await (const event of result) events.push(`data: ${JSON.stringify(event)}\n\n`);
    return new Response(events.join(''), { headers: { 'content-type': 'text/event-stream' } });
  };
  const card = lib.dialect.card({ name: 'billing', url: 'http://127.0.0.1:1/' });
  const client = new lib.client.A2AClient(card, { fetchImpl });
  const params = () => ({ message: lib.dialect.message({ parts: [lib.dialect.data({ customer_id: 'c' })] }) });
  await inAgent('triage', async () => {
    const { result } = await client.sendMessage(params());
    expect(result.parts[0].data).toEqual({ refund_id: 'r' });
    const events = [];
    for await (const event of client.sendMessageStream(params())) events.push(event);
    expect(events).toHaveLength(1);
  });
  await tick();
  expect(named('handoff billing')).toHaveLength(2);
  expect(named('ingest triage_to_billing')).toHaveLength(2);
  expect(named('ingest triage')).toHaveLength(2);
});
