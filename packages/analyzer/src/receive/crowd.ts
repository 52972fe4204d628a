import type { Server, Socket } from 'node:net';

/** How many may be told at one time that there are too many. Beyond them the system's own refusal has to do. */
const REFUSED_AT_ONCE = 64;

/**
 * Bounds the connections of a server. Each one above `max` is given to `refused`, which ends it and may say why; those
 * beyond what can be told are closed unheard, and `refused` gets no socket. Before that `makeRoom` is asked to end
 * connections that nobody is using: whoever comes next finds their places free.
 */
export function limitConnections(
  server: Server,
  max: number,
  makeRoom: () => void,
  refused: (socket: Socket | undefined) => void,
): void {
  let open = 0;
  server.maxConnections = max + REFUSED_AT_ONCE;
  server.on('drop', () => {
    makeRoom();
    refused(undefined);
  });
  server.on('connection', (socket) => {
    open += 1;
    socket.on('close', () => (open -= 1));
    if (open <= max) return;
    makeRoom();
    refused(socket);
  });
}
