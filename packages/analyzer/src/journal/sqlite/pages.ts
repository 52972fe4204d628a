import { damaged } from './errors.js';
import type { DeliveryMark, KeptState } from '../journal.js';
import type { BatchPage, Page, Table } from './messages.js';
import { isWhole } from './row.js';
import type { Connection } from './schema.js';
import { openState } from './store.js';

/** A page of stored bytes holds about this much, or one row where that is larger. */
const PAGE_BYTES = 4 * 1024 * 1024;
const PAGE_ROWS = 2_000;

export interface Reader {
  /** The rows after the one numbered `after`; 0 begins. Throws `JournalUnusable` for a row that is damaged. */
  read(table: Table, after: number): Page;
}

/** Reads the tables page by page, so that memory is bounded by the page and not by the journal. */
export function createReader(database: Connection, directory: string): Reader {
  const sizes = {
    batches: database.prepare(
      'SELECT position AS id, length(body) AS bytes FROM batches WHERE position > ? ORDER BY position LIMIT ?',
    ),
    kept: database.prepare('SELECT seq AS id, length(body) AS bytes FROM kept WHERE seq > ? ORDER BY seq LIMIT ?'),
  };
  const batches = database.prepare(
    'SELECT position, received_at, body FROM batches WHERE position > ? AND position <= ? ORDER BY position',
  );
  const kept = database.prepare('SELECT seq, kind, key, body, at FROM kept WHERE seq > ? AND seq <= ? ORDER BY seq');
  const marks = database.prepare(
    'SELECT seq, key, revision, verdict_id, at FROM marks WHERE seq > ? ORDER BY seq LIMIT ?',
  );
  const count = database.prepare('SELECT count(*) AS rows FROM batches INDEXED BY batches_received_at');
  const text = (key: ArrayBuffer): string => Buffer.from(key).toString();

  /** The last row of the page after `after`; undefined when there is none. */
  function endOfPage(table: 'batches' | 'kept', after: number): number | undefined {
    let end: number | undefined;
    let total = 0;
    for (const { id, bytes } of sizes[table].all([after, PAGE_ROWS]) as { id: number; bytes: number }[]) {
      total += bytes;
      if (end !== undefined && total > PAGE_BYTES) break;
      end = id;
    }
    return end;
  }

  function readBatches(after: number): { rows: BatchPage; next: number | undefined } {
    const end = endOfPage('batches', after);
    const rows = (end === undefined ? [] : batches.all([after, end])) as {
      position: number;
      received_at: number;
      body: ArrayBuffer;
    }[];
    const bodies = rows.map(({ position, body }) => {
      const bytes = Buffer.from(body);
      if (!isWhole(bytes)) throw damaged(directory, `the checksum of batch ${position} does not hold`);
      return bytes;
    });
    const buffer = new Uint8Array(bodies.reduce((total, { length }) => total + length, 0));
    const ends: number[] = [];
    let at = 0;
    for (const body of bodies) {
      buffer.set(body, at);
      ends.push((at += body.length));
    }
    const positions = rows.map(({ position }) => position);
    return {
      rows: { positions, receivedAt: rows.map((row) => row.received_at), ends, buffer: buffer.buffer },
      next: end,
    };
  }

  function readMarks(after: number): { rows: DeliveryMark[]; next: number | undefined } {
    const rows = marks.all([after, PAGE_ROWS]) as {
      seq: number;
      key: ArrayBuffer;
      revision: number;
      verdict_id: ArrayBuffer;
      at: number;
    }[];
    return {
      rows: rows.map((row) => ({
        key: text(row.key),
        revision: row.revision,
        verdictId: text(row.verdict_id),
        at: row.at,
      })),
      next: rows.at(-1)?.seq,
    };
  }

  function readKept(after: number): { rows: KeptState[]; next: number | undefined } {
    const end = endOfPage('kept', after);
    const rows = (end === undefined ? [] : kept.all([after, end])) as {
      kind: ArrayBuffer;
      key: ArrayBuffer;
      body: ArrayBuffer;
      at: number;
    }[];
    const whole = rows.map(({ kind, key, body, at }) => {
      const state = openState(body);
      if (state === undefined) throw damaged(directory, `the checksum of a kept ${text(kind)} does not hold`);
      return { kind: text(kind), key: text(key), state: state.slice(), at };
    });
    return { rows: whole, next: end };
  }

  return {
    read(table, after) {
      if (table === 'marks') return { table, ...readMarks(after) };
      if (table === 'kept') return { table, ...readKept(after) };
      const of = after === 0 ? (count.all([])[0] as { rows: number }).rows : 0;
      return { table, ...readBatches(after), of };
    },
  };
}
