import {
  type FrameworkInstrumentation,
  type FrameworkInstrumentationConfig,
  isSupported,
} from '../hooks/framework-instrumentation.js';
import type { Framework } from './frameworks.js';
import type { Installed } from './installed.js';
import { loadFramework } from './load-framework.js';
import { packageOf } from './loader-hooks.js';

/** A framework that is installed, with its instrumentation at work. */
export interface Hooked {
  readonly framework: Framework;
  readonly instrumentation: FrameworkInstrumentation;
  /** The version of the package that a user installs, or of the hooked one where only that is there. */
  readonly version: string | undefined;
  /** The packages and ranges that were asked for, where what is installed is in none of them. */
  readonly needs: string | undefined;
}

/** Starts the instrumentations of what is installed. */
export async function hookInstalled(
  frameworks: readonly Framework[],
  installed: Installed,
  config: FrameworkInstrumentationConfig,
): Promise<readonly Hooked[]> {
  const hooked: Hooked[] = [];
  for (const framework of frameworks) {
    const main = installed.find(framework.name);
    const packages = [...new Set(framework.imports.map(packageOf))];
    const found = packages.flatMap((name) => {
      const there = (main === undefined ? undefined : installed.findBeside(main, name)) ?? installed.find(name);
      return there ?? [];
    });
    if (main === undefined && found.length === 0) continue;
    const instrumentation = await loadFramework(framework, config);
    const version = main?.version ?? found[0]?.version;
    const ranges = new Map(instrumentation.hookedModules().map(({ name, supported }) => [packageOf(name), supported]));
    const fits = found.some(({ name, version: one }) => isSupported(one, ranges.get(name) ?? []));
    const needs = [...ranges].map(([name, supported]) => `${name} ${supported.join(' or ')}`).join(', ');
    hooked.push({ framework, instrumentation, version, needs: fits || found.length === 0 ? undefined : needs });
  }
  return hooked;
}
