import { Agent } from '@mastra/core/agent';
import { Mastra } from '@mastra/core';
import { InMemoryStore } from '@mastra/core/storage';
import { RequestContext } from '@mastra/core/request-context';
import { createTool } from '@mastra/core/tools';
import { createStep, createWorkflow } from '@mastra/core/workflows';
import { z } from 'zod';
import { main } from '../apps/scenarios.mjs';

await main({ Agent, Mastra, InMemoryStore, RequestContext, createTool, createStep, createWorkflow, z });
