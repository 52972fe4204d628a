import * as client from '@a2a-js/sdk/client';
import * as server from '@a2a-js/sdk/server';
import * as serverExpress from '@a2a-js/sdk/server/express';
import express from 'express';
import { oldestDialect } from '../apps/dialects.mjs';

const lib = { client, server, serverExpress, express };

export default { ...lib, version: 'oldest', dialect: oldestDialect(lib) };
