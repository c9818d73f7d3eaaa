import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import { type Fields, fieldsOf, longsOf, messagesOf, textOf } from './protobuf.ts';

/** Received span. Times are nanoseconds since the epoch. */
export interface WireSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentId: string;
  readonly name: string;
  readonly kind: number;
  readonly start: bigint;
  readonly end: bigint;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly events: readonly { readonly name: string; readonly at: bigint; readonly attributes: unknown }[];
  readonly links: readonly { readonly traceId: string; readonly spanId: string }[];
  readonly status: { readonly code: number; readonly message: string };
  readonly resource: Readonly<Record<string, unknown>>;
  readonly scope: string;
  readonly schemas: { readonly resource: string; readonly scope: string };
}

/** Received data point. */
export interface WirePoint {
  readonly metric: string;
  readonly unit: string;
  readonly description: string;
  readonly type: 'gauge' | 'sum' | 'histogram';
  readonly isMonotonic: boolean;
  readonly start: bigint;
  readonly time: bigint;
  readonly attributes: Readonly<Record<string, unknown>>;
  /** Value of a gauge or a sum. */
  readonly value: number;
  /** Value of a histogram; the counts are not cumulative. */
  readonly histogram?: {
    readonly count: number;
    readonly sum: number;
    readonly bounds: readonly number[];
    readonly counts: readonly number[];
  };
  readonly resource: Readonly<Record<string, unknown>>;
}

/** Parses an `ExportMetricsServiceRequest` by the field numbers of its published schema. */
function pointsOf(body: Uint8Array): readonly WirePoint[] {
  return messagesOf(fieldsOf(body), 1).flatMap((resourceMetrics) => {
    const resource = attributesOf(messagesOf(resourceMetrics, 1)[0], 1);
    const metrics = messagesOf(resourceMetrics, 2).flatMap((scopeMetrics) => messagesOf(scopeMetrics, 2));
    return metrics.flatMap((metric) => metricPoints(metric).map((point) => ({ ...point, resource })));
  });
}

function metricPoints(metric: Fields): readonly Omit<WirePoint, 'resource'>[] {
  const [[gauge], [sum], [histogram]] = [messagesOf(metric, 5), messagesOf(metric, 7), messagesOf(metric, 9)];
  const common = { metric: textOf(metric, 1), description: textOf(metric, 2), unit: textOf(metric, 3) };
  const data = gauge ?? sum ?? histogram;
  const cumulative = 2n;
  if (data === undefined || (gauge === undefined && longsOf(data, 2)[0] !== cumulative))
    throw new Error(`${common.metric} has no gauge and nothing cumulative`);
  const type = gauge !== undefined ? 'gauge' : sum !== undefined ? 'sum' : 'histogram';
  const isMonotonic = sum !== undefined && longsOf(sum, 3)[0] === 1n;
  return messagesOf(data, 1).map((point) => ({
    ...common,
    type,
    isMonotonic,
    start: longsOf(point, 2)[0] ?? 0n,
    time: longsOf(point, 3)[0] ?? 0n,
    attributes: attributesOf(point, type === 'histogram' ? 9 : 7),
    value: doublesOf(point, 4)[0] ?? 0,
    ...(type === 'histogram' && {
      histogram: {
        count: Number(longsOf(point, 4)[0] ?? 0n),
        sum: doublesOf(point, 5)[0] ?? 0,
        counts: fixedOf(point, 6).map(Number),
        bounds: doubles(fixedOf(point, 7)),
      },
    }),
  }));
}

/** Returns the fixed-width numbers of a field, packed or not. */
function fixedOf(fields: Fields, number: number): readonly bigint[] {
  return (fields.get(number) ?? []).flatMap((value) => {
    if (typeof value === 'bigint') return [value];
    const view = new DataView(value.buffer, value.byteOffset, value.byteLength);
    return Array.from({ length: value.length / 8 }, (_, at) => view.getBigUint64(8 * at, true));
  });
}

function doublesOf(fields: Fields, number: number): readonly number[] {
  return doubles(fixedOf(fields, number));
}

function doubles(bits: readonly bigint[]): readonly number[] {
  return [...new Float64Array(new BigUint64Array(bits).buffer)];
}

