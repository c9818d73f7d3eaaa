import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { z } from 'zod';

/**
 * Registry on this machine that accepts `npm publish`, and serves what was published to `npm view` and `npm install`. It has no
 * users and no signatures.
 */
const publication = z.looseObject({
  name: z.string(),
  versions: z.record(z.string(), z.unknown()),
  _attachments: z.record(z.string(), z.object({ data: z.base64() })),
});
const packages = new Map<string, Buffer>();
const archives = new Map<string, Buffer>();

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const path = decodeURIComponent((request.url ?? '/').slice(1));
  if (request.method === 'PUT') keep(path, publication.parse(JSON.parse(await text(request))));
  const found = packages.get(path) ?? archives.get(path.replace(/^.*\//, ''));
  response.writeHead(found === undefined ? 404 : 200).end(found ?? '{}');
}

function keep(path: string, { _attachments: attached, ...document }: z.infer<typeof publication>): void {
  packages.set(path, Buffer.from(JSON.stringify(document)));
  for (const [name, { data }] of Object.entries(attached)) archives.set(name, Buffer.from(data, 'base64'));
}

const server = createServer((request, response) => {
  answer(request, response).catch((error: unknown) => response.writeHead(400).end(String(error)));
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  if (address !== null && typeof address === 'object') process.stderr.write(`serving on port ${address.port}\n`);
});
