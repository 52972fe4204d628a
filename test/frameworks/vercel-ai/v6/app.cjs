const { ToolLoopAgent: Agent, generateText, simulateReadableStream, stepCountIs, streamText, tool } = require('ai');
const { MockLanguageModelV3: Mock } = require('ai/test');
const { z } = require('zod');

const lib = { Agent, Mock, generateText, streamText, simulateReadableStream, stepCountIs, tool, z, version: 6 };
import('../apps/scenarios.mjs').then(({ main }) => main(lib));
