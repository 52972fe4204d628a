// An agent that calls others by A2A. One process runs many scenarios; each message id tells which one it was.
import { randomUUID } from 'node:crypto';
import { readCounters, withSourceState } from '@seamtrace/instrumentation';
import { scenarios } from './scenarios.mjs';
import { setUpTracing } from './tracing.mjs';

export async function main(lib) {
  const { mode = 'none', cards, names, agent = 'triage' } = JSON.parse(process.argv[2]);
  const tracing = setUpTracing(mode);
  const { dialect } = lib;
  const clients = {};
  for (const [name, card] of Object.entries(cards)) clients[name] = await dialect.clientOf(card);
  const report = {};
  const messages = {};
  for (const name of names) {
    const run = scenarios[name];
    messages[name] = [];
    const id = (behaviour = 'answer') => {
      const made = `${behaviour}/${name}/${randomUUID()}`;
      messages[name].push(made);
      return made;
    };
    const work = () => run({ lib, dialect, clients, cards, id, withSourceState, tracing });
    try {
      report[name] = await (mode === 'none' ? work() : tracing.inAgent(agent, work));
    } catch (error) {
      report[name] = { error: error.constructor.name, code: error.code };
    }
  }
  console.log(JSON.stringify({ report, messages, counters: readCounters() }));
  await tracing.end();
}
