import { context as contextApi, type TextMapGetter, type TextMapSetter, type TracerProvider } from '@opentelemetry/api';
import { beginAccept } from './accept/begin.js';
import { ingest, type IngestPolicy } from './accept/ingest.js';
import { acceptContext, runAccepted } from './accept/run-accepted.js';
import { dispatchHandoff, type ProducerPolicy } from './dispatch/dispatch.js';
import { countOption, type DispatchOptions, nameOption } from './dispatch/options.js';
import { enforceOption, type EnforceOverride } from './enforce/mode.js';
import { createReceived, type Handoff, type Received, stateBehind } from './handoff/handle.js';
import { extractHandoff } from './propagation/extract.js';
import { injectHandoff } from './propagation/inject.js';
import { readConfig } from './runtime/config.js';
import { currentTracer } from './runtime/current-tracer.js';
import { type ContractsSource, loadContracts } from './runtime/load-contracts.js';
import { noteDigestsOff } from './runtime/digests-off.js';
import { guarded, warnOnce } from './runtime/report.js';
import { runtime } from './runtime/state.js';
import { PACKAGE_NAME, PACKAGE_VERSION } from './runtime/version.js';

/** How handoffs are made. All of it is optional; what stands here goes before the environment. */
export interface HandoffsOptions {
  /** By default the file of `SEAMTRACE_CONTRACTS`, else `./seamtrace.contracts.yaml` if it is there. */
  readonly contracts?: ContractsSource | undefined;
  /** Replaces the contract file's `enforce`, for both sides or for one. By default `SEAMTRACE_ENFORCE`. */
  readonly enforce?: EnforceOverride | undefined;
  /** Key of all digests. By default `SEAMTRACE_SECRET`; without it there are none. */
  readonly secret?: string | undefined;
  /** The agent that this process hosts, used where neither a call nor the active run says who is at work. */
  readonly agent?: string | undefined;
  /** Where spans are made. By default the global provider; where there is none, what `register` exports through. */
  readonly tracerProvider?: TracerProvider | undefined;
}

/** How one handoff is accepted. */
export interface AcceptOptions {
  /** Who takes it. By default the run's `gen_ai.agent.name`, else `createHandoffs({ agent })`. */
  readonly agent?: string | undefined;
  /** Contract version that this side works by; the route's current one by default. */
  readonly version?: string | undefined;
  /**
   * How often the carrier has delivered the message, this time included, from 1: the receive count of a queue. By default
   * what this process has counted, which knows nothing of deliveries to others.
   */
  readonly delivery?: number | undefined;
}

/** Handoffs for agents that no framework hook covers. */
export interface Handoffs {
  /**
   * Records that the active agent hands over, and returns what to send. It ends its `handoff {target}` span at once.
   *
   * Left out, `payload` is built from `source` by the route's contract: what it permits, or requires where it lists
   * nothing as permitted. Without a contract it is `source` itself.
   *
   * @throws HandoffContractError where the producer side of the route enforces and a required key is proven missing.
   */
  dispatch<P = unknown>(options: DispatchOptions<P>): Handoff<P>;
  /**
   * Writes a handoff into a message: the `seamtrace-handoff` header, a baggage member, and the active trace context (else
   * that of the dispatch) by the global propagator, or as W3C trace context where none is registered, so that both sides
   * join one trace. Without a setter it writes plain objects, `Headers` and Maps.
   */
  inject<C>(handoff: Handoff | Received, carrier: C, setter?: TextMapSetter<C>): void;
  /**
   * Reads the handoff that a message carries; `undefined` when there is none that can be used. A header that is absent, too
   * long or malformed is counted, and the bare identity is taken from baggage where that has it.
   */
  extract<C>(carrier: C, getter?: TextMapGetter<C>): Received | undefined;
  /**
   * Runs the consumer's work on a handoff: on one that was received, or directly on one that was dispatched in this
   * process. The active `invoke_agent` span, or the next one that begins inside, is stamped as its destination.
   *
   * Returns and throws what `fn` does. With `undefined`, as from an `extract` that found nothing, it only runs `fn`.
   */
  accept<T>(handoff: Handoff | Received | undefined, fn: () => T, options?: AcceptOptions): T;
  /**
   * Tells what the consumer can read, before its first model or tool call and its first own write. The first call inside
   * an `accept` counts; outside of one it has no effect.
   *
   * @throws HandoffContractError where the consumer side of the route enforces and a required key is proven absent.
   */
  ingested(state: unknown, options?: IngestedOptions): void;
}

