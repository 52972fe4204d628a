import type { Guard } from '../security/guard.js';
import type { Refusal } from './answer.js';
import * as refuse from './refusals.js';

/** Refuses by credentials, before anything of a request is read; `undefined` where it may go on. */
export type Authorize = (authorization: string | undefined) => Refusal | undefined;

export function createAuthorize(guard: Guard | undefined): Authorize {
  return (authorization) => {
    const verdict = guard?.check(authorization) ?? 'allowed';
    if (verdict === 'allowed') return undefined;
    return verdict === 'elsewhere' ? refuse.forbidden() : refuse.unauthenticated(verdict);
  };
}
