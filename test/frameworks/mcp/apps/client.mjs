// An agent that calls tools, some of which are agents.
import { fileURLToPath } from 'node:url';
import { readCounters, withSourceState } from '@seamtrace/instrumentation';

const whole = { customer_id: 'c-1', invoice_id: 'i-1' };

export async function main({ Client, StdioClientTransport, StreamableHTTPClientTransport }) {
  const { servers, register, folder } = JSON.parse(process.argv[2]);
  const connect = async (name) => {
    const client = new Client({ name: 'triage', version: '1' });
    const url = servers[name];
    if (url !== undefined) await client.connect(new StreamableHTTPClientTransport(new URL(url)));
    else {
      const hook = register === undefined ? [] : ['--import', register];
      const args = [...hook, fileURLToPath(new URL(`../${folder}/server.mjs`, import.meta.url)), name, 'stdio'];
      await client.connect(new StdioClientTransport({ command: process.execPath, args, env: process.env }));
    }
    return client;
  };
  const tools = await connect('tools');
  const support = await connect('support');
  const report = {};
  const call = async (scenario, { to = tools, tool = 'billing', args = whole, meta, state, options } = {}) => {
    const params = {
      name: tool,
      arguments: args,
      ...(meta === undefined ? {} : { _meta: { 'test/behaviour': meta } }),
    };
    const before = JSON.stringify(params);
    const ask = () => to.callTool(params, undefined, options);
    try {
      const result = await (state === undefined ? ask() : withSourceState(state, ask));
      report[scenario] = {
        content: result.content,
        isError: result.isError,
        untouched: JSON.stringify(params) === before,
      };
    } catch (error) {
      report[scenario] = { error: error.constructor.name };
    }
  };
  await call('passed');
  await call('upstream-missing', { state: { customer_id: 'c' }, args: { customer_id: 'c' } });
  await call('packaging-loss', { state: whole, args: { customer_id: 'c' } });
  await call('schema-loss', { tool: 'billing_agent' });
  await call('ingestion-loss', { meta: 'ingest-less' });
  await call('prose', { args: { task: 'refund invoice i-1 of customer c-1' } });
  await call('misrouted', { to: support, tool: 'search' });
  await call('ordinary', { tool: 'search' });
  await call('failing', { meta: 'fail' });
  await call('said', { meta: 'say' });
  const controller = new globalThis.AbortController();
  setTimeout(() => controller.abort(), 100);
  await call('aborted', { meta: 'wait', options: { signal: controller.signal } });
  await tools.close();
  await support.close();
  console.log(JSON.stringify({ report, counters: readCounters() }));
}
