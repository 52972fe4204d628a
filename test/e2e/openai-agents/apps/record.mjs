// ESM: node record.mjs <run|stream> <on|off>. Prints one JSON document.
import * as sdk from '@openai/agents';
import * as extensions from '@openai/agents-core/extensions';
import * as testing from '@openai/agents-core/testing';
import { z } from 'zod';
import { report } from './report.mjs';

await report({ sdk, extensions, testing, z });
