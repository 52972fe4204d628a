import * as adk from '@google/adk';
import { main } from '../apps/main.mjs';

await main(adk, process.argv.slice(2));
