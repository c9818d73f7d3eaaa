import type { IncomingMessage, ServerResponse } from 'node:http';
import type { IncomingRequest } from '../kernel/listener.ts';

/** A request that its sender must change: the listener answers `status` with `message`. */
export class RefusedRequest extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** Shows a message of node:http as the port's request. Throws {@link RefusedRequest} for a target that is no path. */
export function incoming(message: IncomingMessage, response: ServerResponse): IncomingRequest {
  const { path, query } = target(message.url ?? '');
  return {
    method: message.method ?? '',
    path,
    query,
    headers: joined(message.headersDistinct),
    remoteAddress: message.socket.remoteAddress ?? '',
    gone: gone(response),
    text: (maxBytes) => text(message, maxBytes),
  };
}

/** Whether the sender announced a body, read or not. */
export function announcesBody(message: IncomingMessage): boolean {
  return message.headers['transfer-encoding'] !== undefined || Number(message.headers['content-length'] ?? 0) > 0;
}

function target(url: string): { readonly path: string; readonly query: URLSearchParams } {
  const split = /^(\/[^?#]*)(?:\?([^#]*))?/.exec(url);
  if (split === null) throw new RefusedRequest(400, 'The request target is not a path.');
  try {
    return { path: decodeURIComponent(split[1] ?? '/'), query: new URLSearchParams(split[2] ?? '') };
  } catch {
    throw new RefusedRequest(400, 'The path is not correctly percent-encoded.');
  }
}

function joined(headers: NodeJS.Dict<string[]>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(headers).map(([name, values = []]) => [name, values.join(', ')]));
}

function gone(response: ServerResponse): AbortSignal {
  const controller = new AbortController();
  response.once('close', () => {
    if (!response.writableFinished) controller.abort();
  });
  return controller.signal;
}

async function text(message: IncomingMessage, maxBytes: number): Promise<string> {
  const tooLarge = new RefusedRequest(413, `The body is larger than ${maxBytes} bytes.`);
  if (Number(message.headers['content-length'] ?? 0) > maxBytes) throw tooLarge;
  const chunks: Uint8Array[] = [];
  let length = 0;
  // Leaving the loop early must not destroy the message: its socket still has to carry the 413.
  for await (const chunk of message.iterator({ destroyOnReturn: false })) {
    const bytes: Uint8Array = chunk;
    length += bytes.length;
    if (length > maxBytes) throw tooLarge;
    chunks.push(bytes);
  }
  return Buffer.concat(chunks).toString('utf8');
}
