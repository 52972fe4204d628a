import type { Logger } from 'pino';
import type { JournalObserver } from './sqlite/options.js';
import type { UnavailableReason } from './unavailable.js';

/** A disk that fails now and then does so many times a minute; the counters have the number. */
const SAY_AGAIN_MS = 60_000;
/** A replay shorter than this is over before anybody asks. */
const PROGRESS_MS = 2_000;

/** Writes to the service's log what a journal has to say: each kind of trouble at most once a minute, and its end. */
export function createJournalReporter(logger: Logger, now: () => number): JournalObserver {
  const saidAt = new Map<UnavailableReason, number>();
  let said = false;
  let progressAt = now();
  return {
    fault(reason, detail) {
      if (now() - (saidAt.get(reason) ?? -Infinity) < SAY_AGAIN_MS) return;
      saidAt.set(reason, now());
      said = true;
      logger.error({ reason, detail }, 'the journal cannot keep evidence; senders are told to come again');
    },
    recovered() {
      if (said) logger.info('the journal keeps evidence again');
      said = false;
    },
    replayed(batches, of) {
      if (now() - progressAt < PROGRESS_MS) return;
      progressAt = now();
      logger.info({ batches, of }, 'reading the journal');
    },
  };
}
