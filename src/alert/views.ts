import type { Instant } from '../kernel/time.ts';
import type { AlertView } from './alert-view.ts';
import type { Silence } from './alerting.ts';
import type { AlertingState, Episode, Held } from './episode.ts';

/** Alerts that are pending or fire, and those that are over not long ago, the newest last. */
export function alertsOf(state: AlertingState): readonly AlertView[] {
  const hashes = new Map([...state.episodes.values()].map(({ place, key }) => [place, key]));
  return [
    ...state.past.map(({ episode, endsAt }) => ({ ...viewOf(episode), phase: 'resolved' as const, endsAt })),
    ...[...state.episodes.values()].map((episode) => ({ ...viewOf(episode), ...heldIn(episode.held, hashes) })),
  ];
}

/** Silences that hold or will, the first to end first. */
export function silencesOf(state: AlertingState, { wall }: Instant): readonly Silence[] {
  return [...state.silences.values()]
    .filter(({ endsAt }) => endsAt > wall)
    .toSorted((one, other) => one.endsAt - other.endsAt);
}

function viewOf({ key, number, rule, severity, phase, labels, annotations, startsAt }: Episode): AlertView {
  return { key, episode: number, rule, severity, phase, labels, annotations, startsAt };
}

function heldIn(held: Held | undefined, hashes: ReadonlyMap<string, string>): Partial<AlertView> {
  if (held === undefined) return {};
  if (held.kind === 'silence') return { silencedBy: held.id };
  return held.kind === 'maintenance' ? { maintenance: held.name } : { inhibitedBy: hashes.get(held.by) ?? '' };
}
