import * as strands from '@strands-agents/sdk';
import { main } from '../apps/main.mjs';

await main(strands, process.argv.slice(2));
