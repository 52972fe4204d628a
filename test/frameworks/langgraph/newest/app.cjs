const lg = require('@langchain/langgraph');
const prebuilt = require('@langchain/langgraph/prebuilt');
const supervisor = require('@langchain/langgraph-supervisor');
const swarm = require('@langchain/langgraph-swarm');
const callbacks = require('@langchain/core/callbacks/manager');
const { AIMessage, HumanMessage, ToolMessage } = require('@langchain/core/messages');
const { fakeModel } = require('@langchain/core/testing');
const { tool } = require('@langchain/core/tools');
const { createAgent } = require('langchain');
const { z } = require('zod');

async function start() {
  const { main } = await import('../apps/main.mjs');
  const { fakeModels } = await import('../apps/scripted-model.mjs');
  const model = fakeModels({ fakeModel, AIMessage });
  const agent = (options) => createAgent({ tools: [], ...options }).graph;
  await main({
    callbacks,
    lg,
    prebuilt,
    supervisor,
    swarm,
    tool,
    z,
    model,
    agent,
    createAgent,
    AIMessage,
    HumanMessage,
    ToolMessage,
  });
}

void start();
