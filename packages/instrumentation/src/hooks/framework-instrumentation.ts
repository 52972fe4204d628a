import type { TracerProvider } from '@opentelemetry/api';
import {
  InstrumentationBase,
  type InstrumentationConfig,
  InstrumentationNodeModuleDefinition,
  InstrumentationNodeModuleFile,
} from '@opentelemetry/instrumentation';
// The very check by which the base class decides about a copy that is required.
import { satisfies } from '@opentelemetry/instrumentation/build/src/semver.js';
import type { Contracts } from '@seamtrace/contracts';
import { readConfig } from '../runtime/config.js';
import { currentTracer } from '../runtime/current-tracer.js';
import { noteDigestsOff } from '../runtime/digests-off.js';
import { guarded } from '../runtime/report.js';
import { PACKAGE_NAME, PACKAGE_VERSION } from '../runtime/version.js';
import type { Wiring } from './wiring.js';

/** Options of every framework's instrumentation. */
export interface FrameworkInstrumentationConfig extends InstrumentationConfig {
  /**
   * The contract file, parsed. Without one every handoff is still recorded; its route, required keys and enforcement are
   * then unknown.
   */
  contracts?: Contracts;
  /** Keys the digests of `state_ref` and `integrity`. Without one neither is recorded. */
  secret?: string;
}

/** One module of a framework that is hooked, and how one loaded copy of it is patched. */
export interface HookedModule {
  /** The package, as it is named in `node_modules`, or a specifier such as `@mastra/core/agent`. */
  readonly name: string;
  /**
   * Files of the package that are hooked in place of its main module, as they lie below it, for what is only reached by a
   * subpath: the ESM and the CommonJS build of each. `import` needs the subpath's specifier among the hooked imports too.
   */
  readonly files?: readonly string[];
  /** Ranges of versions that were tried. Another one is left alone and named at start. */
  readonly supported: readonly string[];
  /**
   * Patches one copy, once, whoever asks. Returns what takes the patches away again; `undefined` where the copy is
   * patched already or is none.
   */
  readonly patch: (module: object, wiring: Wiring) => (() => void) | undefined;
  /**
   * What `require` gives in the place of exports that cannot be replaced one by one, after {@link patch}. `undefined` leaves
   * them.
   */
  readonly replace?: (module: object, wiring: Wiring) => object | undefined;
}

/** Where a module that was loaded comes from. */
export interface ModulePlace {
  /** What it was imported as. */
  readonly specifier: string;
  readonly packageName: string;
  readonly version: string | undefined;
  /** Its path below the package's folder, with `/`. */
  readonly file: string;
}

/**
 * What all instrumentations of frameworks are: each loaded copy of each hooked module is patched once, the ESM build, the
 * CommonJS build and copies in nested `node_modules` alike, and `disable` takes every patch away.
 */
export abstract class FrameworkInstrumentation<
  C extends FrameworkInstrumentationConfig = FrameworkInstrumentationConfig,
> extends InstrumentationBase<C> {
  // Declared only: the base class calls `init` and `enable` before fields of this class would be initialised.
  declare private seen: Map<object, HookedModule> | undefined;
  declare private unpatches: (() => void)[] | undefined;
  declare private ownProvider: TracerProvider | undefined;

  constructor(config: C) {
    super(PACKAGE_NAME, PACKAGE_VERSION, config);
  }

  /** The modules to hook. Asked before the constructor of a subclass has run, so it must not read fields. */
  protected abstract modules(): readonly HookedModule[];

  /**
   * Patches a copy that no hook could see, such as one inside a bundle or one that was loaded before. Patching a copy
   * again does nothing.
   *
   * @param name Which of the hooked modules it is; the first by default.
   */
  instrument(module: unknown, name?: string): void {
    const all = this.modules();
    const hooked = name === undefined ? all[0] : all.find((each) => each.name === name);
    if (hooked === undefined || typeof module !== 'object' || module === null) return;
    guarded(`patching ${hooked.name}`, () => this.patch(module, hooked), undefined);
  }

  /** What is hooked, and in which versions. */
  hookedModules(): readonly HookedModule[] {
    return this.modules();
  }

  /**
   * Patches an ES module that has just been evaluated where it is one of the hooked ones in a version that was tried.
   * Returns the module that it is, and whether its version is supported; `undefined` where it is none.
   */
  offer(
    module: object,
    place: ModulePlace,
  ): { readonly hooked: HookedModule; readonly supported: boolean } | undefined {
    const hooked = this.modules().find(({ name, files }) =>
      files === undefined ? name === place.specifier : name === place.packageName && files.includes(place.file),
    );
    if (hooked === undefined || !this.isEnabled()) return undefined;
    const supported = isSupported(place.version, hooked.supported);
    if (supported) guarded(`patching ${hooked.name}`, () => this.patch(module, hooked), undefined);
    return { hooked, supported };
  }

  /** Ends what is open as the process exits, so that it is on record. Nothing by default. */
  endOpenRuns(): void {
    // A framework that keeps no list of its open runs has nothing to end.
  }

  /** From now on spans go to this provider, whatever is registered globally. */
  override setTracerProvider(provider: TracerProvider): void {
    this.ownProvider = provider;
    super.setTracerProvider(provider);
  }

  protected init(): InstrumentationNodeModuleDefinition[] {
    return this.modules().map((hooked) => {
      const { name, files, supported } = hooked;
      const patch = (module: object): object => {
        guarded(`patching ${name}`, () => this.patch(module, hooked), undefined);
        if (hooked.replace === undefined || readConfig().disabled) return module;
        return guarded(`patching ${name}`, () => hooked.replace?.(module, this.wiring()), undefined) ?? module;
      };
      const unpatch = (): void => this.unpatchAll();
      if (files === undefined) return new InstrumentationNodeModuleDefinition(name, [...supported], patch, unpatch);
      const hookedFiles = files.map(
        (file) => new InstrumentationNodeModuleFile(`${name}/${file}`, [...supported], patch, unpatch),
      );
      return new InstrumentationNodeModuleDefinition(name, [...supported], undefined, undefined, hookedFiles);
    });
  }

  /** Patches every copy that was seen; the base class remembers the last one only. */
  override enable(): void {
    super.enable();
    for (const [module, hooked] of this.seen ?? []) {
      guarded(`patching ${hooked.name}`, () => this.patch(module, hooked), undefined);
    }
  }

  override disable(): void {
    super.disable();
    this.unpatchAll();
  }

  private patch(module: object, hooked: HookedModule): void {
    this.seen ??= new Map();
    this.seen.set(module, hooked);
    if (readConfig().disabled) return;
    const unpatch = hooked.patch(module, this.wiring());
    if (unpatch !== undefined) (this.unpatches ??= []).push(unpatch);
  }

  private unpatchAll(): void {
    for (const unpatch of this.unpatches ?? []) guarded('taking a patch away', unpatch, undefined);
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

/** Whether a version is in one of the ranges. One that is not known is in none but `*`. */
export function isSupported(version: string | undefined, ranges: readonly string[]): boolean {
  if (version === undefined) return ranges.includes('*');
  return ranges.some((range) => satisfies(version, range));
}
