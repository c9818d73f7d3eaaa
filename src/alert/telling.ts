import type { Instant } from '../kernel/time.ts';
import type { Alert, Destination, Notice } from '../model/alert.ts';
import type { Episode, Held } from './episode.ts';
import type { Target } from './routing.ts';

/** An episode, and what is told of it now. */
export interface Told {
  readonly episode: Episode;
  readonly notices: readonly Notice[];
}

/**
 * Tells the receivers that do not know of an episode yet, and reminds those for whom it is time; nobody while it is
 * held back.
 */
export function tell(
  episode: Episode,
  held: Held | undefined,
  targets: readonly Target[],
  { now, externalUrl }: { readonly now: Instant; readonly externalUrl?: string },
): Told {
  const { held: before, freeSince = now.mono, ...free } = episode;
  if (held !== undefined) return { episode: { ...free, held }, notices: [] };
  // What was explained by something that is over gets as much time to end by itself as it had to begin.
  if (before?.kind === 'inhibition' && now.mono - freeSince < episode.hold) {
    return { episode: { ...free, held: before, freeSince }, notices: [] };
  }
  const news = targets.filter(({ receiver }) => !Object.hasOwn(episode.told, receiver));
  const again = targets.filter(({ receiver, repeat }) => isDue(episode.told[receiver], repeat, now));
  if (news.length + again.length === 0) return { episode: free, notices: [] };
  const alert = alertOf(episode, externalUrl);
  const notice = (to: readonly Target[], isAgain: boolean): readonly Notice[] =>
    to.length === 0 ? [] : [{ kind: 'trigger', alert, again: isAgain, to: to.map(destinationOf), due: now.wall }];
  const at = Object.fromEntries([...news, ...again].map(({ receiver }) => [receiver, now.wall]));
  return {
    episode: { ...free, told: { ...free.told, ...at } },
    notices: [...notice(news, false), ...notice(again, true)],
  };
}

/** Tells that an episode is over, where anybody was told that it began. */
export function tellEnd(
  episode: Episode,
  { now, externalUrl }: { readonly now: Instant; readonly externalUrl?: string },
): readonly Notice[] {
  if (Object.keys(episode.told).length === 0) return [];
  const alert = resolvedOf(episode, externalUrl, now);
  return [{ kind: 'resolve', alert, due: now.wall }];
}

/** An episode as an alert that is over. */
export function resolvedOf(episode: Episode, externalUrl: string | undefined, { wall }: Instant): Alert {
  return { ...alertOf(episode, externalUrl), status: 'resolved', endsAt: wall };
}

function isDue(told: number | undefined, repeat: number, { wall }: Instant): boolean {
  // Told in the future: the clock was set back, and nobody shall wait until it is there again.
  return told !== undefined && repeat > 0 && (wall - told >= repeat || told > wall);
}

function destinationOf({ receiver, group, groupWait, fallback }: Target): Destination {
  return { receiver, group, groupWait, ...(fallback === undefined ? {} : { fallback }) };
}

/** An episode as an alert that fires. */
export function alertOf(episode: Episode, externalUrl: string | undefined): Alert {
  const { key, number, rule, severity, labels, annotations, startsAt } = episode;
  const started = new Date(startsAt).toISOString();
  return {
    key,
    episode: number,
    rule,
    severity,
    labels,
    annotations: { ...annotations, episode: String(number), started },
    status: 'firing',
    startsAt,
    generatorUrl: externalUrl ?? '',
  };
}