/** What a consumer tells beside what it can read. */
export interface IngestedOptions {
  /**
   * Names of the keys that it reads, as far as it knows: by its input schema, say. With shared state those that the route does
   * not permit are found as `undeclared_dependency`.
   */
  readonly reads?: readonly string[] | undefined;
  /** Names of the tools that its model is offered, for routes that ask for tools. */
  readonly tools?: readonly string[] | undefined;
}

/**
 * Makes the handoff API. Contracts are read once, here. Bad options are reported through `diag.warn` and left out; with
 * `SEAMTRACE_DISABLED=true` nothing is recorded, carried or enforced, and payloads are built all the same.
 *
 * It needs no {@link SeamtraceSpanProcessor} to record dispatches and ingests. With it, `invoke_agent` and
 * `execute_tool` spans of other instrumentations are stamped too.
 */
export function createHandoffs(given?: HandoffsOptions): Handoffs {
  const options = given ?? {};
  const config = readConfig();
  const contracts = loadContracts(options.contracts, config.contractsPath);
  const agent = nameOption('agent', options.agent);
  const provider = options.tracerProvider;
  const secret = options.secret ?? config.secret;
  noteDigestsOff(contracts, secret);
  runtime().handoffApi = true;
  const policy: IngestPolicy & ProducerPolicy = {
    get tracer() {
      return provider === undefined ? currentTracer() : provider.getTracer(PACKAGE_NAME, PACKAGE_VERSION);
    },
    contracts,
    secret,
    enforce: enforceOption(options.enforce) ?? config.enforce,
    agent,
    disabled: config.disabled,
  };

  return {
    dispatch: (dispatchOptions) => dispatchHandoff(dispatchOptions, contextApi.active(), policy),

    inject(handoff, carrier, setter) {
      if (policy.disabled) return;
      const behind = guarded('reading a handle', () => stateBehind(handoff), undefined);
      if (behind === undefined) {
        warnOnce(
          'inject:unknown',
          'inject() was given something that is no handoff of this process; nothing is written',
        );
        return;
      }
      guarded(
        'injecting a handoff',
        () => injectHandoff(behind.state, carrier, contextApi.active(), setter),
        undefined,
      );
    },

    extract(carrier, getter) {
      if (policy.disabled) return undefined;
      const extracted = guarded('extracting a handoff', () => extractHandoff(carrier, getter), undefined);
      return extracted === undefined ? undefined : createReceived(extracted.state, extracted.remote);
    },

    accept(handoff, fn, acceptOptions) {
      const behind = policy.disabled ? undefined : guarded('reading a handle', () => stateBehind(handoff), undefined);
      if (behind === undefined) return fn();
      const begun = guarded(
        'accepting a handoff',
        () => {
          const active = contextApi.active();
          const frame = beginAccept(behind.state, active, {
            contracts,
            remote: behind.remote,
            agent: nameOption('agent', acceptOptions?.agent),
            hostAgent: agent,
            version: nameOption('version', acceptOptions?.version),
            delivery: countOption('delivery', acceptOptions?.delivery),
          });
          return { frame, base: acceptContext(active, behind.remote), tracer: policy.tracer };
        },
        undefined,
      );
      return begun === undefined ? fn() : runAccepted(begun.frame, begun.base, begun.tracer, fn);
    },

    ingested(state, ingestedOptions) {
      if (!policy.disabled) ingest(state, contextApi.active(), policy, ingestedOptions);
    },
  };
}
