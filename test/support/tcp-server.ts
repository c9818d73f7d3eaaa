import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

/** Upper bound of a wait on a busy machine; a wait that succeeds is much shorter. */
const timeout = 30_000;

/** Replies to one request. `request` is its number on its connection, `connection` that of the connection, both from 1. */
export type Responder = (socket: Socket, place: { readonly request: number; readonly connection: number }) => unknown;

/** TCP server that detects only the end of the head of a request. */
export interface TcpServer {
  readonly port: number;
  /** The first line of each request so far. */
  readonly requests: readonly string[];
  /** Connections so far. */
  readonly accepted: () => number;
  /** Connections that are open now. */
  readonly open: () => number;
}

/** Starts a server on one loopback address until the test ends. */
export async function startTcp(responder: Responder, host = '127.0.0.1', port = 0): Promise<TcpServer> {
  const sockets = new Set<Socket>();
  const requests: string[] = [];
  let accepted = 0;
  const server: Server = createServer((socket) => {
    accepted += 1;
    const connection = accepted;
    sockets.add(socket);
    let text = '';
    let request = 0;
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
    socket.on('data', (chunk) => {
      text += String(chunk);
      for (let end = text.indexOf('\r\n\r\n'); end !== -1; end = text.indexOf('\r\n\r\n')) {
        requests.push(text.slice(0, text.indexOf('\r\n')));
        text = text.slice(end + 4);
        request += 1;
        responder(socket, { request, connection });
      }
    });
  });
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, host, resolve));
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
  return {
    port: (server.address() as AddressInfo).port,
    requests,
    accepted: () => accepted,
    open: () => sockets.size,
  };
}

/** Starts servers on two loopback addresses with one port, like two machines behind one name. */
export async function startTcpPair(responder: Responder): Promise<readonly [TcpServer, TcpServer]> {
  for (;;) {
    const first = await startTcp(responder, '127.0.0.1');
    const second = await startTcp(responder, '127.0.0.2', first.port).catch(() => undefined);
    if (second !== undefined) return [first, second];
  }
}

/** Replies with `text` and keeps the connection open. */
export function respond(text: string): Responder {
  return (socket) => socket.write(`HTTP/1.1 200 OK\r\ncontent-length: ${text.length}\r\n\r\n${text}`);
}

/** Replies with `text` and closes the connection. */
export function respondAndClose(text: string): Responder {
  return (socket) =>
    socket.end(`HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: ${text.length}\r\n\r\n${text}`);
}

/** Waits until `condition` is true. Sockets of the kernel emit no event for it. */
export async function eventually(condition: () => boolean): Promise<void> {
  const until = performance.now() + timeout;
  while (!condition() && performance.now() < until) await new Promise((resolve) => setTimeout(resolve, 5));
  if (!condition()) throw new Error('it never happened');
}
