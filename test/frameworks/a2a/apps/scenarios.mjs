import { randomUUID } from 'node:crypto';
import { createHandoffs, withHandoffMetadata } from '@seamtrace/instrumentation';

const whole = { customer_id: 'c-1', invoice_id: 'i-1' };

const KEY = 'https://seamtrace.dev/a2a/handoff/v1';
const byHand = () => createHandoffs().dispatch({ from: 'triage', to: 'billing', source: whole });
const stamped = () => ({
  'seamtrace.handoff.id': `py:${randomUUID()}`,
  'seamtrace.handoff.source.name': 'triage',
  'seamtrace.handoff.target.name': 'billing',
});

/** Sends one message and returns what came back, without ids. */
const ask = async (
  { dialect, clients, id },
  { behaviour, to = 'billing', parts, message = {}, params = {}, options } = {},
) => {
  const sent = dialect.message({
    messageId: id(behaviour),
    parts: parts ?? [dialect.data(whole)],
    ...message,
  });
  const before = JSON.stringify(sent);
  const result = await clients[to].sendMessage(dialect.params({ message: sent, ...params }), options);
  return { shown: dialect.shown(result), untouched: JSON.stringify(sent) === before };
};

const stream = async ({ dialect, clients, id }, { behaviour, parts, options } = {}) => {
  const events = [];
  const message = dialect.message({ messageId: id(behaviour), parts: parts ?? [dialect.data(whole)] });
  for await (const event of clients.billing.sendMessageStream(dialect.params({ message }), options)) {
    events.push(dialect.shown(event));
  }
  return { events };
};

