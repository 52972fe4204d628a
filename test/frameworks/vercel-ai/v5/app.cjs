const {
  Experimental_Agent: Agent,
  generateText,
  simulateReadableStream,
  stepCountIs,
  streamText,
  tool,
} = require('ai');
const { MockLanguageModelV2: Mock } = require('ai/test');
const { z } = require('zod');

const lib = { Agent, Mock, generateText, streamText, simulateReadableStream, stepCountIs, tool, z, version: 5 };
import('../apps/scenarios.mjs').then(({ main }) => main(lib));
