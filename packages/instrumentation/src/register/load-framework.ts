import { createRequire } from 'node:module';
import type { FrameworkInstrumentation, FrameworkInstrumentationConfig } from '../hooks/framework-instrumentation.js';
import type { Framework } from './frameworks.js';

type Exports = Readonly<Record<string, new (config: FrameworkInstrumentationConfig) => FrameworkInstrumentation>>;

/** Loads the code of one framework's instrumentation and starts it. */
export async function loadFramework(
  framework: Framework,
  config: FrameworkInstrumentationConfig,
): Promise<FrameworkInstrumentation> {
  return construct((await import(`../frameworks/${framework.folder}/index.js`)) as Exports, framework, config);
}

/**
 * The same at once, from the CommonJS build: for a copy that is found only as it is being loaded, such as one below a
 * plugin of the application. Both builds share their state.
 */
export function loadFrameworkNow(
  framework: Framework,
  config: FrameworkInstrumentationConfig,
  here: string,
): FrameworkInstrumentation {
  const exports = createRequire(here)(`./cjs/frameworks/${framework.folder}/index.js`) as Exports;
  return construct(exports, framework, config);
}

function construct(
  exports: Exports,
  { exportName, folder }: Framework,
  config: FrameworkInstrumentationConfig,
): FrameworkInstrumentation {
  const Instrumentation = exports[exportName];
  if (Instrumentation === undefined) throw new Error(`frameworks/${folder} exports no ${exportName}`);
  return new Instrumentation(config);
}
