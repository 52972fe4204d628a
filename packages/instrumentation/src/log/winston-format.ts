import { guarded } from '../runtime/report.js';
import { logContext } from './log-context.js';

/** What winston takes for a format, as far as it is used here. */
export interface WinstonFormat {
  transform<T extends object>(info: T, options?: unknown): T;
}

/**
 * A winston format that adds {@link logContext} to each line. Members that the application set stay as they are. Put it
 * before the format that writes: `format.combine(logContextFormat(), format.json())`.
 */
export function logContextFormat(): WinstonFormat {
  return {
    transform(info) {
      guarded('the context of a log line', () => addTo(info), undefined);
      return info;
    },
  };
}

function addTo(info: object): void {
  for (const [name, value] of Object.entries(logContext())) {
    if (!Object.hasOwn(info, name)) Object.defineProperty(info, name, { value, ...ORDINARY });
  }
}

const ORDINARY = { writable: true, enumerable: true, configurable: true };
