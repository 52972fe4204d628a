const { Agent } = require('@mastra/core/agent');
const { RequestContext } = require('@mastra/core/request-context');
const { createTool } = require('@mastra/core/tools');
const { z } = require('zod');

void import('../apps/scenarios.mjs').then(({ main }) => main({ Agent, RequestContext, createTool, z }));
