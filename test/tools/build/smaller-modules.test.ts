import { execFileSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'rolldown';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { smallerModules } from '../../../tools/build/smaller-modules.ts';

/**
 * Sends a request to a server of its own, directly and through a proxy, also with a tunnel, and prints the replies, the tunnels and the
 * loaded modules.
 */
const program = `
import { createServer } from 'node:http';
import { openHttpPool } from '${join(process.cwd(), 'src/runtime/http-pool.ts')}';

const server = createServer((request, response) => response.end(request.method + ' ' + request.url));
const proxy = createServer((request, response) => response.end('by proxy: ' + request.url));
const tunnels = [];
proxy.on('connect', (request, socket) => {
  tunnels.push(request.url);
  socket.end('HTTP/1.1 403 Forbidden\\r\\n\\r\\n');
});
for (const one of [server, proxy]) await new Promise((resolve) => one.listen(0, '127.0.0.1', resolve));
const origin = 'http://127.0.0.1:' + server.address().port;
const url = 'http://127.0.0.1:' + proxy.address().port;
const replies = [];
const through = { sockets: 1, proxy: { kind: 'url', url } };
for (const options of [
  { origin, sockets: 1 },
  { origin, sockets: 2, oneAddress: true },
  { origin: 'http://other.example', ...through },
  { origin: 'https://other.example', ...through },
]) {
  const pool = openHttpPool(options);
  const request = { method: 'POST', path: '/path', headers: {}, body: 'text', maxBytes: 1000 };
  const reply = await pool.request(request, AbortSignal.timeout(10_000));
  replies.push(reply.ok ? Buffer.from(reply.value.body).toString() : reply.error.message);
  await pool.close();
}
console.log(JSON.stringify({ replies, tunnels, modules: process.moduleLoadList }));
process.exit(0);
`;

describe('smaller modules of the bundle', () => {
  let folder: string;
  let found: Record<'replies' | 'tunnels' | 'modules', readonly string[]>;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'graphwarden-modules-'));
    await writeFile(join(folder, 'program.ts'), program);
    const output = { format: 'esm', file: join(folder, 'program.mjs'), codeSplitting: false } as const;
    await build({ platform: 'node', plugins: [smallerModules], input: join(folder, 'program.ts'), output });
    const env = { ...process.env, UNDICI_USE_MILO: '1' };
    found = JSON.parse(execFileSync(process.execPath, [join(folder, 'program.mjs')], { encoding: 'utf8', env }));
  }, 60_000);

  afterAll(() => rm(folder, { recursive: true }));

  it('sends requests without the unused parts of undici, such as the parser that the environment selects', () => {
    expect(found.replies.slice(0, 3)).toEqual(['POST /path', 'POST /path', 'by proxy: http://other.example/path']);
  });

  it('opens a tunnel for https through a proxy', () => {
    expect(found.tunnels).toEqual(['other.example:443']);
    expect(found.replies[3]).toContain('the proxy refused to connect');
  });

  it("loads neither Node's own copy of undici nor HTTP/2", () => {
    expect(found.modules.filter((name) => /deps\/undici|internal\/http2/.test(name))).toEqual([]);
  });
});
