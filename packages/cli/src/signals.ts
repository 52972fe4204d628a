/**
 * Resolves at the first SIGTERM or SIGINT. From then on the system's own handling is back, so that a second signal ends
 * a stop that hangs.
 */
export function untilSignal(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    const signals: readonly NodeJS.Signals[] = ['SIGTERM', 'SIGINT'];
    const heard = (signal: NodeJS.Signals): void => {
      for (const each of signals) process.off(each, heard);
      resolve(signal);
    };
    for (const each of signals) process.on(each, heard);
  });
}
