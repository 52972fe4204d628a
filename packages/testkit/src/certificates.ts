import { generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import type { KeyObject } from 'node:crypto';

/** A certificate and its key, in PEM. */
export interface Certificate {
  readonly cert: string;
  readonly key: string;
}

export interface Authority extends Certificate {
  /** A certificate for both ends of a connection on this machine (127.0.0.1, localhost). */
  issue(commonName: string): Certificate;
}

/**
 * An authority of certificates for tests: as much of X.509 (RFC 5280) as TLS on one machine needs, with keys on P-256.
 * Valid for a day around now.
 */
export function createAuthority(commonName: string): Authority {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const issuer = nameOf(commonName);
  return {
    ...pem(
      certificate({ issuer, subject: issuer, publicKey, signer: privateKey, extensions: [basicConstraints(true)] }),
      privateKey,
    ),
    issue(subjectName) {
      const keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
      const extensions = [basicConstraints(false), localNames()];
      const subject = nameOf(subjectName);
      return pem(
        certificate({ issuer, subject, publicKey: keys.publicKey, signer: privateKey, extensions }),
        keys.privateKey,
      );
    },
  };
}

interface Content {
  readonly issuer: Buffer;
  readonly subject: Buffer;
  readonly publicKey: KeyObject;
  readonly signer: KeyObject;
  readonly extensions: readonly Buffer[];
}

const DAY_MS = 86_400_000;
const ECDSA_WITH_SHA256 = sequence(oid('2a8648ce3d040302'));

function certificate({ issuer, subject, publicKey, signer, extensions }: Content): Buffer {
  const now = Date.now();
  const body = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.concat([Buffer.from([1]), randomBytes(15)])),
    ECDSA_WITH_SHA256,
    issuer,
    sequence(utcTime(now - DAY_MS), utcTime(now + DAY_MS)),
    subject,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(...extensions)),
  );
  return sequence(body, ECDSA_WITH_SHA256, der(0x03, Buffer.from([0]), sign('sha256', body, signer)));
}

function nameOf(commonName: string): Buffer {
  return sequence(der(0x31, sequence(oid('550403'), der(0x0c, Buffer.from(commonName)))));
}

function basicConstraints(isAuthority: boolean): Buffer {
  const value = isAuthority ? sequence(der(0x01, Buffer.from([0xff]))) : sequence();
  return sequence(oid('551d13'), der(0x01, Buffer.from([0xff])), der(0x04, value));
}

function localNames(): Buffer {
  const names = sequence(der(0x82, Buffer.from('localhost')), der(0x87, Buffer.from([127, 0, 0, 1])));
  return sequence(oid('551d11'), der(0x04, names));
}

function utcTime(at: number): Buffer {
  const [date = ''] = new Date(at).toISOString().replace(/[-:T]/g, '').split('.');
  return der(0x17, Buffer.from(`${date.slice(2)}Z`));
}

function oid(hex: string): Buffer {
  return der(0x06, Buffer.from(hex, 'hex'));
}

function sequence(...content: readonly Buffer[]): Buffer {
  return der(0x30, ...content);
}

function der(tag: number, ...content: readonly Buffer[]): Buffer {
  const body = Buffer.concat(content);
  const length =
    body.length < 0x80
      ? [body.length]
      : body.length < 0x100
        ? [0x81, body.length]
        : [0x82, body.length >> 8, body.length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...length]), body]);
}

function pem(cert: Buffer, key: KeyObject): Certificate {
  const lines = cert.toString('base64').replace(/.{64}/g, '$&\n');
  return {
    cert: `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`,
    key: key.export({ type: 'pkcs8', format: 'pem' }) as string,
  };
}
