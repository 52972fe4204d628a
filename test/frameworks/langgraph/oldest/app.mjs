import * as lg from '@langchain/langgraph';
import * as prebuilt from '@langchain/langgraph/prebuilt';
import * as supervisor from '@langchain/langgraph-supervisor';
import * as swarm from '@langchain/langgraph-swarm';
import { BaseChatModel } from '@langchain/core/language_models/chat_models';
import * as callbacks from '@langchain/core/callbacks/manager';
import { AIMessage, HumanMessage, ToolMessage } from '@langchain/core/messages';
import { tool } from '@langchain/core/tools';
import { createAgent } from 'langchain';
import { z } from 'zod';
import { main } from '../apps/main.mjs';
import { scriptedModels } from '../apps/scripted-model.mjs';

const model = scriptedModels({ BaseChatModel, AIMessage });
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
