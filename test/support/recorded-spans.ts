import type { Span, SpanCounts, TraceExporter } from '../../src/model/span.ts';

const nothingDropped = { queue_full: 0, unreachable: 0, timeout: 0, refused: 0, headers: 0, stopped: 0 };

/** Exporter that records spans. The test decides which traces are sampled. */
export class RecordedSpans implements TraceExporter {
  readonly spans: Span[] = [];
  isClosed = false;
  readonly #samples: (traceId: string) => boolean;

  constructor(samples: (traceId: string) => boolean = () => true) {
    this.#samples = samples;
  }

  isSampled(traceId: string, anyway = false): boolean {
    return anyway || this.#samples(traceId);
  }

  record(span: Span): void {
    this.spans.push(span);
  }

  counts(): SpanCounts {
    return { exported: this.spans.length, dropped: nothingDropped };
  }

  async close(): Promise<void> {
    this.isClosed = true;
  }

  /** Returns the root spans with this name, in the order of their arrival. */
  roots(name: string): readonly Span[] {
    return this.spans.filter((span) => span.parentId === undefined && span.name === name);
  }

  /** Returns the children of a span. */
  childrenOf({ traceId, spanId }: Pick<Span, 'traceId' | 'spanId'>): readonly Span[] {
    return this.spans.filter((span) => span.traceId === traceId && span.parentId === spanId);
  }
}
