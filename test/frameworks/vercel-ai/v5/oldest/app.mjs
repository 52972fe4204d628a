import { Experimental_Agent as Agent, generateText, simulateReadableStream, stepCountIs, streamText, tool } from 'ai';
import { MockLanguageModelV2 as Mock } from 'ai/test';
import { z } from 'zod';
import { main } from '../../apps/scenarios.mjs';

await main({ Agent, Mock, generateText, streamText, simulateReadableStream, stepCountIs, tool, z, version: 5 });
