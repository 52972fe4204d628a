import type { ListenAddress } from '../config/types.js';

/** An address that could not be had, and the option that names it. */
export interface ListenError extends NodeJS.ErrnoException {
  readonly option: 'otlpHttp' | 'otlpGrpc' | 'admin';
  readonly host: string;
  readonly port: number;
}

/** The system's error, which does not know whose address it was, with that in its message. */
export function listenError(error: unknown, { host, port }: ListenAddress, option: ListenError['option']): ListenError {
  const { code, message } = error as NodeJS.ErrnoException;
  const said = new Error(`${option} cannot listen on ${host}:${port}: ${message}`, { cause: error });
  return Object.assign(said, { ...(code === undefined ? {} : { code }), option, host, port });
}
