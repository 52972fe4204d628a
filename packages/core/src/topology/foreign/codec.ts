import type { ForeignRow } from '../../decode/outline.js';
import { corrupt } from '../../evidence/codec-tokens.js';
import type { ForeignSign } from '../../evidence/dialects/types.js';

const ROLES: readonly ForeignSign['role'][] = ['run', 'node', 'tool', 'ask', 'mark'];
const MODES = ['transfer', 'delegation'] as const;
type Field = string | number | readonly string[] | null;

/**
 * Rows as one JSON text: for each an array of its trace, span and parent, start and the end where it differs, flags, role,
 * then what its sign says, with what is left out at the end not written.
 */
export function writeForeignRows(rows: readonly ForeignRow[], numbers: Int32Array): Buffer {
  return Buffer.from(JSON.stringify(rows.map((row) => fieldsOf(row, numbers[row.trace] as number))));
}

/** @throws CorruptEvidenceError for a text that {@link writeForeignRows} did not write. */
export function readForeignRows(bytes: Buffer, traces: number): readonly ForeignRow[] {
  let rows: unknown;
  try {
    rows = JSON.parse(bytes.toString('utf8'));
  } catch {
    corrupt('holds foreign spans that are no JSON');
  }
  if (!Array.isArray(rows)) corrupt('holds foreign spans that are no list');
  return (rows as unknown[]).map((fields) => rowOf(fields, traces));
}

function fieldsOf({ spanId, parentSpanId, start, end, failed, sign }: ForeignRow, trace: number): Field[] {
  const flags = (failed ? 1 : 0) | (sign.weak === true ? 2 : 0) | (sign.stated === true ? 4 : 0);
  const mode = sign.mode === undefined ? null : MODES.indexOf(sign.mode);
  const said: Field[] = [
    sign.dialect ?? null,
    sign.agent ?? null,
    sign.tool ?? null,
    sign.digest ?? null,
    sign.target ?? null,
    mode,
    sign.place ?? null,
    sign.receivedFrom ?? null,
    sign.asks ?? null,
  ];
  while (said.at(-1) === null) said.pop();
  return [trace, spanId, parentSpanId, start, end === start ? '' : end, flags, ROLES.indexOf(sign.role), ...said];
}

function rowOf(fields: unknown, traces: number): ForeignRow {
  if (!Array.isArray(fields)) corrupt('holds a foreign span that is no list');
  const [trace, spanId, parentSpanId, start, end, flags, role, ...said] = fields as Field[];
  const known = typeof trace === 'number' && trace >= 0 && trace < traces && typeof flags === 'number';
  if (!known || typeof spanId !== 'string' || typeof start !== 'string') corrupt('holds a damaged foreign span');
  const text = (at: number): string | undefined => {
    const value = said[at];
    return typeof value === 'string' ? value : undefined;
  };
  const [mode, asks] = [said[5], said[8]];
  const sign: ForeignSign = {
    role: ROLES[role as number] ?? corrupt('holds a foreign span of an unknown kind'),
    dialect: text(0),
    agent: text(1),
    tool: text(2),
    digest: text(3),
    target: text(4),
    mode: typeof mode === 'number' ? MODES[mode] : undefined,
    place: text(6),
    receivedFrom: text(7),
    asks: Array.isArray(asks) ? (asks as readonly string[]) : undefined,
    weak: (flags & 2) !== 0,
    stated: (flags & 4) !== 0,
  };
  const ended = typeof end === 'string' && end !== '' ? end : start;
  return {
    trace,
    spanId,
    parentSpanId: typeof parentSpanId === 'string' ? parentSpanId : '',
    start,
    end: ended,
    failed: (flags & 1) !== 0,
    sign,
  };
}
