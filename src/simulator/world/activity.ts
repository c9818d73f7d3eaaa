/** Something that happens in the simulated world at moments it knows beforehand. Moments are ms since the epoch. */
export interface Activity {
  /** The next moment, `Infinity` for never. Never moves back. */
  nextAt(): number;
  /** Lets it happen; called with {@link Activity.nextAt}, after which that must be later or never. */
  act(at: number): void;
}

/** Lets everything happen that is due until `end`, in the order of time. */
export function runUntil(activities: readonly Activity[], end: number): void {
  for (;;) {
    const next = earliest(activities);
    if (next === undefined || next.nextAt() > end) return;
    next.act(next.nextAt());
  }
}

function earliest(activities: readonly Activity[]): Activity | undefined {
  let first: Activity | undefined;
  for (const activity of activities) {
    if (first === undefined || activity.nextAt() < first.nextAt()) first = activity;
  }
  return first;
}
