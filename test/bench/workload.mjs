// Requests that the decode bench reads: what a collector beside agent apps sends, of plausible proportions.
import { createHash } from 'node:crypto';
import { encodeJson, encodeProtobuf, handoffSpan } from '@seamtrace/testkit';

const SPANS = 512;
/** One span in 25 carries evidence of ours (4%). */
const EVIDENCE_EVERY = 25;
/** Keys of every stage of a handoff. */
export const KEYS = ['customer_id', 'invoice_id', 'locale', 'order_total', 'plan'];
const SENTENCE = 'The customer asks why the invoice of last month shows a charge for a plan that was cancelled. ';

const hexOf = (text, digits) => createHash('sha256').update(text).digest('hex').slice(0, digits);

function base(index) {
  return {
    traceId: hexOf(`trace ${index >> 4}`, 32),
    spanId: hexOf(`span ${index}`, 16),
    parentSpanId: index % 16 === 0 ? '' : hexOf(`span ${index & ~15}`, 16),
    startUnixNano: 1_767_225_600_000_000_000n + BigInt(index) * 1_000_003n,
    endUnixNano: 1_767_225_600_000_000_000n + BigInt(index) * 1_000_003n + 250_000_000n,
  };
}

export function httpSpan(index) {
  return {
    ...base(index),
    name: 'GET /v1/customers/{id}',
    kind: 3,
    attributes: {
      'http.request.method': 'GET',
      'url.full': `https://billing.example/v1/customers/${index}?expand=invoices`,
      'server.address': 'billing.example',
      'server.port': 443n,
      'http.response.status_code': 200n,
      'network.protocol.version': '1.1',
      'user_agent.original': 'agents/1.0',
      'deployment.environment.name': 'production',
      'thread.id': 1n,
      'code.function.name': 'fetchRecord',
      'code.file.path': 'dist/client.js',
      'code.line.number': 118n,
    },
  };
}

export function chatSpan(index) {
  const prompt = index % 8 === 0 ? { 'gen_ai.input.messages': SENTENCE.repeat(3) } : {};
  return {
    ...base(index),
    name: 'chat gpt-4.1-mini',
    kind: 3,
    attributes: {
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': 'openai',
      'gen_ai.request.model': 'gpt-4.1-mini',
      'gen_ai.response.model': 'gpt-4.1-mini-2025-04-14',
      'gen_ai.response.id': `chatcmpl-${hexOf(`response ${index}`, 29)}`,
      'gen_ai.usage.input_tokens': 1412n,
      'gen_ai.usage.output_tokens': 96n,
      'gen_ai.request.temperature': 0.2,
      'gen_ai.response.finish_reasons': ['stop'],
      'gen_ai.agent.name': 'billing',
      'gen_ai.conversation.id': hexOf(`conversation ${index >> 4}`, 32),
      'server.address': 'api.openai.com',
      'server.port': 443n,
      ...prompt,
    },
  };
}

/** A run of an agent that nobody instrumented for handoffs. */
export function runSpan(index) {
  return {
    ...base(index),
    name: 'invoke_agent billing',
    kind: 1,
    attributes: {
      'gen_ai.operation.name': 'invoke_agent',
      'gen_ai.provider.name': 'openai',
      'gen_ai.agent.name': 'billing',
      'gen_ai.agent.id': `agent-${hexOf('billing', 12)}`,
      'gen_ai.conversation.id': hexOf(`conversation ${index >> 4}`, 32),
      'gen_ai.request.model': 'gpt-4.1-mini',
      'gen_ai.usage.input_tokens': 5210n,
      'gen_ai.usage.output_tokens': 412n,
      'gen_ai.system_instructions': SENTENCE.repeat(2),
      'server.address': 'api.openai.com',
      'code.function.name': 'runBilling',
      'deployment.environment.name': 'production',
    },
  };
}

/** A tool call of such an agent. */
export function toolSpan(index) {
  return {
    ...base(index),
    name: 'execute_tool find_invoice',
    kind: 1,
    attributes: {
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': 'find_invoice',
      'gen_ai.tool.type': 'function',
      'gen_ai.tool.description': 'Finds an invoice of a customer by its number or by its month.',
      'gen_ai.tool.call.id': `call_${hexOf(`call ${index}`, 24)}`,
      'gen_ai.tool.call.arguments': `{"customer_id":"c-${index}","month":"2026-10"}`,
      'gen_ai.agent.name': 'billing',
      'gen_ai.conversation.id': hexOf(`conversation ${index >> 4}`, 32),
      'code.function.name': 'findInvoice',
      'code.file.path': 'dist/tools/invoices.js',
      'code.line.number': 41n,
      'deployment.environment.name': 'production',
    },
  };
}

function evidenceSpan(index) {
  return handoffSpan({
    role: 'destination',
    handoffId: `h-${index}`,
    route: 'triage_to_billing',
    source: 'triage',
    target: 'billing',
    destination: 'billing',
    task: `task-${index >> 4}`,
    contractVersion: '2',
    requiredKeys: KEYS.slice(0, 2),
    permittedKeys: KEYS,
    sourceStage: KEYS,
    payloadStage: KEYS,
    destinationStage: KEYS,
    span: base(index),
  });
}

function requestOf(spanAt) {
  const spans = Array.from({ length: SPANS }, (_, index) => spanAt(index));
  const scopes = [{ name: '@opentelemetry/instrumentation-openai', version: '0.14.0', spans }];
  const attributes = { 'service.name': 'support-desk', 'telemetry.sdk.language': 'nodejs', 'host.name': 'agent-1' };
  const request = { resources: [{ attributes, scopes }] };
  return { spans: SPANS, bytes: encodeProtobuf(request), json: encodeJson(request) };
}

/** 512 spans in one request: half of them GenAI, 4% with evidence of ours, prompts on every fourth chat span. */
export function mixedWorkload() {
  return requestOf((index) => {
    if (index % EVIDENCE_EVERY === 0) return evidenceSpan(index);
    return index % 2 === 0 ? chatSpan(index) : httpSpan(index);
  });
}

/** 512 spans of which none has anything to say: what a collector without a filter sends. */
export function silentWorkload() {
  return requestOf(httpSpan);
}
