// CommonJS: node record.cjs <run|stream> <on|off>. Prints one JSON document.
const sdk = require('@openai/agents');
const extensions = require('@openai/agents-core/extensions');
const testing = require('@openai/agents-core/testing');
const { z } = require('zod');

import('./report.mjs').then(({ report }) => report({ sdk, extensions, testing, z }));
