import { spawn } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import { join } from 'node:path';
import type { Duplex } from 'node:stream';
import { z } from 'zod';
import { requireTool } from '../tools.ts';
import { get } from './api.ts';
import { containerId } from './container.ts';
import { certificateFile, clusterFolder, podFolder } from './places.ts';

/** Port of the server that the API server requests for logs and commands. All nodes share it. */
const kubeletPort = 10_250;

/** Fields of a node's status with which the API server finds the server, and sends it web sockets. */
export const kubeletStatus = {
  addresses: [{ type: 'InternalIP', address: '127.0.0.1' }],
  daemonEndpoints: { kubeletEndpoint: { Port: kubeletPort } },
  declaredFeatures: ['ExtendWebSocketsToKubelet'],
} as const;

/** Channels of the protocol `v5.channel.k8s.io`: the first byte of each message. */
const channels = { stdout: 1, stderr: 2, status: 3 } as const;
const settings = z.object({ process: z.looseObject({}) });
const handshake = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';

/** Serves `kubectl logs` and `kubectl exec` without standard input. `kubectl port-forward` would need SPDY. */
export async function serveKubelet(): Promise<Server> {
  const cert = readFileSync(certificateFile);
  const server = createServer({ cert, key: readFileSync(join(clusterFolder, 'tls.key')) }, (request, reply) => {
    sendLog(request, reply).catch((error: unknown) => reply.writeHead(500).end(String(error)));
  });
  server.on('upgrade', (request, socket) => {
    socket.on('error', () => socket.destroy());
    execute(request, socket).catch((error: unknown) => socket.destroy(new Error(String(error))));
  });
  await new Promise<void>((resolve) => {
    server.listen(kubeletPort, '127.0.0.1', resolve);
  });
  return server;
}

interface Target {
  readonly verb: string;
  readonly uid: string;
  readonly container: string;
  readonly query: URLSearchParams;
}

/** Container that a request names, in the form `/VERB/NAMESPACE/POD/CONTAINER`. */
async function targetOf({ url }: IncomingMessage): Promise<Target> {
  const { pathname, searchParams: query } = new URL(url ?? '/', 'https://kubelet');
  const [, verb = '', namespace = '', pod = '', container = ''] = pathname.split('/');
  const { metadata } = await get(`/api/v1/namespaces/${namespace}/pods/${pod}`);
  return { verb, uid: metadata.uid, container, query };
}

async function sendLog(request: IncomingMessage, reply: ServerResponse): Promise<void> {
  const { verb, uid, container } = await targetOf(request);
  if (verb !== 'containerLogs') reply.writeHead(404).end();
  else reply.end(await readFile(join(podFolder(uid), `${container}.log`)));
}

/** Runs the command of a request in its container, and sends its output and its exit code. */
async function execute(request: IncomingMessage, socket: Duplex): Promise<void> {
  const { verb, uid, container, query } = await targetOf(request);
  if (verb !== 'exec') throw new Error(`${verb} is not supported`);
  const accept = createHash('sha1').update(`${request.headers['sec-websocket-key']}${handshake}`).digest('base64');
  const head = ['HTTP/1.1 101 Switching Protocols', 'Upgrade: websocket', 'Connection: Upgrade'];
  const answer = [`Sec-WebSocket-Accept: ${accept}`, 'Sec-WebSocket-Protocol: v5.channel.k8s.io'];
  socket.write([...head, ...answer, '', ''].join('\r\n'));
  const file = await processFile(uid, container, query.getAll('command'));
  const args = ['exec', '--process', file, containerId(uid, container)];
  const child = spawn(requireTool('crun'), args, { stdio: ['ignore', 'pipe', 'pipe'] });
  child.stdout.on('data', (data: Buffer) => socket.write(message(channels.stdout, data)));
  child.stderr.on('data', (data: Buffer) => socket.write(message(channels.stderr, data)));
  child.on('close', (code) => {
    socket.write(message(channels.status, Buffer.from(JSON.stringify(statusOf(code)))));
    // A close frame without a reason.
    socket.end(Buffer.from([0x88, 0x02, 0x03, 0xe8]));
  });
}

/** Writes the description of a process that runs a command as the user of its container, and returns its path. */
async function processFile(uid: string, container: string, command: readonly string[]): Promise<string> {
  const bundle = join(podFolder(uid), `bundle-${container}`);
  const { process: own } = settings.parse(JSON.parse(await readFile(join(bundle, 'config.json'), 'utf8')));
  const path = join(bundle, `${randomUUID()}.json`);
  await writeFile(path, JSON.stringify({ ...own, args: command }));
  return path;
}

/** Result of a command as a `Status` of Kubernetes. */
function statusOf(code: number | null): object {
  const kind = { kind: 'Status', apiVersion: 'v1', metadata: {} };
  if (code === 0) return { ...kind, status: 'Success' };
  const causes = [{ reason: 'ExitCode', message: String(code ?? 137) }];
  return { ...kind, status: 'Failure', reason: 'NonZeroExitCode', message: 'the command failed', details: { causes } };
}

/** Binary frame of a web socket with one message of a channel. */
function message(channel: number, data: Buffer): Buffer {
  const length = data.length + 1;
  const head = length < 126 ? Buffer.from([0x82, length]) : Buffer.alloc(10);
  if (length >= 126) {
    head.writeUInt16BE(0x827f);
    head.writeBigUInt64BE(BigInt(length), 2);
  }
  return Buffer.concat([head, Buffer.from([channel]), data]);
}
