import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Millis } from '../kernel/time.ts';

/** The open connections of a server, so that stopping it waits for answers under way and for nothing else. */
export interface Connections {
  /** Stops accepting, ends idle connections now, busy ones after their answer, the rest after `grace`. Idempotent. */
  close(grace: Millis): Promise<void>;
}

/** Watches the connections of `server`; to be called before it listens. */
export function connections(server: Server): Connections {
  const sockets = new Set<Socket>();
  const answering = new Map<Socket, number>();
  let closing: Promise<void> | undefined;

  const opened = (socket: Socket): void => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  };
  server.on('connection', opened);
  // Over TLS this is the socket that requests know; the raw one below it is in the set as well.
  server.on('secureConnection', opened);
  server.on('request', ({ socket }, response) => {
    answering.set(socket, (answering.get(socket) ?? 0) + 1);
    response.once('close', () => answered(socket));
  });

  function answered(socket: Socket): void {
    const left = (answering.get(socket) ?? 1) - 1;
    if (left > 0) answering.set(socket, left);
    else answering.delete(socket);
    if (left === 0 && closing !== undefined) socket.destroySoon();
  }

  async function close(grace: Millis): Promise<void> {
    const ended = new Promise<void>((resolve) => server.close(() => resolve()));
    for (const socket of sockets) if (idle(socket)) socket.destroySoon();
    const cut = setTimeout(() => {
      for (const socket of sockets) socket.destroy();
    }, grace);
    await ended;
    clearTimeout(cut);
  }

  /** The raw socket below TLS looks idle while its owner answers: it has the same remote port. */
  function idle(socket: Socket): boolean {
    return ![...answering.keys()].some(
      (busy) => busy.remotePort === socket.remotePort && busy.remoteAddress === socket.remoteAddress,
    );
  }

  return {
    close: (grace) => {
      closing ??= close(grace);
      return closing;
    },
  };
}
