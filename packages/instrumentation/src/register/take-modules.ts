import {
  InstrumentationBase,
  type InstrumentationConfig,
  InstrumentationNodeModuleDefinition,
} from '@opentelemetry/instrumentation';
import type { FrameworkInstrumentation, FrameworkInstrumentationConfig } from '../hooks/framework-instrumentation.js';
import { guarded } from '../runtime/report.js';
import { say } from '../runtime/say.js';
import { PACKAGE_NAME, PACKAGE_VERSION } from '../runtime/version.js';
import type { Framework } from './frameworks.js';
import { loadFrameworkNow } from './load-framework.js';
import { LOADED, packageOf } from './loader-hooks.js';
import { placeOf } from './module-place.js';

/** The frameworks whose modules may come, and what patches them. */
export interface Takers {
  /** By framework: the instrumentation where it is at work already. Others are started when a copy comes. */
  readonly atWork: Map<Framework, FrameworkInstrumentation>;
  readonly config: FrameworkInstrumentationConfig;
  readonly here: string;
}

/**
 * Takes the modules that the loader hooks tell of, and those of frameworks that were not found at start and are loaded all
 * the same, such as a copy below a plugin of the application.
 */
export function takeModules(frameworks: readonly Framework[], takers: Takers): void {
  const take = (module: object, specifier: string, url: string): void => {
    const framework = frameworks.find(({ imports }) => imports.includes(specifier));
    const place = placeOf(url, specifier);
    if (framework === undefined || place === undefined) return;
    const taken = instrumentationOf(framework, takers).offer(module, place);
    if (taken?.supported !== false) return;
    const { name, supported } = taken.hooked;
    const version = place.version ?? 'of unknown version';
    say(`${name} ${version} in ${place.folder} is not supported (${supported.join(' or ')} is); it runs without us`);
  };
  const tell = (module: object, specifier: string, url: string): void =>
    guarded('a module that was loaded', () => take(module, specifier, url), undefined);
  Object.defineProperty(globalThis, LOADED, { value: tell, configurable: true });
  const late = frameworks.filter((framework) => !takers.atWork.has(framework));
  if (late.length === 0) return;
  const start = (framework: Framework): FrameworkInstrumentation => instrumentationOf(framework, takers);
  new Latecomers(PACKAGE_NAME, PACKAGE_VERSION, { late, start });
}

function instrumentationOf(framework: Framework, { atWork, config, here }: Takers): FrameworkInstrumentation {
  const known = atWork.get(framework);
  if (known !== undefined) return known;
  const started = loadFrameworkNow(framework, config, here);
  atWork.set(framework, started);
  return started;
}

interface LateConfig extends InstrumentationConfig {
  readonly late: readonly Framework[];
  readonly start: (framework: Framework) => FrameworkInstrumentation;
}

/** Watches `require` for the packages of frameworks that were not found at start. Costs nothing until one comes. */
class Latecomers extends InstrumentationBase<LateConfig> {
  // The base class asks before fields of this class would be there; the configuration is.
  protected init(): InstrumentationNodeModuleDefinition[] {
    const { late, start } = this.getConfig();
    return late.flatMap((framework) =>
      [...new Set(framework.imports.map(packageOf))].map((name) => {
        const patch = (module: object, version?: string): object => {
          guarded(`starting ${framework.folder}`, () => wake(start(framework), module, name, version), undefined);
          return module;
        };
        return new InstrumentationNodeModuleDefinition(name, ['*'], patch, () => undefined);
      }),
    );
  }
}

/** From here on the instrumentation has hooks of its own; the copy that is just being loaded it has missed. */
function wake(started: FrameworkInstrumentation, module: object, name: string, version: string | undefined): void {
  started.offer(module, { specifier: name, packageName: name, version, file: '' });
}
