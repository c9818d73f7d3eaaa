import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
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

/** Subprotocol of the web sockets. The first byte of each message is its channel. */
const protocol = 'v5.channel.k8s.io';
const channels = { stdin: 0, stdout: 1, stderr: 2, status: 3, close: 255 } as const;
const settings = z.object({ process: z.looseObject({}) });

/** Serves `kubectl logs` and `kubectl exec` without terminals. `kubectl port-forward` would need SPDY. */
export async function serveKubelet(): Promise<Server> {
  const cert = readFileSync(certificateFile);
  const server = createServer({ cert, key: readFileSync(join(clusterFolder, 'tls.key')) }, (request, reply) => {
    sendLog(request, reply).catch((error: unknown) => reply.writeHead(500).end(String(error)));
  });
  const sockets = new WebSocketServer({ noServer: true, handleProtocols: () => protocol });
  server.on('upgrade', (request, connection, head) => {
    sockets.handleUpgrade(request, connection, head, (socket) => {
      socket.on('error', () => socket.terminate());
      execute(request, socket).catch((error: unknown) => socket.close(1011, String(error).slice(0, 100)));
    });
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

/** Runs the command of a request in its container with the input of the socket, and sends its output and exit code. */
async function execute(request: IncomingMessage, socket: WebSocket): Promise<void> {
  const input = new PassThrough();
  // The first message may arrive while the pod is looked up.
  socket.on('message', (data: Buffer) => {
    const content = data.subarray(1);
    if (data[0] === channels.stdin) input.write(content);
    else if (data[0] === channels.close && content[0] === channels.stdin) input.end();
  });
  const { verb, uid, container, query } = await targetOf(request);
  if (verb !== 'exec') throw new Error(`${verb} is not supported`);
  const file = await processFile(uid, container, query.getAll('command'));
  const args = ['exec', '--process', file, containerId(uid, container)];
  const child = spawn(requireTool('crun'), args);
  child.stdin.on('error', () => input.destroy());
  if (query.get('input') === '1') input.pipe(child.stdin);
  else child.stdin.end();
  const send = (channel: number, data: Buffer): void => socket.send(Buffer.concat([Buffer.from([channel]), data]));
  child.stdout.on('data', (data: Buffer) => send(channels.stdout, data));
  child.stderr.on('data', (data: Buffer) => send(channels.stderr, data));
  child.on('close', (code) => {
    send(channels.status, Buffer.from(JSON.stringify(statusOf(code))));
    socket.close(1000);
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
