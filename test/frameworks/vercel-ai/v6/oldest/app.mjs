import { ToolLoopAgent as Agent, generateText, simulateReadableStream, stepCountIs, streamText, tool } from 'ai';
import { MockLanguageModelV3 as Mock } from 'ai/test';
import { z } from 'zod';
import { main } from '../../apps/scenarios.mjs';

await main({ Agent, Mock, generateText, streamText, simulateReadableStream, stepCountIs, tool, z, version: 6 });