/** Parses an `ExportTraceServiceRequest` by the field numbers of its published schema. */
function spansOf(body: Uint8Array): readonly WireSpan[] {
  return messagesOf(fieldsOf(body), 1).flatMap((resourceSpans) => {
    const resource = attributesOf(messagesOf(resourceSpans, 1)[0], 1);
    return messagesOf(resourceSpans, 2).flatMap((scopeSpans) => {
      const scope = textOf(messagesOf(scopeSpans, 1)[0], 1);
      const schemas = { resource: textOf(resourceSpans, 3), scope: textOf(scopeSpans, 3) };
      return messagesOf(scopeSpans, 2).map((span) => ({ ...spanOf(span), resource, scope, schemas }));
    });
  });
}

function spanOf(span: Fields): Omit<WireSpan, 'resource' | 'scope' | 'schemas'> {
  const [status] = messagesOf(span, 15);
  return {
    traceId: hexOf(span, 1),
    spanId: hexOf(span, 2),
    parentId: hexOf(span, 4),
    name: textOf(span, 5),
    kind: Number(longsOf(span, 6)[0] ?? 0n),
    start: longsOf(span, 7)[0] ?? 0n,
    end: longsOf(span, 8)[0] ?? 0n,
    attributes: attributesOf(span, 9),
    events: messagesOf(span, 11).map((event) => {
      return { at: longsOf(event, 1)[0] ?? 0n, name: textOf(event, 2), attributes: attributesOf(event, 3) };
    }),
    links: messagesOf(span, 13).map((link) => ({ traceId: hexOf(link, 1), spanId: hexOf(link, 2) })),
    status: { message: textOf(status, 2), code: Number(status === undefined ? 0n : (longsOf(status, 3)[0] ?? 0n)) },
  };
}

function attributesOf(fields: Fields | undefined, number: number): Readonly<Record<string, unknown>> {
  const pairs = fields === undefined ? [] : messagesOf(fields, number);
  return Object.fromEntries(pairs.map((pair) => [textOf(pair, 1), anyValueOf(messagesOf(pair, 2)[0])]));
}

function anyValueOf(value: Fields | undefined): unknown {
  const kind = [...(value?.keys() ?? [])][0];
  if (value === undefined || kind === 1) return textOf(value, 1);
  const [long = 0n] = longsOf(value, kind ?? 0);
  if (kind === 2) return long !== 0n;
  if (kind === 3) return Number(BigInt.asIntN(64, long));
  return kind === 4 ? new Float64Array(new BigUint64Array([long]).buffer)[0] : undefined;
}

function hexOf(fields: Fields, number: number): string {
  const bytes = fields.get(number)?.[0];
  return bytes instanceof Uint8Array ? Buffer.from(bytes).toString('hex') : '';
}

/** A receiver of spans and metrics on a free loopback port. */
export interface OtlpReceiver {
  readonly url: string;
  readonly spans: readonly WireSpan[];
  readonly points: readonly WirePoint[];
  readonly requests: readonly { readonly path: string; readonly headers: IncomingHttpHeaders }[];
  close(): Promise<void>;
}

/** Response of the receiver; `hang` for none. */
export type OtlpAnswer = number | 'hang';

/** Starts a receiver of spans and metrics that replies with `answer`, by default 200. */
export async function otlpReceiver(answer: () => OtlpAnswer = () => 200): Promise<OtlpReceiver> {
  const spans: WireSpan[] = [];
  const points: WirePoint[] = [];
  const requests: { readonly path: string; readonly headers: IncomingHttpHeaders }[] = [];
  const server = createServer((request, reply) => void take(request, reply));
  const take = async (request: IncomingMessage, reply: ServerResponse) => {
    const body = await buffer(request);
    requests.push({ path: request.url ?? '', headers: request.headers });
    const status = answer();
    if (status === 'hang') return;
    if (status === 200) {
      const message = request.headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body;
      if (request.url?.endsWith('/metrics') === true) points.push(...pointsOf(message));
      else spans.push(...spansOf(message));
    }
    reply.writeHead(status, { 'content-type': 'application/x-protobuf' }).end();
  };
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}`,
    spans,
    points,
    requests,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
