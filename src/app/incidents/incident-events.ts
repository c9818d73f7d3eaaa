import type { RecentEvent } from '../../alert/alerting.ts';
import { maxRecentEvents } from '../../alert/related-events.ts';
import type { Alert } from '../../model/alert.ts';
import { instanceName } from '../../model/instance-name.ts';
import { type Transition, unobserved } from '../../model/transition.ts';
import type { TrackerOutput } from '../../track/transitions.ts';

/** Event for subscribers. */
export type IncidentEvent =
  | { readonly kind: 'transition'; readonly transition: Transition }
  | { readonly kind: 'alert'; readonly alert: Alert };

/** Yields the events about changes of the tracker and of the rules. */
export function* publishedEvents(
  outputs: readonly TrackerOutput[],
  alerts: readonly Alert[],
): Generator<IncidentEvent> {
  for (const output of outputs) if (output.kind === 'transition') yield output;
  for (const alert of alerts) yield { kind: 'alert', alert };
}

/** Returns the transitions that a later incident may list as related. */
export function recentEvents(outputs: readonly TrackerOutput[]): readonly RecentEvent[] {
  const transitions = outputs.flatMap((output) => (output.kind === 'transition' ? [output.transition] : []));
  return transitions
    .filter(isEvent)
    .slice(-maxRecentEvents)
    .map(({ cluster, service, partition, replica, at, from, to }) => {
      const subject = instanceName({ service, partition, replica });
      return { at, cluster, subject, text: `${subject} changed from ${from} to ${to}` };
    });
}

/** Excludes the first status of an instance, its removal and failed polls: they are no events of the service. */
function isEvent({ from, to }: Transition): boolean {
  return ![from, to].some((status) => status === '' || status === unobserved);
}
