import type { Firing } from './recording.ts';

/** A stretch in which an alert fired, in scrapes; it fired in the last one still. */
export interface Stretch {
  readonly from: number;
  readonly to: number;
}

/** The episodes of each alert, by what tells it from others. */
export function episodesOf(firing: readonly (readonly Firing[])[]): ReadonlyMap<string, readonly Stretch[]> {
  const episodes = new Map<string, Stretch[]>();
  for (const [scrape, alerts] of firing.entries()) {
    for (const key of new Set(alerts.map(keyOf))) {
      const known = episodes.get(key) ?? [];
      const last = known.at(-1);
      if (last?.to === scrape - 1) known[known.length - 1] = { from: last.from, to: scrape };
      else known.push({ from: scrape, to: scrape });
      episodes.set(key, known);
    }
  }
  return episodes;
}

function keyOf({ alert, severity, identity }: Firing): string {
  const pairs = Object.entries(identity).toSorted(([one], [other]) => (one < other ? -1 : 1));
  return [alert, severity, ...pairs.map((pair) => pair.join('='))].join(' ');
}
