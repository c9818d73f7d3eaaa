import { deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import {
  brotliBomb,
  closes,
  type EvilBehaviour,
  entry,
  envelope,
  fresh,
  gzipped,
  inEnvelope,
  inLargeEnvelope,
  isPage,
  json,
  longGzipHeader,
  mebibyte,
  nested,
  ok,
  page,
  raw,
  text,
  times,
} from './evil-reply.ts';

/** JSON that is valid, in the place of a list. */
const jsonBehaviours: Readonly<Record<string, EvilBehaviour>> = {
  'lists nested 9,000 deep': inEnvelope(nested('[', 9000, '', ']')),
  'objects nested 9,000 deep': inEnvelope(nested('{"a":', 9000, '1', '}')),
  'lists nested as deep as allowed': inEnvelope(nested('[', 29, '1', ']')),
  'lists nested a million deep': inLargeEnvelope(() => nested('[', 1_000_000, '', ']')),
  '8,000,000 empty objects': inLargeEnvelope(() => `[${'{},'.repeat(8_000_000)}{}]`),
  '100,000 empty objects': inLargeEnvelope(() => `[${'{},'.repeat(99_999)}{}]`),
  '100,000 numbers': inLargeEnvelope(() => `[${'7,'.repeat(99_999)}7]`),
  '15,000,000 numbers': inLargeEnvelope(() => `[${'7,'.repeat(15_000_000)}7]`),
  'a million long numbers five levels deep': inLargeEnvelope(() =>
    nested('[', 5, `${'12345678901234567,'.repeat(1_000_000)}1`, ']'),
  ),
  'lists of lists of numbers': inLargeEnvelope(() => `[${times(900, () => `[${'1,'.repeat(999)}1]`, ',')}]`),
  'an object with 140,000 keys': inLargeEnvelope(() => `{${times(140_000, (at) => `"k${at}":${at}`, ',')}}`),
  'objects with different keys': inLargeEnvelope(() => `[${times(90_000, (at) => `{"a${at}":1,"b${at}":2}`, ',')}]`),
  'keys __proto__ and constructor': inEnvelope('[{"__proto__":{"requestid":"x"},"constructor":{"prototype":1}}]'),
  'duplicate keys': inEnvelope('[{"requestid":"a","requestid":{},"url":1,"url":"x"}]'),
  'a string of 20 MiB': inLargeEnvelope(() => `["${'x'.repeat(20 * mebibyte)}"]`),
  'a string of escaped quotes': inLargeEnvelope(() => `["${'\\"'.repeat(10 * mebibyte)}"]`),
  'strings of escapes': inLargeEnvelope(() => `[${times(150, () => `"${'\\u0041'.repeat(30_000)}"`, ',')}]`),
  'lone surrogates': inEnvelope('[{"requestid":"\\ud800","url":"\\udfff\\ud800"}]'),
  'NUL and control characters': inEnvelope('[{"requestid":"\\u0000\\u001b[2J","url":"/\\u0007"}]'),
  'bidirectional controls': inEnvelope('[{"requestid":"\\u202e\\u2066","url":"/query/\\u202e/\\u2067"}]'),
  'a number of a million digits': inLargeEnvelope(() => `[${'9'.repeat(1_000_000)}]`),
  'numbers beyond doubles': inEnvelope('[{"requestid":"a","url":"u","elapsedTime":1e999},1e-999,-0]'),
  'a list of nulls': inEnvelope('[null,null,null]'),
  'null for a list': inEnvelope('null'),
  'a string for a list': inEnvelope('"list"'),
  'a number for a list': inEnvelope('7'),
  'true for a list': inEnvelope('true'),
  'wrong types in every field': inEnvelope(
    '[{"requestid":[],"url":{},"elapsedTime":"x","HostID":7,"ServiceDescriptor":[],"PassCheck":{},"UnSyncList":"x","CPU":7,"Memory":[],"Disk":"","Network":null}]',
  ),
  '150,000 queries': inLargeEnvelope(() => `[${times(149_999, (at) => entry(at), ',')}]`),
  'the same id 50,000 times': inLargeEnvelope(() => `[${times(50_000, () => entry(1), ',')}]`),
  '40,000 graphs': inLargeEnvelope(
    () => `[${times(40_000, (at) => `{"graphName":"g${at}","url":"/query/g${at}/q"}`, ',')}]`,
  ),
  'urls of 60 kB': inLargeEnvelope(() => `[${times(300, (at) => entry(at, `,"x":"${'/'.repeat(60_000)}"`), ',')}]`),
  'negative and huge ages': inEnvelope(`[${entry(1).replace(':5,', ':-5,')},${entry(2).replace(':5,', ':1e308,')}]`),
  'impossible dates': inEnvelope(
    `[${entry(1).replaceAll('2026-01', '9999-99')},${entry(2).replaceAll('2026', '275760')}]`,
  ),
  'an unsynced list of 149,000 vertices': inLargeEnvelope(
    () => `[{"PassCheck":false,"UnSyncList":[${'1,'.repeat(148_999)}1]}]`,
  ),
  'identities that never repeat': inLargeEnvelope(
    () =>
      `[${times(19_000, (at) => `{"HostID":"h${Math.random()}","ServiceDescriptor":{"ServiceName":"S${at}","Partition":${at},"Replica":${at}},"ServiceStatus":"Online"}`, ',')}]`,
  ),
};

/** Bodies that are no JSON, or no body at all. */
const bodyBehaviours: Readonly<Record<string, EvilBehaviour>> = {
  'a gzip bomb of 200 MiB': text(
    () => gzipSync(Buffer.alloc(200 * mebibyte), { level: 9 }),
    `${json}content-encoding: gzip\r\n`,
  ),
  'gzip in gzip': text(gzipSync(gzipSync('{"error":false}')), `${json}content-encoding: gzip\r\n`),
  'gzip that breaks off': text(
    gzipSync('{"error":false,"results":[]}').subarray(0, 20),
    `${json}content-encoding: gzip\r\n`,
  ),
  'gzip with bytes behind it': text(
    Buffer.concat([gzipSync('{"error":false}'), Buffer.alloc(5000, 7)]),
    `${json}content-encoding: gzip\r\n`,
  ),
  '10,000 gzip members': text(
    () => Buffer.concat(Array<Uint8Array>(10_000).fill(gzipSync(' '))),
    `${json}content-encoding: gzip\r\n`,
  ),
  '40 members of gzip with 5 MiB each': text(
    () => Buffer.concat(Array<Uint8Array>(40).fill(gzipSync(Buffer.alloc(5 * mebibyte)))),
    `${json}content-encoding: gzip\r\n`,
  ),
  'a million empty gzip members': text(
    () => Buffer.alloc(20_000_000, gzipSync('')),
    `${json}content-encoding: gzip\r\n`,
  ),
  'deflate without a header': text(deflateRawSync('{"error":false}'), `${json}content-encoding: deflate\r\n`),
  'a deflate bomb of 200 MiB': text(
    () => deflateSync(Buffer.alloc(200 * mebibyte), { level: 9 }),
    `${json}content-encoding: deflate\r\n`,
  ),
  'plain text declared as gzip': text('{"error":false}', `${json}content-encoding: gzip\r\n`),
  'gzip declared as brotli': text(gzipSync('{}'), `${json}content-encoding: br\r\n`),
  'a brotli bomb of 200 MiB': text(brotliBomb, `${json}content-encoding: br\r\n`),
  'a gzip header with a name of 10 MiB': text(longGzipHeader, `${json}content-encoding: gzip\r\n`),
  'a byte order mark': text('\ufeff{"error":false,"results":[]}'),
  'an unknown encoding': text('{}', `${json}content-encoding: zstd, gzip, gzip\r\n`),
  'bytes that are no UTF-8': text(Buffer.alloc(100_000, 0xfe)),
  'UTF-16 with a byte order mark': text(Buffer.from('\ufeff{"error":false}', 'utf16le')),
  'an HTML page': text('<!doctype html><html>login</html>', 'content-type: text/html\r\n'),
  'no bytes': text(''),
  '30 MiB of blanks': gzipped(() => ' '.repeat(30 * mebibyte)),
  '30 MiB of line feeds': gzipped(() => '\n'.repeat(30 * mebibyte)),
  'JSON that breaks off': text('{"error":false,"results":[{"requestid":'),
  'JSON with more behind it': text('{"error":false,"results":[]}]}{"error"'),
  'only opening brackets': gzipped(() => '[{"a":'.repeat(mebibyte)),
  'only closing brackets': gzipped(() => ']}'.repeat(mebibyte)),
  'a string without end': gzipped(() => `{"error":"${'x'.repeat(10 * mebibyte)}`),
};

/** What HTTP does not allow, or what no client expects. */
const protocolBehaviours: Readonly<Record<string, EvilBehaviour>> = {
  'no reply': () => ({ pieces: [], hangs: true }),
  'headers without end': () => ({ pieces: [`${ok}x: 1\r\n`, 'y: 2\r\n'], hangs: true, drips: true }),
  'a body byte by byte': () => ({
    pieces: [`${ok}${json}content-length: 9999\r\n\r\n`, ' '],
    hangs: true,
    drips: true,
  }),
  'a body with one byte a second': () => ({
    pieces: [`${ok}${json}content-length: 9999\r\n\r\n`, ' '],
    hangs: true,
    drips: 'slowly',
  }),
  'headers with one byte a second': () => ({ pieces: [ok, 'x'], hangs: true, drips: 'slowly' }),
  'a body without end': () => ({
    pieces: [`${ok}${json}${closes}\r\n`, Buffer.alloc(mebibyte, 32)],
    hangs: true,
    drips: true,
  }),
  'a body that is shorter than declared': raw(`${ok}${json}content-length: 5000\r\n\r\n{}`),
  'a body that is longer than declared': raw(`${ok}${json}content-length: 2\r\n\r\n{}{}{}{}`),
  'a negative length': raw(`${ok}${json}content-length: -1\r\n\r\n{}`),
  'two lengths': raw(`${ok}content-length: 2\r\ncontent-length: 3\r\n\r\n{} `),
  'a length and chunks': raw(`${ok}content-length: 2\r\ntransfer-encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n`),
  'a chunk of an impossible size': raw(`${ok}transfer-encoding: chunked\r\n\r\nfffffffffffffffff\r\n{}`),
  'a chunk extension of 10 MiB': raw(
    `${ok}transfer-encoding: chunked\r\n\r\n2;${'x'.repeat(10 * mebibyte)}\r\n{}\r\n0\r\n\r\n`,
  ),
  'chunks of one byte': raw(`${ok}transfer-encoding: chunked\r\n\r\n${'1\r\n \r\n'.repeat(200_000)}0\r\n\r\n`),
  'a header of 1 MiB': raw(`${ok}x: ${'x'.repeat(mebibyte)}\r\n\r\n{}`),
  '20,000 headers': raw(`${ok}${'x: y\r\n'.repeat(20_000)}\r\n{}`),
  'chunks of all sizes': raw(
    `${ok}transfer-encoding: chunked\r\n\r\n`,
    times(2000, (at) => `${(at + 1).toString(16)}\r\n${' '.repeat(at + 1)}\r\n`),
    '0\r\n\r\n',
  ),
  '100,000 trailers': raw(`${ok}transfer-encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n${'x: y\r\n'.repeat(100_000)}\r\n`),
  'a reply of HTTP/1.0 without length': raw('HTTP/1.0 200 OK\r\n\r\n{"error":false,"message":"pong"}'),
  'a reply of HTTP/0.9': raw('{"error":false,"message":"pong"}'),
  'replies without a request': () => ({
    pieces: [`${ok}content-length: 2\r\n\r\n{}`.repeat(1000)],
    hangs: true,
  }),
  'replies without a request, again and again': () => ({
    pieces: [`${ok}content-length: 2\r\n\r\n{}`],
    hangs: true,
    drips: true,
  }),
  'a reply of HTTP/1.0 without length and end': () => ({
    pieces: ['HTTP/1.0 200 OK\r\n\r\n', Buffer.alloc(mebibyte, 32)],
    hangs: true,
    drips: true,
  }),
  'a length of a gigabyte': () => ({ pieces: [`${ok}content-length: 1000000000\r\n\r\n{`], hangs: true }),
  'a length of twenty digits': raw(`${ok}content-length: 99999999999999999999\r\n\r\n{}`),
  'hints without end': () => ({ pieces: ['HTTP/1.1 103 Early Hints\r\nlink: <x>\r\n\r\n'], hangs: true, drips: true }),
  'status 999': raw('HTTP/1.1 999 Odd\r\ncontent-length: 2\r\n\r\n{}'),
  '1,000 times status 100': raw('HTTP/1.1 100 Continue\r\n\r\n'.repeat(1000), `${ok}content-length: 2\r\n\r\n{}`),
  'status 101': raw('HTTP/1.1 101 Switching Protocols\r\nupgrade: evil\r\nconnection: upgrade\r\n\r\nx'),
  'status 204': raw('HTTP/1.1 204 No Content\r\n\r\n'),
  'status 304': raw('HTTP/1.1 304 Not Modified\r\n\r\n'),
  'a redirect to itself': (path) => ({
    pieces: [`HTTP/1.1 302 Found\r\nlocation: ${path}\r\ncontent-length: 0\r\n\r\n`],
  }),
  'a redirect to another protocol': raw(
    'HTTP/1.1 302 Found\r\nlocation: file:///etc/passwd\r\ncontent-length: 0\r\n\r\n',
  ),
  'status 500 with 30 MiB': raw(`HTTP/1.1 500 Odd\r\n${closes}\r\n`, Buffer.alloc(30 * mebibyte, 91)),
  'status 503 with nested JSON': raw(`HTTP/1.1 503 Odd\r\n${closes}\r\n${nested('{"code":', 6000, '1', '}')}`),
  'status 401': raw('HTTP/1.1 401 Odd\r\nwww-authenticate: x\r\ncontent-length: 0\r\n\r\n'),
  'a Retry-After of a trillion seconds': raw(
    'HTTP/1.1 429 Odd\r\nretry-after: 1000000000000\r\ncontent-length: 0\r\n\r\n',
  ),
  'an end of the connection': raw(),
  'random bytes': raw(
    Buffer.from(
      times(5000, (at) => String.fromCharCode((at * 7919) % 256)),
      'latin1',
    ),
  ),
  'a TLS alert': raw(Buffer.from([0x15, 0x03, 0x03, 0, 2, 2, 40])),
  'an HTTP/2 preface': raw('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'),
};

/** Pages of metrics. */
const pageBehaviours: Readonly<Record<string, EvilBehaviour>> = {
  'a million families': page(() => times(1_000_000, (at) => `svc_f${at} 1\n`)),
  'a million HELP lines': page(() => times(1_000_000, (at) => `# HELP svc_f${at} x\n`)),
  '1,900 families of one series': page(() => `svc_service_status{a="b"} 1\n${times(1900, (at) => `svc_f${at} 1\n`)}`),
  '300,000 series': page(() => `svc_service_status{a="b"} 1\n${times(300_000, (at) => `svc_x{a="${at}"} 1\n`)}`),
  'series that never repeat': page(
    () => `svc_service_status{a="b"} 1\n${times(100_000, () => `svc_x{a="${Math.random()}"} 1\n`)}`,
  ),
  'series with labels in all orders': page(() => times(100_000, (at) => `svc_x{b="${at}", a="1" } 1\n`)),
  'lines of 60 kB': page(() => times(400, (at) => `svc_x{a="${at}${'x'.repeat(60_000)}"} 1\n`)),
  'lines of 9,000 labels': page(() =>
    times(150, (at) => `svc_x{b="${at}",${times(9000, (no) => `l${no}="1"`, ',')}} 1\n`),
  ),
  'HELP of 10 MiB': page(() => `# HELP svc_x ${'x'.repeat(10 * mebibyte)}\nsvc_x 1\n`),
  'a histogram with 50,000 buckets': page(
    () => `# TYPE svc_x histogram\n${times(50_000, (at) => `svc_x_bucket{le="${at}"} ${-at}\n`)}`,
  ),
  'exemplars and times': page(() => times(50_000, (at) => `svc_x{a="${at}"} 1 ${at}e300 # {a="${at}"} 1e999 -1\n`)),
  'NUL and bytes that are no UTF-8 in names': page(() => times(1000, (at) => `svc\0\ufffd_x${at}{\0="\0"} 1\0\n`)),
  'a line of 20 MiB': page(() => `svc_x{a="${'x'.repeat(20 * mebibyte)}"} 1\n`),
  'types that contradict each other': page(() =>
    times(2000, (at) => `# TYPE svc_x ${at % 2 === 0 ? 'counter' : 'gauge'}\nsvc_x{a="${at}"} 1\n`),
  ),
  'values that are no numbers': page(
    () => `svc_service_status{a="b"} NaN\nsvc_a +Inf\nsvc_b -Inf\nsvc_c 1e999\nsvc_d 0x10\n`,
  ),
  'a label value with escapes alone': page(() => `svc_service_status{a="${'\\\\'.repeat(20_000)}"} 1\n`),
};

/** Replies that are valid alone, but differ from each other. */
const churnBehaviours: Readonly<Record<string, EvilBehaviour>> = {
  'series that differ in each reply': fresh((path, count) =>
    isPage(path)
      ? `svc_service_status{a="b"} 1\n${times(50_000, (at) => `svc_x{a="${count}.${at}"} 1\n`)}`
      : envelope(path, '[]'),
  ),
  'families that differ in each reply': fresh((path, count) =>
    isPage(path)
      ? `svc_service_status{a="b"} 1\n${times(1500, (at) => `svc_f${count}_${at} 1\n`)}`
      : envelope(path, '[]'),
  ),
  'services that differ in each reply': fresh((path, count) => {
    const service = (at: number) => `"ServiceName":"S${count}X${at}","Partition":1,"Replica":1`;
    const row = (at: number) => `{"HostID":"h","ServiceDescriptor":{${service(at)}},"ServiceStatus":"Online"}`;
    return envelope(path, `[${times(5000, row, ',')}]`);
  }),
  'queries that differ in each reply': fresh((path, count) => {
    const query = (at: number) => entry(at).replaceAll(/requestid":"|g\/q/g, `$&${count}x`);
    return envelope(path, `[${times(5000, query, ',')}]`);
  }),
  'graphs that differ in each reply': fresh((path, count) =>
    envelope(path, `[${times(1000, (at) => `"g${count}x${at}"`, ',')}]`),
  ),
  'valid and hostile replies in turn': fresh((path, count) => {
    if (count % 2 === 0) return isPage(path) ? times(1_000_000, (at) => `svc_f${at} 1\n`) : '[{"a":'.repeat(300_000);
    return isPage(path) ? `svc_service_status{a="b"} 1\n` : envelope(path, '[]');
  }),
};

/** All behaviours by name. */
export const evilBehaviours: readonly (readonly [string, EvilBehaviour])[] = [
  ...Object.entries(jsonBehaviours),
  ...Object.entries(bodyBehaviours),
  ...Object.entries(protocolBehaviours),
  ...Object.entries(pageBehaviours),
  ...Object.entries(churnBehaviours),
];
