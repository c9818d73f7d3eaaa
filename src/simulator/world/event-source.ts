/** Something that happens in the simulated world at moments it knows beforehand. Moments are ms since the epoch. */
export interface EventSource {
  /** The next moment, `Infinity` for never. Never moves back. */
  nextEventAt(): number;
  /** Lets it happen; called with {@link EventSource.nextEventAt}, after which that must be later or never. */
  runEvent(at: number): void;
}

/** Lets everything happen that is due until `end`, in the order of time. */
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
