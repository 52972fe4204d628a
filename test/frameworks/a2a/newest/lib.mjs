import * as client from '@a2a-js/sdk/client';
import * as compat from '@a2a-js/sdk/compat/v0_3/client';
import * as server from '@a2a-js/sdk/server';
import * as serverExpress from '@a2a-js/sdk/server/express';
import express from 'express';
import { newestDialect } from '../apps/dialects.mjs';

const lib = { client, compat, server, serverExpress, express };

export default { ...lib, version: 'newest', dialect: newestDialect(lib) };
