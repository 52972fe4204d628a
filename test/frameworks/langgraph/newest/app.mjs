import * as lg from '@langchain/langgraph';
import * as prebuilt from '@langchain/langgraph/prebuilt';
import * as supervisor from '@langchain/langgraph-supervisor';
import * as swarm from '@langchain/langgraph-swarm';
import * as callbacks from '@langchain/core/callbacks/manager';
import { AIMessage, HumanMessage, ToolMessage } from '@langchain/core/messages';
import { fakeModel } from '@langchain/core/testing';
import { tool } from '@langchain/core/tools';
import { createAgent } from 'langchain';
import { z } from 'zod';
import { main } from '../apps/main.mjs';
import { fakeModels } from '../apps/scripted-model.mjs';

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
