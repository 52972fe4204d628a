import type { Logger } from 'pino';
import type { AnalyzerConfig, ListenAddress } from '../config/types.js';
import { createGuard } from '../security/guard.js';
import type { Guard, GuardOptions } from '../security/guard.js';
import type { MetricsSink } from '../sinks/metrics/sink.js';

export interface Guards {
  readonly ingest: Guard;
  readonly admin: Guard;
  /** Reads the files of both again. */
  reload(): void;
  close(): void;
}

/** The guards of the two kinds of listeners. Throws where credentials cannot be read. */
export function createGuards(config: AnalyzerConfig, reloaded: MetricsSink['reloaded'], logger: Logger): Guards {
  const told =
    (listener: 'ingest' | 'admin'): GuardOptions['told'] =>
    (outcome) => {
      reloaded(listener, outcome.ok ? 'renewed' : 'unusable');
      if (outcome.ok) logger.info({ listener }, 'tokens and certificates were read again');
      else {
        const { problems } = outcome;
        logger.error({ listener, problems }, 'tokens and certificates cannot be used; those from before stay in force');
      }
    };
  const admin = createGuard({ security: config.adminSecurity, elsewhere: () => ingest, told: told('admin') });
  const ingest: Guard = createGuard({ security: config.ingestSecurity, elsewhere: () => admin, told: told('ingest') });
  return {
    ingest,
    admin,
    reload() {
      ingest.reload();
      admin.reload();
    },
    close() {
      ingest.close();
      admin.close();
    },
  };
}

/** Says once, at the start, which OTLP addresses take spans from anybody who reaches them over a network. */
export function warnOfOpenIntake(
  guard: Guard,
  addresses: Readonly<Record<string, ListenAddress | undefined>>,
  logger: Logger,
): void {
  if (!guard.isOpen) return;
  const open = Object.entries(addresses).filter(([, address]) => address !== undefined && !isLoopback(address.host));
  if (open.length === 0) return;
  logger.warn(
    Object.fromEntries(open),
    'OTLP is taken from everybody who reaches these addresses: ask for a token (ingest_token_file) or client certificates (ingest_client_ca), or listen on loopback',
  );
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^(?:::ffff:)?127\./.test(host);
}
