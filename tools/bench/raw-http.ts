import { createConnection, type Socket } from 'node:net';

/** HTTP response without decompression. */
export interface RawHttpResponse {
  readonly status: number;
  readonly body: Buffer;
}

const headEnd = '\r\n\r\n';
const lastChunk = Buffer.from('0\r\n\r\n');

/** Buffer for the largest page of the benchmark, with its chunk headers. */
const memory = Buffer.allocUnsafeSlow(64 * 1_048_576);

/**
 * Sends requests over one connection and reads responses into preallocated memory. Node's client creates an object for each
 * 64 KiB, which takes longer for pages of 12 MB than the fastest candidates take to respond.
 */
export class RawHttpConnection {
  readonly #url: URL;
  readonly #socket: Socket;
  #length = 0;
  #headers: Headers | undefined;
  #answered: (() => void) | undefined;
  #failed: ((error: Error) => void) | undefined;

  constructor(url: string) {
    this.#url = new URL(url);
    const onread = { buffer: Buffer.allocUnsafeSlow(1_048_576), callback: this.#read.bind(this) };
    this.#socket = createConnection({ host: this.#url.hostname, port: Number(this.#url.port), onread, noDelay: true });
    this.#socket.on('error', (error) => this.#failed?.(error));
    this.#socket.on('close', () => this.#failed?.(new Error(`${url} closed the connection`)));
  }

  /** Whether a further request can be sent. */
  get open(): boolean {
    return !this.#socket.destroyed && this.#socket.readyState !== 'readOnly' && this.#socket.readyState !== 'closed';
  }

  /** Sends a request; resolves at the last byte. Call {@link responseBytes} before the next request, which uses the same memory. */
  request(headers: Readonly<Record<string, string>>): Promise<void> {
    const { pathname, search, host } = this.#url;
    const lines = Object.entries({ host, ...headers }).map(([name, value]) => `${name}: ${value}\r\n`);
    this.#length = 0;
    this.#headers = undefined;
    return new Promise((resolve, reject) => {
      this.#answered = resolve;
      this.#failed = reject;
      this.#socket.write(`GET ${pathname}${search} HTTP/1.1\r\n${lines.join('')}\r\n`);
    });
  }

  /** Returns the received response, copied. */
  responseBytes(): RawHttpResponse {
    const { bodyAt, status, length } = this.#headers ?? unread();
    const body = memory.subarray(bodyAt, this.#length);
    return { status, body: length === undefined ? withoutChunks(body) : Buffer.from(body) };
  }

  /** Closes the connection. */
  close(): void {
    this.#failed = undefined;
    this.#socket.destroy();
  }

  #read(length: number, from: Uint8Array): boolean {
    memory.set(from.subarray(0, length), this.#length);
    this.#length += length;
    this.#headers ??= headersOf(memory.subarray(0, this.#length));
    if (this.#headers !== undefined && isWhole(this.#headers, memory.subarray(0, this.#length))) this.#answered?.();
    return true;
  }
}

interface Headers {
  readonly status: number;
  readonly bodyAt: number;
  /** Length of the body; undefined for a chunked body. */
  readonly length: number | undefined;
}

function unread(): never {
  throw new Error('nothing was asked');
}

function headersOf(bytes: Buffer): Headers | undefined {
  const end = bytes.indexOf(headEnd);
  if (end < 0) return undefined;
  const head = bytes.toString('latin1', 0, end);
  const length = /^content-length: (\d+)/im.exec(head)?.[1];
  const bodyAt = end + headEnd.length;
  return { status: Number(head.split(' ')[1]), bodyAt, length: length === undefined ? undefined : Number(length) };
}

function isWhole({ bodyAt, length }: Headers, bytes: Buffer): boolean {
  if (length !== undefined) return bytes.length - bodyAt >= length;
  return bytes.subarray(-lastChunk.length).equals(lastChunk);
}

function withoutChunks(bytes: Buffer): Buffer {
  const chunks: Buffer[] = [];
  let at = 0;
  for (;;) {
    const end = bytes.indexOf('\r\n', at);
    const length = Number.parseInt(bytes.toString('latin1', at, end), 16);
    if (Number.isNaN(length)) throw new Error('the chunks of an answer do not fit together');
    if (length === 0) return Buffer.concat(chunks);
    chunks.push(bytes.subarray(end + 2, end + 2 + length));
    at = end + 2 + length + 2;
  }
}
