import { connect, createServer, type Socket } from 'node:net';
import { createServer as createSecureServer, type TlsOptions } from 'node:tls';
import { onTestFinished } from 'vitest';

/** TCP relay to a port on loopback that counts connections. */
export interface TcpRelay {
  readonly url: string;
  /** Returns the number of connections so far. */
  accepted(): number;
  /** Returns the number of open connections. */
  open(): number;
}

/**
 * Opens a relay to the port `target` until the test ends. It forwards bytes unchanged; with `tls`, it terminates TLS, like a
 * proxy in front of a server.
 */
export async function startTcpRelay(target: number, tls?: TlsOptions): Promise<TcpRelay> {
  const open = new Set<Socket>();
  let accepted = 0;
  const relay = (near: Socket): void => {
    const far = connect(target, '127.0.0.1');
    accepted += 1;
    open.add(near);
    near.on('close', () => {
      open.delete(near);
      far.destroy();
    });
    far.on('close', () => near.destroy());
    for (const socket of [near, far]) socket.on('error', () => socket.destroy());
    near.pipe(far).pipe(near);
  };
  const server = tls === undefined ? createServer(relay) : createSecureServer(tls, relay);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    for (const socket of open) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('a relay has a port');
  const url = `${tls === undefined ? 'http' : 'https'}://127.0.0.1:${address.port}`;
  return { url, accepted: () => accepted, open: () => open.size };
}
