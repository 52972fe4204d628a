import type { Transform } from 'node:stream';
import zlib from 'node:zlib';

export type Coding = 'identity' | 'gzip' | 'deflate' | 'zstd';

/** Part of Node from 22.15 and 23.8 on; the types that are compiled against are older. */
interface ZlibWithZstd {
  readonly createZstdDecompress?: (options: { readonly params: Readonly<Record<number, number>> }) => Transform;
  readonly constants: { readonly [name: string]: unknown; readonly ZSTD_d_windowLogMax?: number };
}

const { createZstdDecompress, constants } = zlib as ZlibWithZstd;

/** 8 MiB, the most that RFC 9659 lets a sender ask for. zlib's own limit would be 128 MiB for each body. */
const ZSTD_WINDOW_LOG_MAX = 23;

/** Content codings that this runtime understands, besides none. */
export const CODINGS: readonly Exclude<Coding, 'identity'>[] =
  createZstdDecompress === undefined ? ['gzip', 'deflate'] : ['gzip', 'deflate', 'zstd'];

/** The codings in words: `gzip or deflate`, and on newer runtimes `gzip, deflate, or zstd`. */
export const CODINGS_IN_WORDS = new Intl.ListFormat('en', { type: 'disjunction' }).format(CODINGS);

/** What undoes a coding; `undefined` where there is nothing to undo. */
export function createInflater(coding: Coding): Transform | undefined {
  if (coding === 'identity') return undefined;
  if (coding === 'gzip') return zlib.createGunzip();
  if (coding === 'deflate') return zlib.createInflate();
  return createZstdDecompress?.({ params: { [constants.ZSTD_d_windowLogMax!]: ZSTD_WINDOW_LOG_MAX } });
}
