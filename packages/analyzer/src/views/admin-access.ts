import type { IncomingMessage } from 'node:http';
import type { TLSSocket } from 'node:tls';
import type { Guard } from '../security/guard.js';

export interface AdminRefusal {
  readonly status: 401 | 403;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

const TEXT = { 'content-type': 'text/plain; charset=utf-8' };

/** Why a request may not see what only operators may; `undefined` where it may. */
export function refuseAdmin({ check, tls }: Guard, { headers, socket }: IncomingMessage): AdminRefusal | undefined {
  if (tls?.material.ca !== undefined && !(socket as TLSSocket).authorized) {
    return { status: 403, headers: TEXT, text: 'show a client certificate of an authority that this service knows\n' };
  }
  const verdict = check(headers.authorization);
  if (verdict === 'allowed') return undefined;
  const challenge = 'Bearer realm="seamtrace admin"';
  if (verdict === 'elsewhere') {
    const scope = `${challenge}, error="insufficient_scope"`;
    const text = 'the bearer token is for another listener of this service; send the one for admin\n';
    return { status: 403, headers: { ...TEXT, 'www-authenticate': scope }, text };
  }
  const said = verdict === 'missing' ? challenge : `${challenge}, error="invalid_token"`;
  const text = verdict === 'missing' ? 'send a bearer token\n' : 'the bearer token is not known here\n';
  return { status: 401, headers: { ...TEXT, 'www-authenticate': said }, text };
}
