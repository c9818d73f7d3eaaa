import type { Socket } from 'node:net';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

/** What an evil node sends for one path; the connection stays open after the last piece if it `hangs`. */
export interface EvilReply {
  readonly pieces: readonly (string | Uint8Array)[];
  readonly hangs?: boolean;
  /** Repeats the last piece every few milliseconds, or every second. */
  readonly drips?: boolean | 'slowly';
}

/** Hostile behaviour of a node on every path. */
export type EvilBehaviour = (path: string) => EvilReply;

/** Path of a request by its first line. */
export function pathOf(request: string): string | undefined {
  return /^(?:GET|POST) (\S+) HTTP/.exec(request)?.[1];
}

/** Sends a reply over a connection. */
export function sendEvilReply(socket: Socket, { pieces, hangs = false, drips = false }: EvilReply): void {
  for (const piece of pieces) socket.write(piece);
  const last = pieces.at(-1);
  if (!hangs) socket.end();
  if (!drips || last === undefined) return;
  const timer = setInterval(() => socket.writableNeedDrain || socket.write(last), drips === 'slowly' ? 1000 : 5);
  socket.once('close', () => clearInterval(timer));
}

export const mebibyte = 1_048_576;
export const ok = 'HTTP/1.1 200 OK\r\n';
export const json = 'content-type: application/json\r\n';
export const closes = 'connection: close\r\n';

/** Members that hold the list of a reply, by a part of the path. */
const listMembers: readonly (readonly [string, string])[] = [
  ['current-service-status', 'ServiceStatusEvents'],
  ['cpu-memory', 'CPUMemoryMetrics'],
  ['diskspace', 'DiskMetrics'],
  ['get/network', 'NetworkMetrics'],
  ['get/qps', 'QPSMetrics'],
  ['queuestatus', 'WorkloadQueueStatusByInstances'],
  ['schema/graphs', 'graphs'],
];

function withBody(body: string | Uint8Array, headers = json): EvilReply {
  const bytes = typeof body === 'string' ? Buffer.from(body) : body;
  return { pieces: [`${ok}${headers}${closes}content-length: ${bytes.length}\r\n\r\n`, bytes] };
}

const gzip = `${json}content-encoding: gzip\r\n`;
const compressed = (body: string): Uint8Array => gzipSync(body, { level: 1 });

/** A body that takes time to make: it is made for the first reply. */
const once = <Made>(make: () => Made): (() => Made) => {
  let made: { readonly value: Made } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
};

/** The same compressed body for all paths. */
export const gzipped = (build: () => string): EvilBehaviour => text(() => compressed(build()), gzip);

/** A valid envelope with `list` where the list of the endpoint belongs. */
export function envelope(path: string, list: string): string {
  const member = listMembers.find(([part]) => path.includes(part))?.[1] ?? 'results';
  if (path.includes('data_consistency')) return `{"error":false,"results":{"GPESelfCheck":${list},"GPEGSECheck":[]}}`;
  return `{"error":false,"message":"pong","${member}":${list}}`;
}

export const inEnvelope =
  (list: string): EvilBehaviour =>
  (path) =>
    withBody(envelope(path, list));
export const inLargeEnvelope = (list: () => string): EvilBehaviour => {
  const madeList = once(list);
  const known = new Map<string, Uint8Array>();
  return (path) => {
    // Paths with the same envelope have the same body.
    const key = envelope(path, '');
    const bytes = known.get(key) ?? compressed(envelope(path, madeList()));
    known.set(key, bytes);
    return withBody(bytes, gzip);
  };
};
export const text = (body: string | Uint8Array | (() => Uint8Array), headers?: string): EvilBehaviour => {
  const bodyOf = typeof body === 'function' ? once(body) : () => body;
  return () => withBody(bodyOf(), headers);
};
export const raw =
  (...pieces: readonly (string | Uint8Array)[]): EvilBehaviour =>
  () => ({ pieces });
export const page = (body: () => string): EvilBehaviour => {
  const bytes = once(() => compressed(body()));
  return (path) =>
    isPage(path)
      ? withBody(bytes(), 'content-type: text/plain\r\ncontent-encoding: gzip\r\n')
      : withBody(envelope(path, '[]'));
};

/** A body that is made for each reply, with the number of the reply. */
export const fresh = (body: (path: string, count: number) => string): EvilBehaviour => {
  let count = 0;
  return (path) => {
    count += 1;
    return withBody(compressed(body(path, count)), 'content-encoding: gzip\r\n');
  };
};
export const isPage = (path: string): boolean => path.includes('informant/metrics') && !path.includes('get/');

export const times = (count: number, part: (at: number) => string, between = ''): string =>
  Array.from({ length: count }, (_, at) => part(at)).join(between);
/** With an instance that no other node has: the guard does not act on a node whose instance another one claims. */
export const entry = (at: number, more = ''): string =>
  `{"requestid":"${at}.RESTPP_9_9.1790000000000.N","url":"/query/g/q?a=${at}","elapsedTime":5,"startTime":"2026-01-01 00:00:00.000","expirationTime":"2026-01-01 00:01:00.000"${more}}`;
export const nested = (open: string, levels: number, inner: string, close: string): string =>
  open.repeat(levels) + inner + close.repeat(levels);

export const brotliBomb = (): Uint8Array =>
  brotliCompressSync(Buffer.alloc(200 * mebibyte), { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } });
/** The name of the file in the header has no end. */
export const longGzipHeader = (): Uint8Array =>
  Buffer.concat([Buffer.from([0x1f, 0x8b, 8, 8, 0, 0, 0, 0, 0, 3]), Buffer.alloc(10 * mebibyte, 120)]);
