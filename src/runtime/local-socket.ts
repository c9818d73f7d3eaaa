import { chmod, lstat, mkdtemp, rename, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import { dirname, join } from 'node:path';
import type { ListenOnSocket, RequestHandler } from '../kernel/listener.ts';
import type { Logger } from '../kernel/logger.ts';
import { err, ok } from '../kernel/result.ts';
import type { ConnectionTracker } from './connections.ts';
import { fileErrorCode, fileErrorMessage } from './files.ts';
import { listenerLimits, serve } from './listener.ts';

/** Longest path of a Unix socket in bytes, on every system that the program runs on. */
const maxPathBytes = 103;

/** Opens a Unix socket with mode 0600: the permissions of the file are the authentication. */
export const listenOnSocket: ListenOnSocket = async ({ path, handler, log }) => {
  if (Buffer.byteLength(path) > maxPathBytes) {
    return err(`cannot listen on '${path}': the path is longer than ${maxPathBytes} bytes`);
  }
  if (await isServed(path)) return err(`cannot listen on '${path}': another process listens on it`);
  try {
    const { open, id } = await bindPrivately(path, handler, log);
    const isReachable = async (): Promise<boolean> => (await fileId(path)) === id;
    const close = async (grace: number): Promise<void> => {
      if (await isReachable()) await rm(path, { force: true });
      await open.close(grace);
    };
    return ok({ isReachable, close });
  } catch (error) {
    return err(`cannot listen on '${path}': ${fileErrorMessage(error)}`);
  }
};

interface BoundPath {
  readonly open: ConnectionTracker;
  /** Identity of the socket file, which no other file gets while the socket is open. */
  readonly id: string | undefined;
}

/**
 * Binds the socket in a folder that others cannot enter and moves it to its path when it has its mode: others must not
 * connect before. A change of the mask of the process would also affect the files of other threads.
 */
async function bindPrivately(path: string, handler: RequestHandler, log: Logger): Promise<BoundPath> {
  // Not longer than the usual name, because the length of the path is limited.
  const folder = await mkdtemp(join(dirname(path), 's.'));
  try {
    const bound = join(folder, 's');
    const server = createServer(listenerLimits);
    const open = await serve(server, { handler, log, limits: listenerLimits }, (done) => server.listen(bound, done));
    try {
      await chmod(bound, 0o600);
      await rename(bound, path);
      return { open, id: await fileId(path) };
    } catch (error) {
      await open.close(0);
      throw error;
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Whether a process listens on the socket. The socket of a killed process refuses connections. */
function isServed(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path);
    const settle = (isConnected: boolean): void => {
      socket.destroy();
      resolve(isConnected);
    };
    socket.once('connect', () => settle(true));
    // EAGAIN: a process listens, and its queue of connections is full.
    socket.once('error', (error) => settle(fileErrorCode(error) === 'EAGAIN'));
  });
}

async function fileId(path: string): Promise<string | undefined> {
  try {
    const { dev, ino } = await lstat(path, { bigint: true });
    return `${dev}-${ino}`;
  } catch {
    return undefined;
  }
}
