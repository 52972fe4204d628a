import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { CliIo } from '../io.js';
import { type ConfigProblem, readConfigFile } from './file.js';
import { THRESHOLDS_WRITTEN, thresholdNamed } from './threshold-settings.js';
import { SETTINGS, SETTING_NAMES, type Setting, type SettingName, type Settings } from './settings.js';

const DEFAULT_FILE = 'seamtrace.config.yaml';

/** What the command line said; a name that is absent was not given. */
export type Flags = Readonly<Partial<Record<SettingName, string>>> & {
  readonly config?: string;
  /** `name=value` each. */
  readonly threshold?: readonly string[];
};

export type ResolveResult =
  | { readonly ok: true; readonly settings: Settings; /** The file that was read, if any. */ readonly file?: string }
  | { readonly ok: false; readonly problems: readonly ConfigProblem[] };

interface Layer {
  readonly values: ReadonlyMap<SettingName, { readonly where: string; readonly value: unknown }>;
  /** What relative paths in this layer start from. */
  readonly base: string;
  /** A place in this layer names the setting already. */
  readonly names: boolean;
}

/**
 * Settings from, later wins: defaults, the configuration file, `SEAMTRACE_*`, flags. Every value of every layer is
 * judged, also one that a later layer overrides, and all problems come back at once. An empty variable counts as not
 * set. Without `--config` or `SEAMTRACE_CONFIG`, `seamtrace.config.yaml` is read where it exists.
 */
export function resolveSettings(io: CliIo, flags: Flags): ResolveResult {
  const problems: ConfigProblem[] = [];
  const settings: Record<string, unknown> = {};
  for (const name of SETTING_NAMES) settings[name] = SETTINGS[name].fallback;

  const file = openConfigFile(io, flags);
  if ('problem' in file) problems.push(file.problem);
  else problems.push(...file.problems);

  const layers = 'problem' in file ? [] : [file.layer];
  const thresholds = thresholdFlags(io, flags);
  problems.push(...thresholds.problems);
  for (const layer of [...layers, environment(io), commandLine(io, flags), thresholds.layer]) {
    for (const [name, { where, value }] of layer.values) {
      const setting: Setting<unknown> = SETTINGS[name];
      const read = setting.read(value);
      if (!read.ok) problems.push({ where, message: layer.names ? read.message : `${setting.key} ${read.message}` });
      else settings[name] = setting.isPath ? path.resolve(layer.base, String(read.value)) : read.value;
    }
  }
  if (problems.length > 0) return { ok: false, problems };
  const resolved = Object.freeze(settings) as Settings;
  return 'path' in file ? { ok: true, settings: resolved, file: file.path } : { ok: true, settings: resolved };
}

type OpenedFile =
  | { readonly layer: Layer; readonly problems: readonly ConfigProblem[]; readonly path?: string }
  | { readonly problem: ConfigProblem };

function openConfigFile(io: CliIo, flags: Flags): OpenedFile {
  const asked = flags.config ?? (io.env['SEAMTRACE_CONFIG'] || undefined);
  const name = asked ?? DEFAULT_FILE;
  const full = path.resolve(io.cwd, name);
  let text: string;
  try {
    text = readFileSync(full, 'utf8');
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (asked === undefined && code === 'ENOENT')
      return { layer: { values: new Map(), base: io.cwd, names: false }, problems: [] };
    return { problem: { where: name, message: `cannot read the configuration file (${code ?? message})` } };
  }
  const { values, problems } = readConfigFile(text, name);
  return { layer: { values, base: path.dirname(full), names: false }, problems, path: full };
}

function environment(io: CliIo): Layer {
  const values = new Map<SettingName, { where: string; value: unknown }>();
  for (const name of SETTING_NAMES) {
    const value = io.env[SETTINGS[name].env];
    if (value !== undefined && value !== '') values.set(name, { where: SETTINGS[name].env, value });
  }
  return { values, base: io.cwd, names: true };
}

function commandLine(io: CliIo, flags: Flags): Layer {
  const values = new Map<SettingName, { where: string; value: unknown }>();
  for (const name of SETTING_NAMES) {
    const value = flags[name];
    if (value !== undefined) values.set(name, { where: SETTINGS[name].flag ?? name, value });
  }
  return { values, base: io.cwd, names: true };
}

/** `--threshold NAME=VALUE`, as often as there are thresholds; the last one for a name wins. */
function thresholdFlags(io: CliIo, { threshold = [] }: Flags): { layer: Layer; problems: readonly ConfigProblem[] } {
  const values = new Map<SettingName, { where: string; value: unknown }>();
  const problems: ConfigProblem[] = [];
  for (const given of threshold) {
    const [written = '', value] = given.split(/=(.*)/s);
    const name = thresholdNamed(written);
    const where = `--threshold ${written}`;
    if (value === undefined) problems.push({ where, message: 'has no value; write --threshold NAME=NUMBER' });
    else if (name !== undefined) values.set(name, { where, value });
    else problems.push({ where, message: `unknown threshold; known are ${THRESHOLDS_WRITTEN.join(', ')}` });
  }
  return { layer: { values, base: io.cwd, names: true }, problems };
}
