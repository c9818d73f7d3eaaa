import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach } from 'vitest';

/** Response for one path: unchanged bytes, with only the given headers. */
export interface StaticReply {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array;
}

/** Received request. */
export interface SeenRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

/** Server with fixed replies. */
export interface StaticServer {
  readonly url: string;
  readonly seen: readonly SeenRequest[];
  readonly server: Server;
}

/** Replies by `METHOD /path`, without the query string. All other requests get an empty 404. */
export type StaticRoutes = Readonly<Record<string, StaticReply | ((request: SeenRequest) => StaticReply)>>;

const open: Server[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map(stop));
});

/** Serves fixed bytes over real HTTP on a free port of loopback, until the end of the test. */
export async function startStaticServer(routes: StaticRoutes): Promise<StaticServer> {
  const seen: SeenRequest[] = [];
  const server = createServer((incoming, outgoing) => void serve(incoming, outgoing));
  async function serve(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const request = await receive(incoming);
    seen.push(request);
    reply(routes, request, outgoing);
  }
  return { url: `http://127.0.0.1:${await listening(server)}`, seen, server };
}

/** Binds a free port of loopback; the server is closed after the test. */
export async function listening(server: Server): Promise<number> {
  open.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

async function receive(incoming: IncomingMessage): Promise<SeenRequest> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  const { method = '', url = '', headers } = incoming;
  return { method, url, headers, body: Buffer.concat(chunks).toString('utf8') };
}

function reply(routes: StaticRoutes, request: SeenRequest, outgoing: ServerResponse): void {
  const route = routes[`${request.method} ${request.url.split('?', 1)[0]}`] ?? { status: 404, body: '' };
  const { status = 200, headers = {}, body } = typeof route === 'function' ? route(request) : route;
  outgoing.writeHead(status, headers).end(body);
}

function stop(server: Server): Promise<void> {
  server.closeAllConnections();
  return new Promise((resolve) => {
    server.close(() => resolve());
  });
}
