import { Agent, createServer, get, type IncomingMessage } from 'node:http';
import { gzip } from 'node:zlib';

/**
 * Exporter in plain Node: requests the page of the upstream at an interval, compresses it once in the thread pool, and serves
 * both forms from memory. It does not parse the page.
 */
const [port = '0', everyMs = '2000'] = process.argv.slice(2);
const agent = new Agent({ keepAlive: true });
const headers = { 'user-agent': 'raw-node' };
const page: { plain: Buffer; packed: Buffer } = { plain: Buffer.alloc(0), packed: Buffer.alloc(0) };

function poll(): void {
  get({ agent, host: '127.0.0.1', port, path: '/informant/metrics', headers }, receive);
}

function receive(reply: IncomingMessage): void {
  const chunks: Buffer[] = [];
  reply.on('data', (chunk: Buffer) => chunks.push(chunk));
  reply.on('end', () => {
    const plain = Buffer.concat(chunks);
    gzip(plain, (error, packed) => {
      if (error === null) Object.assign(page, { plain, packed });
    });
  });
}

poll();
setInterval(poll, Number(everyMs));

const server = createServer((request, response) => {
  const isPacked = request.headers['accept-encoding']?.includes('gzip') === true;
  response.setHeader('content-type', 'text/plain; version=0.0.4');
  if (isPacked) response.setHeader('content-encoding', 'gzip');
  response.end(isPacked ? page.packed : page.plain);
});

server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  if (address !== null && typeof address === 'object') process.send?.({ port: address.port });
});
