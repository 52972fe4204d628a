import { CODINGS } from './coding.js';
import type { Coding } from './coding.js';
import type { OtlpEncoding } from './types.js';

const ENCODINGS: ReadonlyMap<string, OtlpEncoding> = new Map([
  ['application/x-protobuf', 'protobuf'],
  ['application/json', 'json'],
]);

/** The encoding that a Content-Type names, `undefined` for any other. Parameters are ignored but for another charset. */
export function parseContentType(header: string | undefined): OtlpEncoding | undefined {
  const [type = '', ...parameters] = (header ?? '').split(';').map((part) => part.trim().toLowerCase());
  const charset = parameters.find((parameter) => parameter.startsWith('charset='));
  const named = charset?.slice('charset='.length).replaceAll('"', '');
  if (named !== undefined && named !== 'utf-8' && named !== 'utf8') return undefined;
  return ENCODINGS.get(type);
}

/** The coding that a Content-Encoding names, `undefined` for one that is not understood. */
export function parseContentEncoding(header: string | undefined): Coding | undefined {
  const coding = (header ?? '').trim().toLowerCase();
  if (coding === '' || coding === 'identity') return 'identity';
  if (coding === 'x-gzip') return 'gzip';
  return CODINGS.find((known) => known === coding);
}

/** The size that a Content-Length states; Node has already refused what is no number. */
export function parseContentLength(header: string | undefined): number | undefined {
  return header === undefined ? undefined : Number(header);
}
