/** What a span says about itself; names by the semantic conventions where these have one. */
export type SpanAttributes = Readonly<Record<string, string | number | boolean>>;

/** Where a span is found: 32 and 16 lowercase hexadecimal digits, neither of them all zeros. */
export interface SpanPlace {
  readonly traceId: string;
  readonly spanId: string;
}

/** Something that happened at one instant of a span. */
export interface SpanEvent {
  readonly name: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly attributes: SpanAttributes;
}

/** A stretch of time that is over, as a trace backend will show it. */
export interface Span extends SpanPlace {
  /** The span of the same trace that it belongs to; absent for a root. */
  readonly parentId?: string;
  readonly name: string;
  readonly kind: 'internal' | 'client' | 'server';
  /** Milliseconds since the epoch, with fractions where they are known. */
  readonly start: number;
  readonly end: number;
  readonly attributes: SpanAttributes;
  readonly events: readonly SpanEvent[];
  /** Spans of other traces that led to this one, or that it led to. */
  readonly links: readonly SpanPlace[];
  /** Why it failed; absent where it did not. */
  readonly error?: string;
}

/** Where spans go. Takes them at once, sends them later, and drops what it has no room for: nobody waits for it. */
export interface SpanSink {
  /**
   * Whether sampling keeps this trace: whoever gives a span asks first, unless it is to be kept in any case. `anyway`:
   * whether such spans are sent at all.
   */
  keeps(traceId: string, anyway?: boolean): boolean;
  take(span: Span): void;
}
