import { createServer } from 'node:http';
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
  const server = createServer(({ url }, response) => {
    void (url === '/now' ? Promise.resolve() : release.promise).then(() => response.end('done'));
  });
  const limit: ConnectionLimit = { max: () => 3, onClosed: (reason) => closed.push(reason), log };
  const tracker = trackConnections(server, limit);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => tracker.close(0));
  let opened = 0;
  server.on('connection', () => {
    opened += 1;
  });
  const { port } = boundAddress(server.address());
  return { log, closed, release, tracker, open: () => openConnection(port, () => opened) };
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

function ask(socket: Socket, path: string): void {
  socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
}

describe('trackConnections', () => {
  it('closes the connection that was idle for the longest time at the limit', async () => {
    const { log, closed, open } = await setUp();
    const [first, second, third] = [await open(), await open(), await open()];
    ask(first.socket, '/now');
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

  it('closes the connection with the slowest answer if none is idle, and answers the next client', async () => {
    const { closed, open } = await setUp();
    const busy = [await open(), await open(), await open()];
    for (const { socket } of busy) ask(socket, '/later');
    const last = await open();
    ask(last.socket, '/now');
    await eventually('it is answered', async () => last.text().endsWith('done'));
    expect(busy.filter(({ isClosed }) => isClosed())).toHaveLength(1);
    expect(closed).toHaveLength(1);
  });

  it('keeps answers in progress until they end when it closes', async () => {
    const { release, tracker, open } = await setUp();
    const [idle, busy] = [await open(), await open()];
    ask(busy.socket, '/later');
    ask(idle.socket, '/now');
    await eventually('one is answered', async () => idle.text().endsWith('done'));
    const end = tracker.close(60_000);
    await eventually('the idle one is closed', async () => idle.isClosed());
    expect(busy.isClosed()).toBe(false);
    release.resolve();
    await end;
    await eventually('the answer arrives', async () => busy.text().endsWith('done'));
  });
});
