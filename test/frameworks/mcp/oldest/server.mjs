import { main } from '../apps/server.mjs';
import lib from './lib.mjs';

await main(lib);
