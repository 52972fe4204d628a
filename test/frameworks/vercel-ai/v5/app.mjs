import { Experimental_Agent as Agent, simulateReadableStream, stepCountIs, tool } from 'ai';
import { MockLanguageModelV2 as Mock } from 'ai/test';
import { z } from 'zod';
import { main } from '../apps/scenarios.mjs';

await main({ Agent, Mock, simulateReadableStream, stepCountIs, tool, z, version: 5 });
