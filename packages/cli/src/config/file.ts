import { LineCounter, type Node, isMap, isScalar, parseDocument } from 'yaml';
import { SETTINGS, SETTING_NAMES, type SettingName } from './settings.js';

/** Something wrong with the configuration: where (`file:line:column`, a variable, a flag) and what. */
export interface ConfigProblem {
  readonly where: string;
  readonly message: string;
}

export interface ConfigFile {
  readonly values: ReadonlyMap<SettingName, { readonly where: string; readonly value: unknown }>;
  readonly problems: readonly ConfigProblem[];
}

/**
 * Reads the text of a `seamtrace.config.yaml`. Values are taken as written and judged by the caller; a key that nobody
 * knows is a problem, since a misspelt key would otherwise be a setting that silently does not hold. An empty file
 * configures nothing.
 */
export function readConfigFile(text: string, name: string): ConfigFile {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const at = (offset: number | undefined): string => {
    const { line, col } = lines.linePos(offset ?? 0);
    return `${name}:${Math.max(line, 1)}:${Math.max(col, 1)}`;
  };
  const problems: ConfigProblem[] = document.errors.map((error) => ({
    where: at(error.pos[0]),
    message: error.message,
  }));
  const values = new Map<SettingName, { where: string; value: unknown }>();

  const walk = (node: Node, prefix: string): void => {
    if (!isMap<Node, Node | null>(node)) {
      const what = prefix === '' ? 'the file' : prefix.slice(0, -1);
      problems.push({ where: at(node.range?.[0]), message: `${what} must be a mapping of settings` });
      return;
    }
    for (const { key, value } of node.items) {
      const written = isScalar(key) ? String(key.value) : String(key);
      const where = at(key.range?.[0]);
      const path = prefix + written;
      const setting = SETTING_NAMES.find((candidate) => SETTINGS[candidate].key === path);
      if (setting !== undefined) {
        values.set(setting, { where, value: isScalar(value) ? value.value : value?.toJSON() });
      } else if (value !== null && SETTING_NAMES.some((candidate) => SETTINGS[candidate].key.startsWith(`${path}.`))) {
        walk(value, `${path}.`);
      } else {
        problems.push({ where, message: `unknown setting ${path}; known are ${known()}` });
      }
    }
  };
  if (problems.length === 0 && document.contents !== null) walk(document.contents as Node, '');
  return { values, problems };
}

function known(): string {
  return SETTING_NAMES.map((name) => SETTINGS[name].key).join(', ');
}
