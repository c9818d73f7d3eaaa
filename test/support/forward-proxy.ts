import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { connect, type Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { onTestFinished } from 'vitest';
import type { Certificate } from './certificates.ts';
import { listening } from './static-server.ts';

/** A forward proxy on loopback. */
export interface ForwardProxy {
  readonly url: string;
  /** Received requests, such as `CONNECT receiver.test:443` or `POST http://receiver.test/x`. */
  readonly requests: readonly string[];
  /** Server name (SNI) of each TLS connection; false if the client sent none. */
  readonly names: readonly (string | false)[];
}

/** How a proxy treats requests. */
export interface ForwardProxyOptions {
  /** Expected value of `Proxy-Authorization`; without it the proxy replies with 407. */
  readonly authorization?: string;
  /** Replies to every request with this status, or never. */
  readonly status?: number | 'hang';
  /** Certificate of the proxy; without it the proxy uses no TLS. */
  readonly tls?: Certificate;
}

/** Starts a proxy that ignores the host of a request: it connects to the port of the request on loopback. */
export async function startForwardProxy(options: ForwardProxyOptions = {}): Promise<ForwardProxy> {
  const requests: string[] = [];
  const sockets = new Set<Socket>();
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
  });
  const refusal = (incoming: IncomingMessage): ForwardProxyOptions['status'] => {
    requests.push(`${incoming.method} ${incoming.url}`);
    const { authorization, status } = options;
    if (authorization !== undefined && incoming.headers['proxy-authorization'] !== authorization) return 407;
    return status;
  };
  const respond = (incoming: IncomingMessage, outgoing: ServerResponse): void =>
    forward(incoming, outgoing, refusal(incoming));
  const names: (string | false)[] = [];
  const server: Server = options.tls === undefined ? createServer(respond) : createSecureServer(options.tls, respond);
  server.on('secureConnection', ({ servername }: TLSSocket) => names.push(servername ?? false));
  server.on('connect', (incoming: IncomingMessage, near: Socket) => {
    sockets.add(near);
    tunnel(incoming, near, refusal(incoming), sockets);
  });
  const scheme = options.tls === undefined ? 'http' : 'https';
  return { url: `${scheme}://127.0.0.1:${await listening(server)}`, requests, names };
}

function forward(incoming: IncomingMessage, outgoing: ServerResponse, refused: ForwardProxyOptions['status']): void {
  if (refused === 'hang') return;
  if (refused !== undefined) {
    outgoing.writeHead(refused).end();
    return;
  }
  const { port, pathname, search } = new URL(incoming.url ?? '');
  const { method } = incoming;
  const { 'proxy-authorization': _, ...headers } = incoming.headers;
  const sent = request({ host: '127.0.0.1', port, path: pathname + search, method, headers }, (reply) => {
    outgoing.writeHead(reply.statusCode ?? 502, reply.headers);
    reply.pipe(outgoing);
  });
  sent.on('error', () => outgoing.writeHead(502).end());
  incoming.pipe(sent);
}

function tunnel(
  incoming: IncomingMessage,
  near: Socket,
  refused: ForwardProxyOptions['status'],
  sockets: Set<Socket>,
): void {
  // Otherwise, the socket stays half open.
  near.on('error', () => near.destroy()).on('end', () => near.destroy());
  if (refused === 'hang') {
    near.resume();
    return;
  }
  if (refused !== undefined) {
    near.end(`HTTP/1.1 ${refused} Refused\r\n\r\n`);
    return;
  }
  const far = connect(Number(/:(\d+)$/.exec(incoming.url ?? '')?.[1]), '127.0.0.1', () => {
    near.write('HTTP/1.1 200 Connection established\r\n\r\n');
    far.pipe(near).pipe(far);
  });
  sockets.add(far);
  far.on('error', () => near.end('HTTP/1.1 502 Bad Gateway\r\n\r\n'));
  far.on('close', () => near.destroy());
  near.on('close', () => far.destroy());
}
