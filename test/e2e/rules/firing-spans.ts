import type { Firing } from './recording.ts';

/** Scrapes from the first to the last one at which an alert fired. */
export interface FiringSpan {
  readonly from: number;
  readonly to: number;
}

/** Returns the incidents of each alert, by name, severity and identity. */
export function firingSpans(firing: readonly (readonly Firing[])[]): ReadonlyMap<string, readonly FiringSpan[]> {
  const incidents = new Map<string, FiringSpan[]>();
  for (const [scrape, alerts] of firing.entries()) {
    for (const key of new Set(alerts.map(keyOf))) {
      const known = incidents.get(key) ?? [];
      const last = known.at(-1);
      if (last?.to === scrape - 1) known[known.length - 1] = { from: last.from, to: scrape };
      else known.push({ from: scrape, to: scrape });
      incidents.set(key, known);
    }
  }
  return incidents;
}

function keyOf({ alert, severity, identity }: Firing): string {
  const pairs = Object.entries(identity).toSorted(([one], [other]) => (one < other ? -1 : 1));
  return [alert, severity, ...pairs.map((pair) => pair.join('='))].join(' ');
}
