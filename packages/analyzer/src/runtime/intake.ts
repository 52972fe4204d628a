import type { Logger } from 'pino';
import type { AnalyzerConfig, ListenAddress } from '../config/types.js';
import { createAllowance } from '../receive/allowance.js';
import { createOtlpGrpcReceiver } from '../receive/grpc/receiver.js';
import { createOtlpHttpReceiver } from '../receive/http.js';
import type { Accept, ReceiveObserver } from '../receive/types.js';
import type { Guard } from '../security/guard.js';
import { listenError } from './listen-error.js';

export interface IntakeAddresses {
  readonly otlpHttp: ListenAddress;
  /** `undefined` where gRPC is off, or its default address was taken. */
  readonly otlpGrpc: ListenAddress | undefined;
}

/** The receivers of all transports, as one. */
export interface Intake {
  listen(): Promise<IntakeAddresses>;
  stopIntake(graceMs: number): Promise<void>;
  close(graceMs: number): Promise<void>;
}

export interface IntakeOptions {
  readonly config: AnalyzerConfig;
  readonly guard: Guard;
  readonly accept: Accept;
  readonly observe: ReceiveObserver;
  readonly logger: Logger;
}

export function createIntake({ config, guard, accept, observe, logger }: IntakeOptions): Intake {
  const { maxBodyBytes, otlpHttp, otlpGrpc } = config;
  // One for both, or the two together could hold twice what one machine was given.
  const allowance = createAllowance(2 * maxBodyBytes);
  const shared = { maxBodyBytes, allowance, guard, accept, observe };
  const http = createOtlpHttpReceiver({ ...otlpHttp, ...shared });
  const grpc = otlpGrpc === undefined ? undefined : createOtlpGrpcReceiver({ ...otlpGrpc, ...shared });
  const receivers = grpc === undefined ? [http] : [http, grpc];

  async function listenGrpc(): Promise<ListenAddress | undefined> {
    if (grpc === undefined || otlpGrpc === undefined) return undefined;
    try {
      return await grpc.listen();
    } catch (error) {
      const said = listenError(error, otlpGrpc, 'otlpGrpc');
      if (otlpGrpc.required) throw said;
      // Nobody asked for this address: whoever sends over HTTP must not go without because another process has it.
      logger.error({ err: said }, 'OTLP over gRPC is not available; OTLP over HTTP is');
      return undefined;
    }
  }

  return {
    async listen() {
      const bound = await http.listen().catch((error: unknown) => {
        throw listenError(error, otlpHttp, 'otlpHttp');
      });
      return { otlpHttp: bound, otlpGrpc: await listenGrpc() };
    },
    async stopIntake(graceMs) {
      await Promise.all(receivers.map((receiver) => receiver.stopIntake(graceMs)));
    },
    async close(graceMs) {
      await Promise.allSettled(receivers.map((receiver) => receiver.close(graceMs)));
    },
  };
}
