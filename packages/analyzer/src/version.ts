import { createRequire } from 'node:module';

/** Version of this package. */
export const ANALYZER_VERSION = (createRequire(import.meta.url)('../package.json') as { version: string }).version;
