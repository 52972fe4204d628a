// A server of tools, over stdio or streamable HTTP. `billing` is an agent by the contract file, `search` is a tool. What a call
// shall do is told by its `_meta`, so that the payload tells nothing.
import { writeSync } from 'node:fs';
import http from 'node:http';
import { createHandoffs } from '@seamtrace/instrumentation';

const handoffs = process.env.HANDOFF_API === undefined ? undefined : createHandoffs();
const log = [];

export async function main({ McpServer, StdioServerTransport, StreamableHTTPServerTransport, z }) {
  const [name, transport] = process.argv.slice(2);
  const makeServer = () => {
    const server = new McpServer({ name, version: '1' });
    const whole = {
      customer_id: z.string().optional(),
      invoice_id: z.string().optional(),
      task: z.string().optional(),
    };
    const answer = async (args, extra) => {
      log.push({ args, meta: Object.keys(extra._meta ?? {}).sort() });
      const behaviour = extra._meta?.['test/behaviour'];
      if (behaviour === 'fail') throw new RangeError('the agent fell over');
      if (behaviour === 'ingest-less') handoffs?.ingested({ customer_id: args.customer_id });
      if (behaviour === 'wait') await new Promise((resolve) => extra.signal.addEventListener('abort', resolve));
      if (behaviour === 'say') return { content: [{ type: 'text', text: 'it is paid back now' }] };
      return { content: [{ type: 'text', text: JSON.stringify({ refund_id: 'r-1' }) }] };
    };
    server.tool('billing', whole, answer);
    server.tool('search', whole, answer);
    // A tool whose schema knows less than the contract asks for.
    server.tool('billing_agent', { customer_id: z.string() }, answer);
    return server;
  };
  if (transport === 'stdio') {
    await makeServer().connect(new StdioServerTransport());
    // Clients of older versions end a server by a signal, of which Node.js dies without an `exit` event by default.
    process.on('SIGTERM', () => process.exit());
    process.on('exit', () => writeSync(2, `${JSON.stringify({ log })}\n`));
    return;
  }
  const server = http.createServer(async (request, response) => {
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    const streamable = new StreamableHTTPServerTransport({ sessionIdGenerator: undefined });
    await makeServer().connect(streamable);
    const body = Buffer.concat(chunks).toString();
    await streamable.handleRequest(request, response, body === '' ? undefined : JSON.parse(body));
  });
  server.listen(0, '127.0.0.1', () => {
    console.log(JSON.stringify({ url: `http://127.0.0.1:${server.address().port}/mcp` }));
  });
  process.stdin.resume().on('end', () => {
    server.closeAllConnections();
    server.close();
    console.log(JSON.stringify({ log }));
  });
}
