import type { TracerProvider } from '@opentelemetry/api';
import { InstrumentationBase, InstrumentationNodeModuleDefinition } from '@opentelemetry/instrumentation';
import { readConfig } from '../../runtime/config.js';
import { currentTracer } from '../../runtime/current-tracer.js';
import { noteDigestsOff } from '../../runtime/digests-off.js';
import { guarded } from '../../runtime/report.js';
import { PACKAGE_NAME, PACKAGE_VERSION } from '../../runtime/version.js';
import type { Wiring } from './agent-run.js';
import type { AgentsModule } from './internal-types.js';
import { patchCopy } from './patch.js';
import type { OpenAIAgentsInstrumentationConfig } from './types.js';

const SUPPORTED_VERSIONS = ['>=0.3.0 <1'];

/**
 * Follows the handoffs of the OpenAI Agents SDK (`@openai/agents`, `@openai/agents-core`, from 0.3) and makes the
 * `invoke_agent` and `execute_tool` spans that the SDK does not make (wire contract, section 2).
 *
 * Prototypes of the exact copy that is loaded are patched: the ESM build, the CommonJS build, and copies in nested
 * `node_modules` are different objects, and each is patched once. `disable` takes the patches away. Nothing of the
 * application's is replaced or called, and what passes through is not changed; only where a contract enforces a side does
 * a run reject, with a `HandoffContractError`.
 */
export class OpenAIAgentsInstrumentation extends InstrumentationBase<OpenAIAgentsInstrumentationConfig> {
  // Declared only: the base class calls `init` and `enable` before fields of this class would be initialised.
  declare private known: Set<AgentsModule> | undefined;
  declare private unpatches: (() => void)[] | undefined;
  declare private ownProvider: TracerProvider | undefined;

  constructor(config: OpenAIAgentsInstrumentationConfig = {}) {
    super(PACKAGE_NAME, PACKAGE_VERSION, config);
  }

  /**
   * Patches a copy that no hook could see, such as one inside a bundle or one that was loaded before. Patching a copy
   * again does nothing.
   */
  instrument(module: unknown): void {
    guarded('patching @openai/agents-core', () => this.patch(module as AgentsModule), undefined);
  }

  /** From now on spans go to this provider, whatever is registered globally. */
  override setTracerProvider(provider: TracerProvider): void {
    this.ownProvider = provider;
    super.setTracerProvider(provider);
  }

  protected init(): InstrumentationNodeModuleDefinition {
    return new InstrumentationNodeModuleDefinition(
      '@openai/agents-core',
      SUPPORTED_VERSIONS,
      (module: AgentsModule) => {
        this.instrument(module);
        return module;
      },
      () => this.unpatchAll(),
    );
  }

  /** Patches every copy that was seen; the base class remembers the last one only. */
  override enable(): void {
    super.enable();
    for (const module of this.known ?? []) this.instrument(module);
  }

  override disable(): void {
    super.disable();
    this.unpatchAll();
  }

  private patch(module: AgentsModule): void {
    if (typeof module !== 'object' || module === null) return;
    this.known ??= new Set();
    this.known.add(module);
    if (readConfig().disabled) return;
    const unpatch = patchCopy(module, this.wiring());
    if (unpatch !== undefined) (this.unpatches ??= []).push(unpatch);
  }

  private unpatchAll(): void {
    for (const unpatch of this.unpatches ?? []) guarded('unpatching @openai/agents-core', unpatch, undefined);
    this.unpatches = [];
  }

  private wiring(): Wiring {
    const environment = readConfig();
    noteDigestsOff(this.getConfig().contracts, this.getConfig().secret ?? environment.secret);
    return {
      contracts: () => this.getConfig().contracts,
      secret: () => this.getConfig().secret ?? environment.secret,
      enforce: () => environment.enforce,
      tracer: () => (this.ownProvider === undefined ? currentTracer() : this.tracer),
    };
  }
}
