import { connect } from 'node:net';
import { afterEach } from 'vitest';
import type { BoundListener, OutgoingReply, RequestHandler } from '../../src/kernel/listener.ts';
import { listen } from '../../src/runtime/listener.ts';
import { recordingLogger } from './logger.ts';

/** Listener on loopback with its address. */
export interface Served extends BoundListener {
  readonly url: string;
}

const open: BoundListener[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((server) => server.close(0)));
});

/** Registers a listener, which is closed after the test. */
export function served(server: BoundListener, scheme = 'http'): Served {
  open.push(server);
  return { ...server, url: `${scheme}://127.0.0.1:${server.port}` };
}

/** Opens the real listener on a free port of loopback until the end of the test. */
export async function serve(handler: RequestHandler, log = recordingLogger()): Promise<Served> {
  return served(await listen({ host: '127.0.0.1', port: 0, handler, log }));
}

/** Returns a handler with the same reply to every request. */
export function fixedReply(reply: Partial<OutgoingReply>): RequestHandler {
  return async () => ({ status: 200, ...reply });
}

/** Yields a body in chunks. */
export async function* pieces(...texts: readonly string[]): AsyncGenerator<Uint8Array> {
  for (const text of texts) yield Buffer.from(text);
}

/** Sends raw bytes, and returns all received text until the connection ends, with its error if there is one. */
export function sendRaw(port: number, bytes: string): Promise<{ readonly text: string; readonly error?: string }> {
  return new Promise((resolve) => {
    let text = '';
    let error: string | undefined;
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes));
    socket.setEncoding('utf8');
    socket.on('data', (chunk: string) => {
      text += chunk;
    });
    socket.on('error', (cause: NodeJS.ErrnoException) => {
      error = cause.code ?? cause.message;
    });
    socket.on('close', () => resolve(error === undefined ? { text } : { text, error }));
  });
}
