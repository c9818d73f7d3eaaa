import type { BoundSocket, ListenOnSocket, RequestHandler } from '../kernel/listener.ts';
import type { Logger } from '../kernel/logger.ts';
import type { Clock, Millis } from '../kernel/time.ts';

/** How often the socket is checked. */
export const socketCheckInterval: Millis = 10_000;

/** Maximum time for responses in progress on a socket whose path leads elsewhere. */
const replaceTimeout: Millis = 3_000;

/** Options of the socket for the commands. */
export interface ControlSocketOptions {
  readonly path: string;
  readonly handler: RequestHandler;
  readonly listenOnSocket: ListenOnSocket;
  readonly clock: Clock;
  readonly log: Logger;
}

/**
 * Opens the socket for the commands, and opens it again when its path no longer leads to it, for example because the
 * state directory was replaced. The daemon also runs without the socket.
 */
export async function keepSocketOpen(options: ControlSocketOptions): Promise<Pick<BoundSocket, 'close'>> {
  const { path, handler, listenOnSocket, clock, log } = options;
  const stopped = new AbortController();
  let socket: BoundSocket | undefined;
  let isAvailable = true;

  function report(reason: string | undefined): void {
    if (isAvailable === (reason === undefined)) return;
    isAvailable = reason === undefined;
    if (isAvailable) log.info('control socket opened');
    else log.warn('control socket unavailable', { error: reason });
  }

  async function check(): Promise<void> {
    if (await socket?.isReachable()) return;
    if (socket !== undefined) report(`'${path}' is no longer the socket of this process`);
    await socket?.close(replaceTimeout);
    const opened = await listenOnSocket({ path, handler, log });
    socket = opened.ok ? opened.value : undefined;
    report(opened.ok ? undefined : opened.error);
  }

  async function checkRepeatedly(): Promise<void> {
    while (!stopped.signal.aborted) {
      await clock.sleep(socketCheckInterval, stopped.signal);
      if (!stopped.signal.aborted) await check();
    }
  }

  await check();
  const checks = checkRepeatedly();
  return {
    close: async (grace) => {
      stopped.abort();
      await checks;
      await socket?.close(grace);
    },
  };
}
