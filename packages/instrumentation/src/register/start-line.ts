import path from 'node:path';
import type { Contracts } from '@seamtrace/contracts';
import { PACKAGE_VERSION } from '../runtime/version.js';
import type { Hooked } from './hooked.js';
import { NOT_HOOKED } from './known-frameworks.js';
import type { Installed } from './installed.js';

/** What the line at start tells. */
export interface StartFacts {
  readonly hooked: readonly Hooked[];
  readonly installed: Installed;
  readonly contracts: Contracts | undefined;
  /** The contract file that was read, whether or not it could be used. */
  readonly contractsFile: string | undefined;
  /** Why nothing is exported, where that is certain. */
  readonly exportOff: string | undefined;
}

/**
 * One line: what is hooked, what was found and is not supported, each with its version, and the contract file. Where
 * nothing is hooked, where it was looked.
 */
export function startLine({ hooked, installed, contracts, contractsFile, exportOff }: StartFacts): string {
  const at = (name: string, version: string | undefined): string =>
    version === undefined ? name : `${name} ${version}`;
  const named = (all: readonly Hooked[]): string[] => all.map(({ framework, version }) => at(framework.name, version));
  const supported = named(hooked.filter(({ needs }) => needs === undefined));
  const unsupported = [
    ...hooked.flatMap(({ framework, version, needs }) =>
      needs === undefined ? [] : `${at(framework.name, version)} (supported: ${needs})`,
    ),
    ...NOT_HOOKED.flatMap((name) => {
      const found = installed.find(name);
      return found === undefined ? [] : at(name, found.version);
    }),
  ];
  const parts = [
    supported.length > 0
      ? `hooks ${supported.join(', ')}`
      : `found no agent framework that it hooks in node_modules from ${installed.from.join(' or ')}`,
    ...(unsupported.length > 0 ? [`found but not supported: ${unsupported.join(', ')}`] : []),
    contractsPart(contracts, contractsFile),
    ...(exportOff === undefined ? [] : [`exports nothing (${exportOff})`]),
  ];
  return `seamtrace ${PACKAGE_VERSION}: ${parts.join('; ')}`;
}

function contractsPart(contracts: Contracts | undefined, file: string | undefined): string {
  if (file === undefined) return 'no contract file';
  const relative = path.relative('', file);
  const shown = relative.startsWith('..') || path.isAbsolute(relative) ? file : `./${relative}`;
  if (contracts === undefined) return `contracts ${shown} (not usable)`;
  const count = contracts.routes.size;
  return `contracts ${shown} (${count} ${count === 1 ? 'route' : 'routes'})`;
}
