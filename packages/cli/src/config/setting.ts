import { type Read, readPath } from './parsers.js';

/** One thing that can be configured: its names in the three layers, what it takes, and what holds where nobody says. */
export interface Setting<T> {
  /** In `seamtrace.config.yaml`; a dot goes one level down. */
  readonly key: string;
  readonly env: string;
  /** On the command line; `undefined` where a flag would only be noise. */
  readonly flag: string | undefined;
  readonly read: (value: unknown) => Read<T>;
  readonly fallback: T;
  readonly brief: string;
  /** A path in the file is relative to the file; everywhere else to the working directory. */
  readonly isPath: boolean;
}

export function setting<T>(
  key: string,
  flag: string | undefined,
  read: (value: unknown) => Read<T>,
  fallback: NoInfer<T>,
  brief: string,
): Setting<T> {
  const env = `SEAMTRACE_${key.replaceAll('.', '_').toUpperCase()}`;
  return { key, env, flag, read, fallback, brief, isPath: false };
}

export const path = (key: string, flag: string | undefined, brief: string): Setting<string | undefined> => ({
  ...setting<string | undefined>(key, flag, readPath, undefined, brief),
  isPath: true,
});