/** What each does is told by its name; the message ids begin with what the server shall do. */
export const scenarios = {
  passed: (own) => ask(own),
  'upstream-missing': (own) =>
    own.withSourceState({ customer_id: 'c-1' }, () => ask(own, { parts: [own.dialect.data({ customer_id: 'c-1' })] })),
  'packaging-loss': (own) =>
    own.withSourceState(whole, () => ask(own, { parts: [own.dialect.data({ customer_id: 'c-1' })] })),
  'ingestion-loss': (own) => ask(own, { behaviour: 'ingest-less' }),
  // The card that the client holds says billing; its address is that of support.
  misrouted: (own) => ask(own, { to: 'misrouted' }),
  'text-only': (own) => ask(own, { parts: [own.dialect.text('refund invoice i-1 of customer c-1')] }),
  'text-beside': (own) =>
    own.withSourceState(whole, () =>
      ask(own, { parts: [own.dialect.data({ customer_id: 'c-1' }), own.dialect.text('the invoice is i-1')] }),
    ),
  'json-text': (own) => ask(own, { parts: [own.dialect.text(JSON.stringify(whole))] }),
  // a2a-js #43
  'request-metadata': (own) =>
    ask(own, { parts: [own.dialect.data({ customer_id: 'c-1' })], params: { metadata: { invoice_id: 'i-1' } } }),
  'message-metadata': (own) =>
    ask(own, { parts: [own.dialect.data({ customer_id: 'c-1' })], message: { metadata: { invoice_id: 'i-1' } } }),
  'task-answer': (own) => ask(own, { behaviour: 'work' }),
  streamed: (own) => stream(own, { behaviour: 'work' }),
  'streamed-message': (own) => stream(own),
  failing: (own) => ask(own, { behaviour: 'fail' }),
  'failing-stream': (own) => stream(own, { behaviour: 'fail' }),
  aborted: (own) => ask(own, { options: { signal: globalThis.AbortSignal.abort() } }),
  'aborted-meanwhile': async (own) => {
    const controller = new globalThis.AbortController();
    setTimeout(() => controller.abort(), 100);
    return ask(own, { behaviour: 'wait', options: { signal: controller.signal } });
  },
  cancelled: async (own) => {
    const { dialect, clients, id } = own;
    const message = dialect.message({ messageId: id('wait'), parts: [dialect.data(whole)] });
    const params = dialect.params({ message, configuration: dialect.wantsNoWait });
    const taskId = dialect.taskOf(await clients.billing.sendMessage(params));
    const task = await clients.billing.cancelTask({ id: taskId, tenant: '', metadata: undefined });
    return { state: task.status.state };
  },
  'no-wait': async (own) => {
    const { dialect, clients, id } = own;
    const message = dialect.message({ messageId: id('work'), parts: [dialect.data(whole)] });
    const params = dialect.params({ message, configuration: dialect.wantsNoWait });
    const taskId = dialect.taskOf(await clients.billing.sendMessage(params));
    await new Promise((resolve) => setTimeout(resolve, 200));
    return { shown: dialect.shown(await clients.billing.getTask({ id: taskId, tenant: '' })) };
  },
  resubscribed: async (own) => {
    const { dialect, clients, id } = own;
    const message = dialect.message({ messageId: id('slow'), parts: [dialect.data(whole)] });
    let taskId;
    for await (const event of clients.billing.sendMessageStream(dialect.params({ message }))) {
      taskId = dialect.taskOf(event);
      break;
    }
    const events = [];
    for await (const event of clients.billing.resubscribeTask({ id: taskId, tenant: '' })) {
      events.push(dialect.shown(event));
    }
    return { last: events.at(-1) };
  },
  'sent-twice': async (own) => {
    const messageId = own.id();
    await ask(own, { message: { messageId } });
    return ask(own, { message: { messageId } });
  },
  'by-hand': async (own) => {
    const handoffs = createHandoffs();
    const handoff = handoffs.dispatch({ from: 'triage', to: 'billing', source: whole });
    return ask(own, { message: { metadata: withHandoffMetadata(handoff, undefined) } });
  },
  conversation: (own) => ask(own, { message: { contextId: 'context-1' } }),
  'own-trace': (own) => ask(own, { behaviour: 'own-trace' }),
  intercepted: async (own) => {
    const log = [];
    const interceptor = {
      before: async ({ input }) => {
        log.push(Object.keys(input.value.message.metadata ?? {}));
        const { dialect } = own;
        input.value = {
          ...input.value,
          message: { ...input.value.message, parts: [dialect.data({ customer_id: 'c' })] },
        };
      },
      after: async ({ result }) => void log.push(own.dialect.shown(result.value)),
    };
    const options = { ...own.lib.client.ClientFactoryOptions.default, clientConfig: { interceptors: [interceptor] } };
    const client = await own.dialect.clientOf(own.cards.billing, options);
    await own.withSourceState(whole, () => ask({ ...own, clients: { billing: client } }));
    return { log };
  },
  // A sender in another language that stamps by hand, and knows no trace.
  'by-another-sender': (own) => ask(own, { message: { metadata: { [KEY]: stamped(own) }, extensions: [KEY] } }),
  oversized: (own) => ask(own, { message: { metadata: { [KEY]: { ...stamped(own), more: 'x'.repeat(5_000) } } } }),
  malformed: (own) => ask(own, { message: { metadata: { [KEY]: { 'seamtrace.handoff.id': ['no', 'id'] } } } }),
  'not-an-object': (own) => ask(own, { message: { metadata: { [KEY]: 'seamtrace' } } }),
  hostile: (own) =>
    ask(own, {
      message: {
        metadata: { [KEY]: JSON.parse(`${'{"a":'.repeat(60)}1${'}'.repeat(60)}`), constructor: { prototype: 1 } },
      },
    }),
  'other-card': (own) =>
    ask(own, {
      to: 'support',
      message: { metadata: { ...withHandoffMetadata(byHand(), undefined), skillId: 'paint' } },
    }),
  frozen: (own) => ask(own, { message: Object.freeze({ metadata: Object.freeze({ invoice_id: 'i-1' }) }) }),
  proxied: (own) => {
    const { dialect, clients, id } = own;
    const message = dialect.message({ messageId: id(), parts: [dialect.data(whole)] });
    return clients.billing.sendMessage(dialect.params({ message: new Proxy(message, {}) })).then(dialect.shown);
  },
  'no-message': (own) => own.clients.billing.sendMessage(own.dialect.params({})).then(own.dialect.shown),
  concurrent: async (own) => {
    const one = (index) =>
      own.withSourceState({ ...whole, [`own_${index}`]: index }, () =>
        ask(own, {
          parts: [own.dialect.data({ customer_id: 'c', [`own_${index}`]: index, ...(index % 2 ? whole : {}) })],
        }),
      );
    const answers = await Promise.all(Array.from({ length: 200 }, (_, index) => one(index)));
    return { answers: answers.length };
  },
};
