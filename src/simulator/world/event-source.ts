/** Source of events in the simulated world at known times, in ms since the epoch. */
export interface EventSource {
  /** Returns the time of the next event, `Infinity` for none. It never decreases. */
  nextEventAt(): number;
  /** Runs the event at {@link EventSource.nextEventAt}, which must be later afterwards. */
  runEvent(at: number): void;
}

/** Runs all events until `end` in the order of their times. */
export function runEventsUntil(activities: readonly EventSource[], end: number): void {
  for (;;) {
    const next = earliestSource(activities);
    if (next === undefined || next.nextEventAt() > end) return;
    next.runEvent(next.nextEventAt());
  }
}

function earliestSource(activities: readonly EventSource[]): EventSource | undefined {
  let first: EventSource | undefined;
  for (const activity of activities) {
    if (first === undefined || activity.nextEventAt() < first.nextEventAt()) first = activity;
  }
  return first;
}
