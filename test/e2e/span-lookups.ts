import type { TraceExporter } from '../../src/model/span.ts';
import { systemClock } from '../../src/runtime/clock.ts';
import { systemFiles } from '../../src/runtime/files.ts';
import { digest } from '../../src/runtime/system-ports.ts';
import { openSpanExports } from '../../src/runtime/telemetry/open-span-exports.ts';
import type { SimulatedQuery } from '../../src/simulator/world/query.ts';
import { querySpanContext } from '../../src/trace/span-context.ts';
import { recordingLogger } from '../support/logger.ts';
import type { WireSpan } from '../support/otlp.ts';

/** The real way out for spans, to an address. */
export function exportsTo(url: string, log = recordingLogger()): Promise<TraceExporter> {
  const build = { version: '0.0.0' };
  return openSpanExports({ url: `${url}/v1/traces` }, { clock: systemClock, files: systemFiles, log, build });
}

/** The one span of a query; throws where there is none, or more than one. */
export function spanOfQuery(spans: readonly WireSpan[], id: string): WireSpan {
  const { traceId } = querySpanContext('prod', id, digest);
  const [span, ...more] = spans.filter((one) => one.traceId === traceId);
  if (span === undefined || more.length > 0) throw new Error(`${more.length + (span ? 1 : 0)} spans of ${id}`);
  return span;
}

/** By how much a span begins after and ends before the truth, in milliseconds; of a query that did not wait. */
export function errorsOf({ start, end }: WireSpan, query: SimulatedQuery | undefined) {
  if (query === undefined) throw new Error('the query was turned away');
  const { arrivedAt, runsFor } = query;
  return { start: Number(start) / 1e6 - arrivedAt, end: arrivedAt + runsFor - Number(end) / 1e6 };
}
