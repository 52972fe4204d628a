import { randomUUID } from 'node:crypto';

// The two versions of the SDK say the same things in different shapes. Scenarios are written once, against these.

/** Messages, parts, cards, events and servers of 1.x. */
export function newestDialect({ express, server, serverExpress, client, compat }) {
  const part = (content) => ({ content, metadata: undefined, filename: '', mediaType: '' });
  const status = (state, message) => ({ state, message, timestamp: undefined });
  const STATES = { submitted: 1, working: 2, completed: 3, failed: 4, canceled: 5 };
  const message = ({ role = 1, ...given }) => ({
    messageId: randomUUID(),
    contextId: '',
    taskId: '',
    role,
    parts: [],
    metadata: undefined,
    extensions: [],
    referenceTaskIds: [],
    ...given,
  });
  return {
    data: (value) => part({ $case: 'data', value }),
    text: (value) => part({ $case: 'text', value }),
    file: (url) => part({ $case: 'url', value: url }),
    message,
    params: (given) => ({ tenant: '', configuration: undefined, metadata: undefined, ...given }),
    answer: (given) => server.AgentEvent.message(message({ role: 2, ...given })),
    task: (request, state, artifacts = []) =>
      server.AgentEvent.task({
        id: request.taskId,
        contextId: request.contextId,
        status: status(STATES[state]),
        artifacts,
        history: [],
        metadata: {},
      }),
    artifact: (request, parts, more = {}) =>
      server.AgentEvent.artifactUpdate({
        taskId: request.taskId,
        contextId: request.contextId,
        artifact: { artifactId: 'a', name: '', description: '', parts, metadata: {}, extensions: [] },
        append: false,
        lastChunk: true,
        metadata: {},
        ...more,
      }),
    status: (request, state) =>
      server.AgentEvent.statusUpdate({
        taskId: request.taskId,
        contextId: request.contextId,
        status: status(STATES[state]),
        metadata: {},
      }),
    card: ({ name, url, extensions = [], security = [] }) => ({
      name,
      description: '',
      version: '1',
      supportedInterfaces: [{ url, protocolBinding: 'JSONRPC', protocolVersion: '1.0', tenant: '' }],
      provider: undefined,
      capabilities: { streaming: true, pushNotifications: false, extensions },
      securitySchemes: {},
      securityRequirements: security,
      defaultInputModes: [],
      defaultOutputModes: [],
      skills: [{ id: 'refund', name: 'refund', description: '', tags: [], examples: [] }],
      signatures: [],
    }),
    serve(app, handler) {
      app.use(
        '/',
        serverExpress.jsonRpcHandler({
          requestHandler: handler,
          userBuilder: serverExpress.UserBuilder.noAuthentication,
        }),
      );
    },
    clientOf: (card, options) => {
      if (card.supportedInterfaces !== undefined) return new client.ClientFactory(options).createFromAgentCard(card);
      // A server of 0.3.
      const transports = [new client.JsonRpcTransportFactory({ legacyCompat: { enabled: true } })];
      return new client.ClientFactory({ transports }).createFromAgentCard(compat.parseLegacyAgentCard(card));
    },
    wantsNoWait: { returnImmediately: true },
    /** What a result or event says, without ids and times. */
    shown: (value) => {
      const inner = value?.payload ? { event: value.payload.$case, ...value.payload.value } : value;
      const { artifacts, parts, artifact, status: at, event } = inner;
      return {
        event,
        parts: plain(parts),
        artifacts: artifacts?.map(({ parts: each }) => plain(each)),
        artifact: plain(artifact?.parts),
        state: at?.state,
      };
    },
    express,
    taskOf: (value) => value?.payload?.value?.id ?? value?.payload?.value?.taskId ?? value?.id,
  };
}

/** The same of 0.3. */
export function oldestDialect({ express, serverExpress, client }) {
  const message = ({ role = 'user', ...given }) => ({
    kind: 'message',
    messageId: randomUUID(),
    role,
    parts: [],
    ...given,
  });
  const ids = ({ taskId, contextId }) => ({ taskId, contextId });
  return {
    data: (value) => ({ kind: 'data', data: value }),
    text: (value) => ({ kind: 'text', text: value }),
    file: (uri) => ({ kind: 'file', file: { uri } }),
    message,
    params: (given) => ({ ...given }),
    answer: (given) => message({ role: 'agent', ...given }),
    task: ({ taskId, contextId }, state, artifacts = []) => ({
      kind: 'task',
      id: taskId,
      contextId,
      status: { state },
      artifacts,
      history: [],
    }),
    artifact: (request, parts, more = {}) => ({
      kind: 'artifact-update',
      ...ids(request),
      artifact: { artifactId: 'a', parts },
      ...more,
    }),
    status: (request, state) => ({
      kind: 'status-update',
      ...ids(request),
      status: { state },
      final: ['completed', 'failed', 'canceled'].includes(state),
    }),
    card: ({ name, url, extensions = [], security = [] }) => ({
      name,
      description: '',
      version: '1',
      protocolVersion: '0.3.0',
      url,
      preferredTransport: 'JSONRPC',
      capabilities: { streaming: true, extensions },
      security,
      defaultInputModes: [],
      defaultOutputModes: [],
      skills: [{ id: 'refund', name: 'refund', description: '', tags: [] }],
    }),
    serve(app, handler) {
      app.use(
        '/',
        serverExpress.jsonRpcHandler({
          requestHandler: handler,
          userBuilder: serverExpress.UserBuilder.noAuthentication,
        }),
      );
    },
    clientOf: (card, options) => new client.ClientFactory(options).createFromAgentCard(card),
    wantsNoWait: { blocking: false },
    shown: (value) => ({
      event: value?.kind,
      parts: plain(value?.parts),
      artifacts: value?.artifacts?.map(({ parts }) => plain(parts)),
      artifact: plain(value?.artifact?.parts),
      state: value?.status?.state,
    }),
    express,
    taskOf: (value) => (value?.kind === 'task' ? value.id : value?.taskId),
  };
}

function plain(parts) {
  return parts?.map((part) => part.data ?? part.text ?? part.file ?? part.content?.value);
}
