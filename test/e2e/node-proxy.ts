import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';

/** What a proxy does with one request: it hands it on to another server, or answers for itself. */
export type Handling = { readonly to: string } | { readonly says: unknown };

/** A small reverse proxy on loopback. */
export interface NodeProxy {
  readonly url: string;
  close(): Promise<void>;
}

/** Opens a proxy that calls `handle` for each path. It keeps connections open unless `keepsAlive` is false. */
export async function openProxy(
  handle: (path: string) => Handling | Promise<Handling>,
  { keepsAlive = true }: { readonly keepsAlive?: boolean } = {},
): Promise<NodeProxy> {
  const server = createServer((incoming, answer) => {
    answer.shouldKeepAlive &&= keepsAlive;
    void pass(incoming, answer, handle);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('a proxy has a port');
  return {
    url: `http://127.0.0.1:${address.port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function pass(incoming: IncomingMessage, answer: ServerResponse, handle: Parameters<typeof openProxy>[0]) {
  const { url: path = '/', method, headers } = incoming;
  const handling = await handle(path);
  if ('says' in handling) {
    answer.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(handling.says));
    return;
  }
  const forward = request(`${handling.to}${path}`, { method, headers: { ...headers, host: 'node' } }, (reply) => {
    const { connection: _, 'keep-alive': __, ...headersOfReply } = reply.headers;
    answer.writeHead(reply.statusCode ?? 502, headersOfReply);
    reply.pipe(answer);
  });
  forward.on('error', () => {
    // Nothing can be said of a reply that breaks off.
    if (answer.headersSent) answer.destroy();
    else answer.writeHead(502).end();
  });
  incoming.pipe(forward);
}
