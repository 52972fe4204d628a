import { main } from '../apps/client.mjs';
import lib from './lib.mjs';

await main(lib);
