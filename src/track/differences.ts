import type { Change } from '../kernel/store.ts';
import { type ReplicaView, type Transition, unobserved } from '../model/transition.ts';
import type { TrackedReplica } from './replica.ts';
import { countKept, replicaForgotten, replicaKept, transitionAdded } from './rows.ts';
import { destinationOf } from './tracker-metrics.ts';
import { replicaView } from './views.ts';

/** What the tracker says to others. */
export type TrackOutput =
  /** An observed change. */
  | { readonly kind: 'transition'; readonly transition: Transition }
  /** A status was confirmed; `from` is what was hard before, `unobserved` where nothing was. */
  | { readonly kind: 'hard'; readonly replica: ReplicaView; readonly from: string }
  /** Flapping began or ended, as the view says. */
  | { readonly kind: 'flapping'; readonly replica: ReplicaView }
  | { readonly kind: 'change'; readonly change: Change };

/** A replica after an observation, with what is to be said about the difference. */
export interface Difference {
  readonly replica: TrackedReplica;
  readonly outputs: readonly TrackOutput[];
}

/** What is to be said of a replica that is no longer as it was; `before` is undefined for a new one. */
export function difference(cluster: string, before: TrackedReplica | undefined, after: TrackedReplica): Difference {
  const moved = before?.observed !== after.observed;
  const to = destinationOf(after.observed);
  const count = (after.counts[to] ?? 0) + 1;
  const replica = moved ? { ...after, counts: { ...after.counts, [to]: count } } : after;
  const view = replicaView(replica, cluster);
  const outputs: TrackOutput[] = [];
  if (moved) {
    const transition = transitionOf(cluster, before, after);
    outputs.push(
      { kind: 'transition', transition },
      ...stored(transitionAdded(transition), countKept(view, to, count)),
    );
  }
  if (isWorthKeeping(before, after)) outputs.push(...stored(replicaKept(cluster, replica)));
  const from = before?.hard ?? unobserved;
  if (from !== replica.hard) outputs.push({ kind: 'hard', replica: view, from });
  if ((before?.flapping ?? false) !== replica.flapping) outputs.push({ kind: 'flapping', replica: view });
  return { replica, outputs };
}

/** A replica is remembered no longer: its timeline ends here. */
export function farewell(cluster: string, known: TrackedReplica, at: number): readonly TrackOutput[] {
  const gone = { ...known, observed: '', observedSince: Math.max(at, known.observedSince + 1) };
  const transition = transitionOf(cluster, known, gone);
  const changes = [transitionAdded(transition), ...replicaForgotten(transition)];
  return [{ kind: 'transition', transition }, ...stored(...changes)];
}

/** Changes as outputs. */
export function stored(...changes: readonly Change[]): readonly TrackOutput[] {
  return changes.map((change) => ({ kind: 'change', change }));
}

function transitionOf(cluster: string, before: TrackedReplica | undefined, after: TrackedReplica): Transition {
  const { service, partition, replica, observed: to, observedSince: at, process, eventId, eventNs, source } = after;
  const id = { cluster, service, partition, replica };
  const what = { at, from: before?.observed ?? '', to, process, eventId, eventNs, source };
  return before === undefined ? { ...id, ...what } : { ...id, ...what, lasted: at - before.observedSince };
}

/** Events come anew with every answer: only what somebody would miss after a restart is worth a write. */
function isWorthKeeping(before: TrackedReplica | undefined, after: TrackedReplica): boolean {
  return (
    before === undefined ||
    before.observed !== after.observed ||
    before.hard !== after.hard ||
    before.flapping !== after.flapping ||
    before.missingSince !== after.missingSince ||
    before.process !== after.process
  );
}
