// Sends prepared requests to a service, as exporters do: a few connections that are kept, each with one request at a time.
import { Agent, request as httpRequest } from 'node:http';

const CONNECTIONS = 8;

/** Senders over HTTP. `send` resolves when every body was answered with 200, and rejects at the first that was not. */
export function httpLoad(url, headers) {
  const post = (agent) => (body) =>
    new Promise((resolve, reject) => {
      const request = httpRequest(url, {
        agent,
        method: 'POST',
        headers: { ...headers, 'content-length': body.length },
      });
      request.on('error', reject);
      request.on('response', (response) => {
        const chunks = [];
        response.on('data', (chunk) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () => {
          if (response.statusCode === 200) return resolve();
          reject(
            new Error(`${url} answered ${response.statusCode}: ${Buffer.concat(chunks).toString().slice(0, 500)}`),
          );
        });
      });
      request.end(body);
    });
  async function send(bodies) {
    // For one slice: a server closes a connection that rests, and may do so just when the next slice begins.
    const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
    try {
      await inTurns(bodies, post(agent));
    } finally {
      agent.destroy();
    }
  }
  return { send, close: () => undefined };
}

/** Senders over gRPC, the bytes as they are: what is measured is the service, not a client's encoder. */
export async function grpcLoad(address) {
  const { Client, credentials } = await import('@grpc/grpc-js');
  const client = new Client(address, credentials.createInsecure(), { 'grpc.max_send_message_length': -1 });
  const asIs = (bytes) => bytes;
  const call = (body) =>
    new Promise((resolve, reject) => {
      const method = '/opentelemetry.proto.collector.trace.v1.TraceService/Export';
      client.makeUnaryRequest(method, asIs, asIs, body, (error) => (error === null ? resolve() : reject(error)));
    });
  return { send: (bodies) => inTurns(bodies, call), close: () => client.close() };
}

async function inTurns(bodies, send) {
  let next = 0;
  const turn = async () => {
    while (next < bodies.length) await send(bodies[next++]);
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, turn));
}
