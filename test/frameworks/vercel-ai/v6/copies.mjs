// The ESM and the CommonJS build of the SDK in one process: one agent of each, and one hands over to the other.
import { createRequire } from 'node:module';
import { generateText, simulateReadableStream, stepCountIs, streamText, tool, ToolLoopAgent } from 'ai';
import { MockLanguageModelV3 as Mock } from 'ai/test';
import { z } from 'zod';
import { main } from '../apps/scenarios.mjs';

const other = createRequire(import.meta.url)('ai');
let made = 0;
/** Every second agent is of the other build. */
function Agent(settings) {
  made += 1;
  return new (made % 2 === 0 ? other.ToolLoopAgent : ToolLoopAgent)(settings);
}

await main({ Agent, Mock, generateText, streamText, simulateReadableStream, stepCountIs, tool, z, version: 6 });
if (other.ToolLoopAgent === ToolLoopAgent) throw new Error('one build only');
