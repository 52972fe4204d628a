import type { SecureContextOptions, Server, TlsOptions } from 'node:tls';
import type { TlsMaterial } from './credentials.js';
import type { TlsSource } from './guard.js';

/** What a server needs to speak TLS, and to turn away clients without a certificate where authorities are named. */
export function tlsOptions({ material }: TlsSource, handshakeTimeoutMs: number): TlsOptions {
  const requestCert = material.ca !== undefined;
  return {
    ...contextOf(material),
    minVersion: 'TLSv1.2',
    requestCert,
    rejectUnauthorized: requestCert,
    handshakeTimeout: handshakeTimeoutMs,
  };
}

/** Gives new connections the renewed material; those that are open stay as they are. */
export function keepRenewed(server: Pick<Server, 'setSecureContext'>, tls: TlsSource): void {
  tls.onRenewed((material) => server.setSecureContext({ minVersion: 'TLSv1.2', ...contextOf(material) }));
}

function contextOf({ cert, key, ca }: TlsMaterial): SecureContextOptions {
  return { cert, key, ...(ca === undefined ? {} : { ca }) };
}
