import type { Guard } from '../security/guard.js';
import { type Allowance, createAllowance } from './allowance.js';
import type { Accept, ReceiveObserver } from './types.js';

/** What every receiver of OTLP is given, whatever it speaks. */
export interface ReceiverOptions {
  readonly host: string;
  /** 0 asks the system for a free port. */
  readonly port: number;
  /** Limit of one body or message, before and after inflating. Default 64 MiB. */
  readonly maxBodyBytes?: number;
  /** Limit of all bodies in flight together, until they are answered. Default twice `maxBodyBytes`. */
  readonly maxInFlightBytes?: number;
  /** The limit in place of `maxInFlightBytes` where several receivers share one. */
  readonly allowance?: Allowance;
  /** How long a sender may take for a request, its headers included. Default 30 s. */
  readonly requestTimeoutMs?: number;
  /** Connections at one time; more are refused. Default 4096. */
  readonly maxConnections?: number;
  /** Who may send, and the TLS that is spoken. Left out, everybody who reaches the port, unencrypted. */
  readonly guard?: Guard;
  readonly accept: Accept;
  readonly observe: ReceiveObserver;
}

export interface Receiver {
  /** Starts to listen. Rejects where the address cannot be had. */
  listen(): Promise<{ readonly host: string; readonly port: number }>;
  /**
   * From now on senders are told to come again (503, UNAVAILABLE). Requests that are being read or accepted are answered as
   * usual; those that are still incomplete after `graceMs` (default: the request timeout) are told to come again, too.
   */
  stopIntake(graceMs?: number): Promise<void>;
  /** Stops intake, stops to listen, lets the last answers out, and ends all connections. Safe to call twice. */
  close(graceMs?: number): Promise<void>;
}

const DEFAULT_MAX_BODY_BYTES = 64 * 1024 * 1024;
const DEFAULT_REQUEST_TIMEOUT_MS = 30_000;
const DEFAULT_MAX_CONNECTIONS = 4_096;

export interface ReceiverLimits {
  readonly maxBodyBytes: number;
  readonly timeoutMs: number;
  readonly maxConnections: number;
  readonly allowance: Allowance;
}

/** The limits that apply, with their defaults. */
export function receiverLimits(options: ReceiverOptions): ReceiverLimits {
  const { maxBodyBytes = DEFAULT_MAX_BODY_BYTES, requestTimeoutMs, maxConnections, maxInFlightBytes } = options;
  return {
    maxBodyBytes,
    timeoutMs: requestTimeoutMs ?? DEFAULT_REQUEST_TIMEOUT_MS,
    maxConnections: maxConnections ?? DEFAULT_MAX_CONNECTIONS,
    allowance: options.allowance ?? createAllowance(maxInFlightBytes ?? 2 * maxBodyBytes),
  };
}
