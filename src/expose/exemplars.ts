import { Buffer } from 'node:buffer';
import type { Exemplar } from '../metric/metric.ts';
import { valueText } from './labels.ts';
import type { Lines } from './lines.ts';

/** Exemplars of rows, by their place among these. */
export type Exemplars = ReadonlyMap<number, Exemplar>;

/** Renders lines once more, with what stands for them behind some; undefined where there is nothing to add. */
export function annotate<Key>({ bytes, starts, keys, repeated }: Lines<Key>, exemplars: Exemplars): Buffer | undefined {
  // Rows that were left out have moved the others.
  const shown = repeated > 0 ? [] : [...exemplars].filter(([at]) => at < keys.length);
  if (shown.length === 0) return undefined;
  const pieces: Uint8Array[] = [];
  let from = 0;
  for (const [at, exemplar] of shown.toSorted(([one], [other]) => one - other)) {
    const lineFeed = (starts[at + 1] ?? bytes.length) - 1;
    pieces.push(bytes.subarray(from, lineFeed), Buffer.from(exemplarText(exemplar)));
    from = lineFeed;
  }
  return Buffer.concat([...pieces, bytes.subarray(from)]);
}

/** As OpenMetrics has it: the labels are far shorter than the 128 characters that are allowed. */
function exemplarText({ traceId, spanId, value, at }: Exemplar): string {
  return ` # {trace_id="${traceId}",span_id="${spanId}"} ${valueText(value)} ${at / 1000}`;
}
