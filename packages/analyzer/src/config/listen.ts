import type { ListenAddress } from './types.js';

export type ParseListenResult =
  { readonly ok: true; readonly address: ListenAddress } | { readonly ok: false; readonly message: string };

/**
 * Reads `host:port` or `[v6]:port`. A bare port, a missing port and a port outside 0 to 65535 are refused; so is an
 * IPv6 address without brackets, where the last group would silently become the port.
 */
export function parseListenAddress(text: string): ParseListenResult {
  const match = /^(?:\[([0-9A-Fa-f:.%a-z]+)\]|([^:[\]\s]+)):(\d{1,5})$/.exec(text);
  const host = match?.[1] ?? match?.[2];
  const port = Number(match?.[3]);
  if (host === undefined || port > 65_535) {
    return {
      ok: false,
      message: `'${text}' is not an address to listen on; write host:port, such as 127.0.0.1:4318 or [::1]:4318 (port 0 to 65535)`,
    };
  }
  return { ok: true, address: { host, port } };
}
