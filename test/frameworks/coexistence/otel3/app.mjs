import { flow } from '../apps/flow.mjs';

await flow((name) => import(name).catch(() => ({})), process.argv.slice(2));
