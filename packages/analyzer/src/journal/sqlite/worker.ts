import { parentPort, workerData } from 'node:worker_threads';
import { createChores } from './chores.js';
import { troubleOf, unusable } from './errors.js';
import type { CommitWindow, FromStore, StoreOptions, ToStore, Trouble } from './messages.js';
import { createReader } from './pages.js';
import { createRoom } from './room.js';
import { openStore } from './store.js';

// The storage thread: the only one that touches the database, so that a flush that takes its time holds up nobody else.

/** The log is moved to the database file when about this much was written to it; the reserve has to be enough for it. */
const MAX_CHECKPOINT_BYTES = 4 * 1024 * 1024;
const MIN_CHECKPOINT_BYTES = 128 * 1024;
/** The log before a commit is at most this share of the reserve, which has to be enough to move it on a full disk. */
const LOG_SHARE = 0.75;

const port = parentPort!;
const options = workerData as StoreOptions;
const send = (message: FromStore, transfer: ArrayBuffer[] = []): void => port.postMessage(message, transfer);

function serve(): void {
  const store = openStore(options);
  const reader = createReader(store.database, options.directory);
  const room = createRoom(options.directory);
  const chores = createChores(
    store,
    () => performance.now(),
    (error) => send({ type: 'chore', trouble: noted(error) }),
    Math.min(MAX_CHECKPOINT_BYTES, Math.max(MIN_CHECKPOINT_BYTES, room.bytes / 2)),
  );
  let choring = false;
  let closed = false;
  let later: NodeJS.Timeout | undefined;
  let liveBytes = store.levels().liveBytes;

  /** One step a turn, so that a commit that has come in meanwhile goes first. */
  function chore(): void {
    if (closed) return;
    const delay = chores.step();
    choring = delay === 0;
    if (choring) setImmediate(chore);
    else send({ type: 'level', bytes: measure() });
    if (delay !== undefined && delay > 0) later = setTimeout(startChores, delay);
  }

  function startChores(): void {
    clearTimeout(later);
    if (choring) return;
    choring = true;
    setImmediate(chore);
  }

  /** A database that cannot even be asked says what it said before; whoever writes to it hears why. */
  function measure(): number {
    try {
      liveBytes = store.levels().liveBytes;
    } catch {
      return liveBytes;
    }
    return liveBytes;
  }

  /** On a full disk the reserve goes first of all to the checkpoint, which makes the log's space free for deleting. */
  function noted(error: unknown): Trouble {
    const trouble = troubleOf(error);
    if (trouble.reason === 'full' && room.give()) {
      try {
        store.checkpoint();
      } catch {
        // There is still not enough for it. What failed is reported; space that comes back will do.
      }
    }
    return trouble;
  }

  function attempt(window: CommitWindow): Trouble | undefined {
    const bytes = window.ends.at(-1) ?? 0;
    try {
      // What the reserve has set free is for deleting: batches would take it again at once.
      if (bytes > 0 && room.tight && !room.has(bytes, store.levels().freePages * 4096)) {
        return { reason: 'full', detail: `no space left for ${bytes} bytes and the reserve` };
      }
      store.commit(window);
      store.place.verify();
      return undefined;
    } catch (error) {
      return noted(error);
    }
  }

  function commit(window: CommitWindow): void {
    const { buffer, ends, marks, changes, releaseBefore } = window;
    const first = store.last + 1;
    chores.boundLog(ends.at(-1) ?? 0, room.bytes * LOG_SHARE);
    const trouble = attempt(window);
    let behind = trouble === undefined;
    // What is written behind is small, and the deleting that may make room waits for it: it gets a chance of its own.
    if (!behind && ends.length > 0) behind = attempt({ ...window, ends: [], receivedAt: [] }) === undefined;
    const answer = { type: 'answer', buffer, behind, trouble, bytes: measure() } as const;
    send({ ...answer, first: trouble === undefined ? first : undefined }, [buffer]);
    const written = trouble === undefined ? (ends.at(-1) ?? 0) : 0;
    chores.noteCommit(
      written * 1.25 + 128 * (marks.length + changes.length) + 32_768,
      behind ? releaseBefore : -Infinity,
    );
    if (trouble?.reason === 'moved') return rescue();
    if (trouble === undefined && room.tight) room.restore();
    startChores();
  }

  function inPlace(): boolean {
    try {
      store.place.verify();
      return true;
    } catch {
      return false;
    }
  }

  /** What was acknowledged is still in the files that are open: it goes to a new one, and a new thread opens that. */
  function rescue(): void {
    try {
      if (store.place.rescue()) process.exit();
    } catch (error) {
      send({ type: 'chore', trouble: { reason: 'moved', detail: `it could not be written anew: ${String(error)}` } });
    }
  }

  port.on('message', (message: ToStore) => {
    if (message.type === 'commit') return commit(message);
    if (message.type === 'read') {
      try {
        const page = reader.read(message.table, message.after);
        return send({ type: 'page', page }, page.table === 'batches' ? [page.rows.buffer] : []);
      } catch (error) {
        const { reason, message: text } = unusable(error, options.directory);
        return send({ type: 'unusable', reason, message: text });
      }
    }
    closed = true;
    clearTimeout(later);
    let trouble: Trouble | undefined;
    try {
      if (!inPlace()) store.place.rescue();
      store.close();
    } catch (error) {
      trouble = troubleOf(error);
    }
    send({ type: 'closed', trouble });
    port.close();
  });
  send({ type: 'opened', bytes: liveBytes });
}

try {
  serve();
} catch (error) {
  const { reason, message } = unusable(error, options.directory);
  send({ type: 'unusable', reason, message });
  port.close();
}
