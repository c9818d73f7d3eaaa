import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { connect } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type ConnectionLimit, trackConnections } from '../../src/runtime/connections.ts';
import { eventually } from '../support/child.ts';
import { recordingLogger } from '../support/logger.ts';

/** A server with a limit of three connections, which answers `/now` at once, and other paths after `release`. */
async function setUp() {
  const log = recordingLogger();
  const closed: string[] = [];
  const release = Promise.withResolvers<void>();
  const begun: string[] = [];
  const server = createServer();
  const limit: ConnectionLimit = { max: () => 3, onClosed: (reason) => closed.push(reason), log };
  const tracker = trackConnections(server, limit);
  const handle = async (message: IncomingMessage, response: ServerResponse): Promise<void> => {
    await tracker.begin(message, response);
    if (message.socket.destroyed) return;
    begun.push(message.url ?? '');
    if (message.url !== '/now') await release.promise;
    response.end('done');
  };
  server.on('request', (message, response) => void handle(message, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => tracker.close(0));
  let opened = 0;
  server.on('connection', () => {
    opened += 1;
  });
  const { port } = boundAddress(server.address());
  return { server, log, closed, begun, release, tracker, open: () => openConnection(port, () => opened) };
}

function boundAddress(address: string | AddressInfo | null): AddressInfo {
  if (address === null || typeof address === 'string') throw new Error('not bound');
  return address;
}

/** Connects, and waits until the server has accepted. */
async function openConnection(port: number, opened: () => number) {
  const before = opened();
  const socket = connect(port, '127.0.0.1');
  let text = '';
  let isClosed = false;
  socket.on('error', () => undefined);
  socket.on('close', () => {
    isClosed = true;
  });
  socket.on('data', (chunk: Buffer) => {
    text += chunk.toString();
  });
  onTestFinished(() => void socket.destroy());
  await eventually('the connection is accepted', async () => opened() > before);
  return { socket, isClosed: () => isClosed, text: () => text };
}

function sendRequests(socket: Socket, ...paths: readonly string[]): void {
  socket.write(paths.map((path) => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`).join(''));
}

describe('trackConnections', () => {
  it('closes the connection that was idle for the longest time at the limit', async () => {
    const { log, closed, open } = await setUp();
    const [first, second, third] = [await open(), await open(), await open()];
    sendRequests(first.socket, '/now');
    await eventually('it is answered', async () => first.text().endsWith('done'));
    const fourth = await open();
    await eventually('one is closed', async () => second.isClosed());
    expect([first, third, fourth].map(({ isClosed }) => isClosed())).toEqual([false, false, false]);
    await open();
    await eventually('one is closed', async () => third.isClosed());
    expect(closed).toEqual(['idle', 'idle']);
    const fields = { reason: 'idle', limit: 3 };
    expect(log.lines).toEqual([{ level: 'warn', message: 'connection limit reached', fields }]);
  });

  it('closes the connection with the slowest answer if no connection is idle, and answers the next client', async () => {
    const { closed, open } = await setUp();
    const busy = [await open(), await open(), await open()];
    for (const { socket } of busy) sendRequests(socket, '/later');
    const last = await open();
    sendRequests(last.socket, '/now');
    await eventually('it is answered', async () => last.text().endsWith('done'));
    expect(busy.filter(({ isClosed }) => isClosed())).toHaveLength(1);
    expect(closed).toHaveLength(1);
  });

  it('begins one request of a connection after the other', async () => {
    const { begun, release, open } = await setUp();
    const [one, other] = [await open(), await open()];
    sendRequests(one.socket, '/first', '/second', '/now');
    await eventually('the first one begins', async () => begun.length > 0);
    sendRequests(other.socket, '/now');
    await eventually('another connection is answered', async () => other.text().endsWith('done'));
    expect(begun).toEqual(['/first', '/now']);
    release.resolve();
    await eventually('all are answered', async () => one.text().split('done').length === 4);
    expect(begun).toEqual(['/first', '/now', '/second', '/now']);
  });

  it('closes a connection with more requests than the limit, and starts no waiting request', async () => {
    const { begun, closed, log, release, open } = await setUp();
    const [one, other] = [await open(), await open()];
    sendRequests(one.socket, '/first', ...Array.from({ length: 5000 }, () => '/now'));
    await eventually('it is closed', async () => one.isClosed());
    release.resolve();
    sendRequests(other.socket, '/other');
    await eventually('another connection is answered', async () => other.text().endsWith('done'));
    expect(begun).not.toContain('/now');
    expect(closed).toEqual(['pipelined']);
    const fields = { reason: 'pipelined', limit: 10 };
    expect(log.lines).toEqual([{ level: 'warn', message: 'connection limit reached', fields }]);
  });

  it('logs that connections are not accepted, and answers others', async () => {
    const { server, log, open } = await setUp();
    const error = new Error('accept EMFILE');
    for (let times = 0; times < 2; times += 1) server.emit('error', error);
    expect(log.lines).toEqual([{ level: 'warn', message: 'connection not accepted', fields: { error } }]);
    const one = await open();
    sendRequests(one.socket, '/now');
    await eventually('it is answered', async () => one.text().endsWith('done'));
  });

  it('keeps answers in progress until they end when it closes', async () => {
    const { release, tracker, open } = await setUp();
    const [idle, busy] = [await open(), await open()];
    sendRequests(busy.socket, '/later');
    sendRequests(idle.socket, '/now');
    await eventually('one is answered', async () => idle.text().endsWith('done'));
    const end = tracker.close(60_000);
    await eventually('the idle one is closed', async () => idle.isClosed());
    expect(busy.isClosed()).toBe(false);
    release.resolve();
    await end;
    await eventually('the answer arrives', async () => busy.text().endsWith('done'));
  });
});
