import { LineCounter, isMap, isScalar, parseDocument } from 'yaml';
import type { Node } from 'yaml';
import { parseListenAddress } from './listen.js';
import { NUMBER_OPTIONS } from './numbers.js';
import type { ConfigProblem, ListenAddress, ParseConfigFileResult } from './types.js';

const TEXT_KEYS = { contracts: 'contractsPath', verdict_endpoint: 'verdictEndpoint', data: 'data' } as const;
const LISTEN_KEYS = { otlp_http: 'otlpHttp', otlp_grpc: 'otlpGrpc', admin: 'admin' } as const;
const NUMBER_KEYS = new Map(NUMBER_OPTIONS.map((option) => [option.fileKey, option]));
const KEYS = [...Object.keys(LISTEN_KEYS), ...Object.keys(TEXT_KEYS), ...NUMBER_KEYS.keys()];

/**
 * Reads a configuration file (YAML or JSON). Durations are in seconds (`settle_s`), addresses `host:port`. An empty
 * file says nothing and is fine; unknown keys, wrong types and syntax errors are problems, all of them at once, each
 * with `name:line:column`.
 */
export function parseConfigFile(text: string, name: string): ParseConfigFileResult {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, uniqueKeys: true });
  const problems: ConfigProblem[] = [];
  const report = (offset: number, message: string): void => {
    const { line, col } = lines.linePos(offset);
    problems.push({ where: `${name}:${Math.max(line, 1)}:${Math.max(col, 1)}`, message });
  };
  for (const error of document.errors) report(error.pos[0], error.message.split('\n')[0] ?? error.code);
  if (problems.length > 0) return { ok: false, problems };

  const root = document.contents;
  if (root === null || (isScalar(root) && root.value === null)) {
    return { ok: true, file: { options: {}, contractsPath: undefined } };
  }
  if (!isMap(root)) {
    report(0, `must be a mapping of options; known are ${KEYS.join(', ')}`);
    return { ok: false, problems };
  }
  const options: Record<string, string | number | ListenAddress> = {};
  for (const { key, value } of root.items) {
    const keyNode = key as Node;
    const word = isScalar(keyNode) ? String(keyNode.value) : '';
    const read = readValue(word, isScalar(value) ? value.value : undefined);
    const at = (read.ok || !read.unknownKey ? (value as Node | null) : undefined) ?? keyNode;
    if (read.ok) options[read.option] = read.value;
    else report(at.range?.[0] ?? 0, read.message);
  }
  if (problems.length > 0) return { ok: false, problems };
  const { contractsPath, ...rest } = options;
  return { ok: true, file: { options: rest, contractsPath: contractsPath as string | undefined } };
}

type Read =
  | { readonly ok: true; readonly option: string; readonly value: string | number | ListenAddress }
  | { readonly ok: false; readonly unknownKey?: boolean; readonly message: string };

function readValue(key: string, value: unknown): Read {
  if (Object.hasOwn(TEXT_KEYS, key)) {
    if (typeof value !== 'string' || value === '') return { ok: false, message: `${key} must be text` };
    return { ok: true, option: TEXT_KEYS[key as keyof typeof TEXT_KEYS], value };
  }
  if (Object.hasOwn(LISTEN_KEYS, key)) {
    const parsed = parseListenAddress(String(value));
    if (!parsed.ok) return { ok: false, message: `${key}: ${parsed.message}` };
    return { ok: true, option: LISTEN_KEYS[key as keyof typeof LISTEN_KEYS], value: parsed.address };
  }
  const number = NUMBER_KEYS.get(key);
  if (number === undefined) {
    return { ok: false, unknownKey: true, message: `unknown key '${key}'; known are ${KEYS.join(', ')}` };
  }
  const scaled = typeof value === 'number' ? Math.round(value * number.scale) : Number.NaN;
  const whole = !number.integer || Number.isInteger(value);
  if (!whole || !(scaled >= number.min && scaled <= number.max)) {
    const kind = number.integer ? 'an integer' : 'a number of seconds';
    return {
      ok: false,
      message: `${key} must be ${kind} from ${number.min / number.scale} to ${number.max / number.scale}`,
    };
  }
  return { ok: true, option: number.option, value: scaled };
}
