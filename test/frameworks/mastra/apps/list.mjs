import { scriptedModel } from './scripted-model.mjs';

const context = ({ RequestContext }, members) => new RequestContext(Object.entries(members));

/** A supervisor `triage` with one sub-agent `billing`, by what differs. */
function pair(
  lib,
  { call = { prompt: 'settle it' }, calls, billing = {}, triage = {}, after = 'done', inputs = [] } = {},
) {
  const worker = new lib.Agent({
    id: 'billing-agent',
    name: 'billing',
    description: 'settles invoices',
    instructions: 'You settle invoices.',
    model: scriptedModel(['settled'], { id: 'billing', inputs }),
    ...billing,
  });
  const supervisor = new lib.Agent({
    id: 'triage-agent',
    name: 'triage',
    instructions: 'You route.',
    model: scriptedModel([calls ?? [{ tool: 'agent-billing', args: call }], after], { id: 'triage', inputs }),
    agents: { billing: worker },
    ...triage,
  });
  return { worker, supervisor, inputs };
}

export const SCENARIOS = {
  async passed(lib) {
    const { supervisor, inputs } = pair(lib);
    const result = await supervisor.generate('my invoice', { requestContext: context(lib, { customer_id: 'c-1' }) });
    return { text: result.text, inputs };
  },
  async stream(lib) {
    const { supervisor, inputs } = pair(lib);
    const result = await supervisor.stream('my invoice', { requestContext: context(lib, { customer_id: 'c-1' }) });
    let text = '';
    for await (const chunk of result.textStream) text += chunk;
    return { text, inputs };
  },
};
