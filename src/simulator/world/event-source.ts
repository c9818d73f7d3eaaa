/** Source of events in the simulated world at known times, in ms since the epoch. */
export interface EventSource {
  /** Returns the time of the next event, `Infinity` for none. It never decreases. */
  nextEventAt(): number;
  /** Runs the event at {@link EventSource.nextEventAt}, which must be later afterwards. */
  runEvent(at: number): void;
}

/** Runs all events until `end` in the order of their times. */
export function runEventsUntil(sources: readonly EventSource[], end: number): void {
  for (;;) {
    const next = earliestSource(sources);
    if (next === undefined || next.nextEventAt() > end) return;
    next.runEvent(next.nextEventAt());
  }
}

function earliestSource(sources: readonly EventSource[]): EventSource | undefined {
  let first: EventSource | undefined;
  for (const source of sources) {
    if (first === undefined || source.nextEventAt() < first.nextEventAt()) first = source;
  }
  return first;
}
