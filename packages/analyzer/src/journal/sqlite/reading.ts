import type { DeliveryMark, JournaledBatch, KeptState } from '../journal.js';
import type { Page, Table } from './messages.js';
import { readRow } from './row.js';

/** Fetches a page of a table. */
export type FetchPage = (table: Table, after: number) => Promise<Page>;

/** The pages of a table; the next one is fetched while the current one is used. */
async function* pages(fetch: FetchPage, table: Table): AsyncGenerator<Page> {
  let coming = fetch(table, 0);
  for (;;) {
    const page = await coming;
    if (page.next === undefined) return;
    coming = fetch(table, page.next);
    // Whoever stops reading leaves a page behind whose failure nobody waits for.
    coming.catch(() => {});
    yield page;
  }
}

export async function* readBatches(
  fetch: FetchPage,
  progress: (batches: number, of: number) => void,
): AsyncGenerator<JournaledBatch> {
  let read = 0;
  let of = 0;
  for await (const page of pages(fetch, 'batches')) {
    if (page.table !== 'batches') continue;
    of = Math.max(of, page.of);
    const { positions, receivedAt, ends, buffer } = page.rows;
    for (const [index, position] of positions.entries()) {
      const start = ends[index - 1] ?? 0;
      const row = Buffer.from(buffer, start, ends[index]! - start);
      yield { position, receivedAt: receivedAt[index]!, pieces: readRow(row) };
    }
    read += positions.length;
    progress(read, of);
  }
}

export async function* readMarks(fetch: FetchPage): AsyncGenerator<DeliveryMark> {
  for await (const page of pages(fetch, 'marks')) if (page.table === 'marks') yield* page.rows;
}

export async function* readKept(fetch: FetchPage): AsyncGenerator<KeptState> {
  for await (const page of pages(fetch, 'kept')) if (page.table === 'kept') yield* page.rows;
}
