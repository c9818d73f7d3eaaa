import type { Span, SpanSink } from '../../src/model/span.ts';

/** Keeps every span that comes; which traces are sampled is up to the test. */
export class SpanBook implements SpanSink {
  readonly spans: Span[] = [];
  readonly #samples: (traceId: string) => boolean;

  constructor(samples: (traceId: string) => boolean = () => true) {
    this.#samples = samples;
  }

  keeps(traceId: string): boolean {
    return this.#samples(traceId);
  }

  take(span: Span): void {
    this.spans.push(span);
  }

  /** The roots of this name, in the order in which they came. */
  roots(name: string): readonly Span[] {
    return this.spans.filter((span) => span.parentId === undefined && span.name === name);
  }

  /** What hangs below a span. */
  below({ traceId, spanId }: Pick<Span, 'traceId' | 'spanId'>): readonly Span[] {
    return this.spans.filter((span) => span.traceId === traceId && span.parentId === spanId);
  }
}
