import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { z } from 'zod';

/**
 * Registry on this machine that accepts `npm publish` and answers `npm view`. It is no npm registry otherwise: it has no
 * tarballs, users or signatures.
 */
const publication = z.looseObject({ name: z.string(), versions: z.record(z.string(), z.unknown()) });
const packages = new Map<string, z.infer<typeof publication>>();

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const name = decodeURIComponent((request.url ?? '/').slice(1));
  if (request.method === 'PUT') packages.set(name, publication.parse(JSON.parse(await text(request))));
  const found = packages.get(name);
  response.writeHead(found === undefined ? 404 : 200, { 'content-type': 'application/json' });
  response.end(JSON.stringify(found ?? {}));
}

const server = createServer((request, response) => {
  answer(request, response).catch((error: unknown) => response.writeHead(400).end(String(error)));
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  if (address !== null && typeof address === 'object') process.stderr.write(`serving on port ${address.port}\n`);
});
