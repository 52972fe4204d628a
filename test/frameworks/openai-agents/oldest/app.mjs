import * as sdk from '@openai/agents-core';
import { z } from 'zod';
import { main } from '../apps/main.mjs';

await main({ sdk, z }, process.argv.slice(2));
