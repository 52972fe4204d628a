import type { Http2Session } from 'node:http2';

/**
 * Asks every connection for a sign of life at a fixed pace and cuts those that did not answer the last time: behind them
 * is nobody any more, which TCP alone would notice after hours.
 */
export function createKeepalive(sessions: ReadonlySet<Http2Session>, everyMs: number): { stop(): void } {
  const silent = new WeakSet<Http2Session>();
  const timer = setInterval(() => {
    for (const session of sessions) {
      if (silent.has(session)) session.destroy();
      else if (!session.destroyed) ask(session);
    }
  }, everyMs);
  timer.unref();

  function ask(session: Http2Session): void {
    silent.add(session);
    session.ping((error) => {
      if (error === null) silent.delete(session);
    });
  }

  return { stop: () => clearInterval(timer) };
}
